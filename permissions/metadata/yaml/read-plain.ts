import type { Position } from '../../diagnostics.ts';
import type { RawEntry, RawNode } from './node.ts';

/** Returns the position of a column of a line, both counted from 1. */
type At = (line: number, column: number) => Position;

/** Deeper files are left to the YAML parser, which limits the depth. */
const maxDepth = 32;

/** Words that are not text in YAML. Other spellings of them are left to the YAML parser. */
const constants: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);

const allowed = /^[\n\x20-\x7e]*$/;
const skipped = /^ *(?:#.*)?$/;
const entryLine = /^( *)([A-Za-z_][A-Za-z0-9_-]{0,99}):(?: +(?=[^ ]))?/;
const itemLine = /^( *)- +(?=[^ ])/;
const keyAhead = /([A-Za-z_][A-Za-z0-9_-]{0,99}): +/y;
const quotedAhead = /'([^']*)'|"([^"\\]*)"/y;
const wordAhead = /[A-Za-z_][A-Za-z0-9_./-]*|-?[1-9][0-9]{0,14}|0/y;

/**
 * Reads YAML that uses only the commonest forms: block maps, lists of values, flow maps and flow lists within a line,
 * words, whole numbers and quoted texts without escapes. Returns undefined for any other text, and for every mistake; the
 * YAML parser, which takes several times as long, then reads the text. Both give the same nodes.
 */
export function readPlainYaml(text: string, at: At): RawNode | undefined {
  if (!allowed.test(text)) return undefined;
  const lines = text
    .split('\n')
    .flatMap((line, index) => (skipped.test(line) ? [] : [{ text: line, number: index + 1 }]));
  if (lines.length === 0) return undefined;
  const reader = new PlainReader(lines, at);
  const node = reader.block(0, 0);
  return reader.isAtEnd ? node : undefined;
}

interface Line {
  readonly text: string;
  /** Counted from 1. */
  readonly number: number;
}

class PlainReader {
  readonly #lines: readonly Line[];
  readonly #at: At;
  /** Index of the next line. */
  #next = 0;
  /** Offset of the next character within the line whose value is read. */
  #offset = 0;

  constructor(lines: readonly Line[], at: At) {
    this.#lines = lines;
    this.#at = at;
  }

  get isAtEnd(): boolean {
    return this.#next === this.#lines.length;
  }

  /** Reads a block map or block list whose lines are indented by exactly `indent` spaces. */
  block(indent: number, depth: number): RawNode | undefined {
    if (depth > maxDepth) return undefined;
    const line = this.#lines[this.#next];
    if (!line) return undefined;
    const position = this.#at(line.number, indent + 1);
    if (itemLine.test(line.text)) {
      const items = this.#items(indent, depth);
      return items && { kind: 'list', items, position };
    }
    const entries = this.#entries(indent, depth);
    return entries && { kind: 'map', entries, position };
  }

  #items(indent: number, depth: number): readonly RawNode[] | undefined {
    const items: RawNode[] = [];
    for (let line = this.#lines[this.#next]; line; line = this.#lines[this.#next]) {
      const found = itemLine.exec(line.text);
      if (found?.[1]?.length !== indent) break;
      const value = this.#restOf(line, found[0].length, depth);
      if (!value) return undefined;
      items.push(value);
    }
    return items;
  }

  #entries(indent: number, depth: number): readonly RawEntry[] | undefined {
    const entries = new Map<string, RawEntry>();
    for (let line = this.#lines[this.#next]; line; line = this.#lines[this.#next]) {
      const [start = '', spaces, key] = entryLine.exec(line.text) ?? [];
      if (spaces?.length !== indent) break;
      if (key === undefined || !isFreeKey(key, entries)) return undefined;
      const keyPosition = this.#at(line.number, indent + 1);
      const value =
        start.length < line.text.length
          ? start.endsWith(' ')
            ? this.#restOf(line, start.length, depth)
            : undefined
          : this.#below(indent, keyPosition, depth);
      if (!value) return undefined;
      entries.set(key, { key, keyPosition, value });
    }
    return entries.size === 0 ? undefined : [...entries.values()];
  }

  /** Reads the value of a key that ends its line. */
  #below(indent: number, keyPosition: Position, depth: number): RawNode | undefined {
    this.#next += 1;
    const text = this.#lines[this.#next]?.text ?? '';
    const inner = text.length - text.trimStart().length;
    // A list may be indented like its key.
    if (inner > indent || (inner === indent && itemLine.test(text))) {
      return this.block(inner, depth + 1);
    }
    return { kind: 'scalar', value: null, source: '', position: keyPosition };
  }

  /** Reads the value that fills the rest of a line. */
  #restOf(line: Line, offset: number, depth: number): RawNode | undefined {
    this.#offset = offset;
    const value = this.#value(line, depth + 1);
    if (this.#offset !== line.text.length) return undefined;
    this.#next += 1;
    return value;
  }

  #value(line: Line, depth: number): RawNode | undefined {
    if (depth > maxDepth) return undefined;
    const position = this.#at(line.number, this.#offset + 1);
    const first = line.text[this.#offset];
    if (first === '[') {
      const items: RawNode[] = [];
      const isRead = this.#until(']', line, () => {
        const item = this.#value(line, depth + 1);
        return item !== undefined && items.push(item) > 0;
      });
      return isRead ? { kind: 'list', items, position } : undefined;
    }
    if (first === '{') {
      const entries = new Map<string, RawEntry>();
      const isRead = this.#until('}', line, () => this.#flowEntry(line, entries, depth));
      return isRead ? { kind: 'map', entries: [...entries.values()], position } : undefined;
    }
    return this.#scalar(line, position);
  }

  #flowEntry(line: Line, entries: Map<string, RawEntry>, depth: number): boolean {
    const keyPosition = this.#at(line.number, this.#offset + 1);
    const key = this.#match(keyAhead, line)?.[1];
    if (key === undefined || !isFreeKey(key, entries)) return false;
    const value = this.#value(line, depth + 1);
    if (value) entries.set(key, { key, keyPosition, value });
    return value !== undefined;
  }

  /** Reads the members of a flow map or flow list, and its end. Returns false if it holds anything else. */
  #until(end: string, line: Line, readMember: () => boolean): boolean {
    this.#offset += 1;
    this.#skipSpaces(line);
    if (line.text[this.#offset] === end) {
      this.#offset += 1;
      return true;
    }
    for (;;) {
      if (!readMember()) return false;
      this.#skipSpaces(line);
      const mark = line.text[this.#offset];
      this.#offset += 1;
      if (mark === end) return true;
      if (mark !== ',') return false;
      this.#skipSpaces(line);
    }
  }

  #scalar(line: Line, position: Position): RawNode | undefined {
    const quoted = this.#match(quotedAhead, line);
    if (quoted) {
      const value = quoted[1] ?? quoted[2] ?? '';
      return { kind: 'scalar', value, source: value, position };
    }
    const source = this.#match(wordAhead, line)?.[0];
    if (source === undefined) return undefined;
    const constant = constants.get(source);
    if (constant !== undefined) return { kind: 'scalar', value: constant, source, position };
    if (constants.has(source.toLowerCase())) return undefined;
    const value = /^[-0-9]/.test(source) ? Number(source) : source;
    return { kind: 'scalar', value, source, position };
  }

  #match(pattern: RegExp, { text }: Line): RegExpExecArray | undefined {
    pattern.lastIndex = this.#offset;
    const found = pattern.exec(text) ?? undefined;
    if (found) this.#offset = pattern.lastIndex;
    return found;
  }

  #skipSpaces({ text }: Line): void {
    while (text[this.#offset] === ' ') this.#offset += 1;
  }
}

/** Returns whether a key is text in YAML and not written before. */
function isFreeKey(key: string, entries: ReadonlyMap<string, unknown>): boolean {
  return !constants.has(key.toLowerCase()) && !entries.has(key);
}
