import type { Position, Report } from '../diagnostics.ts';
import { maxNesting } from '../metadata/yaml/inspect-tokens.ts';
import { isUsableKey } from '../metadata/yaml/make-node.ts';
import type { RawEntry, RawNode } from '../metadata/yaml/node.ts';
import type { FolderFile } from './folder-files.ts';
import { type Imported, type Plain, type PlainMap, Verbatim } from './hasura/imported.ts';
import { type Subject, sourceOf, subjectOf } from './subject.ts';

/**
 * The source of a node of a draft: the file, and the subject within that file. A subject is a unit that the import can
 * omit separately, e.g. a rule, a relationship or a role.
 */
export interface Origin {
  readonly file: FolderFile;
  readonly subject: Subject;
}

/**
 * The metadata folder that an import will write, as nodes in memory. The import checks these nodes like a folder on
 * disk. The nodes have the positions of the corresponding places in Hasura's metadata, so that findings name those
 * places.
 */
export interface Draft {
  readonly roots: ReadonlyMap<string, RawNode>;
  /**
   * Returns a number for sorting positions: first by the name of the new file, then from the top of the file to its
   * end.
   */
  orderOf(position: Position | undefined): number;
  originOf(position: Position | undefined): Origin | undefined;
}

/**
 * Builds the draft of the files that an import writes. Reports keys that no metadata file may have, and nesting that is
 * too deep.
 */
export function makeDraft(files: readonly FolderFile[], imported: Imported, report: Report): Draft {
  const builder = new DraftBuilder(imported, report);
  const sorted = files.toSorted((a, b) => a.path.localeCompare(b.path, 'en'));
  const roots = sorted.map((file) => [file.path, builder.root(file)] as const);
  return {
    roots: new Map(roots),
    orderOf: (position) => (position ? builder.orders.get(position) : undefined) ?? 0,
    originOf: (position) => (position ? builder.origins.get(position) : undefined),
  };
}

/**
 * Makes the nodes of a draft. Every node gets a separate position object, which serves as the key for finding its
 * source.
 */
class DraftBuilder {
  readonly origins = new Map<Position, Origin>();
  readonly orders = new Map<Position, number>();
  readonly #imported: Imported;
  readonly #report: Report;
  /** The subject of the latest entry, with its position. */
  #origin: Origin | undefined;
  #source: Position = { file: '', line: 1, column: 1 };

  constructor(imported: Imported, report: Report) {
    this.#imported = imported;
    this.#report = report;
  }

  root(file: FolderFile): RawNode {
    this.#origin = undefined;
    this.#source = { file: file.path, line: 1, column: 1 };
    return this.#map(file.map, [], file);
  }

  #node(value: Plain, keys: readonly string[], file: FolderFile): RawNode {
    if (value instanceof Map) return this.#map(value, keys, file);
    const position = this.#position();
    if (Array.isArray(value)) {
      this.#refuseDepth(keys, position);
      const items = value.map((item, index) => this.#node(item, [...keys, String(index)], file));
      return { kind: 'list', items, position };
    }
    return { kind: 'scalar', ...scalarOf(value as PlainScalar), position };
  }

  #map(map: PlainMap, keys: readonly string[], file: FolderFile): RawNode {
    const [first] = map;
    // A map has no position of its own, so it gets the position of its first key.
    if (first) this.#enter([...keys, first[0]], first[1], file);
    const position = this.#position();
    this.#refuseDepth(keys, position);
    const entries: RawEntry[] = [];
    for (const [key, value] of map) {
      const path = [...keys, key];
      this.#enter(path, value, file);
      const keyPosition = this.#position();
      if (!isUsableKey(key, keyPosition, this.#report)) continue;
      entries.push({ key, keyPosition, value: this.#node(value, path, file) });
    }
    return { kind: 'map', entries, position };
  }

  #enter(keys: readonly string[], value: Plain, file: FolderFile): void {
    const subject = subjectOf(file.path, keys, value);
    if (!subject) return;
    this.#origin = { file, subject };
    this.#source = sourceOf(subject, file, this.#imported)?.node.position ?? this.#source;
  }

  #position(): Position {
    const position = { ...this.#source };
    this.orders.set(position, this.orders.size + 1);
    if (this.#origin) this.origins.set(position, this.#origin);
    return position;
  }

  /** Rowgate refuses to read a file with deeper nesting, so the import must not write one. */
  #refuseDepth({ length }: readonly string[], position: Position): void {
    if (length < maxNesting) return;
    const message = `maps and lists are nested deeper than ${maxNesting} levels`;
    this.#report.error('RG_TOO_DEEP', position, message);
  }
}

type PlainScalar = Exclude<Plain, PlainMap | readonly Plain[]>;

function scalarOf(value: PlainScalar) {
  if (value instanceof Verbatim) return { value: Number(value.source), source: value.source };
  return { value, source: String(value) };
}
