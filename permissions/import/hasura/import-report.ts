import type { Cursor } from './input/cursor.ts';

/**
 * What an item of Hasura's metadata comes to: a permission that is left out, a feature that Rowgate does not have
 * (or has elsewhere), or something that came over but not as it was.
 */
export type Loss = 'permission' | 'feature' | 'change';

/** One item that did not come over as it was. */
export interface ImportFinding {
  readonly loss: Loss;
  /** `file:line:column`. */
  readonly place: string;
  /** E.g. `sources[0].tables[3].select_permissions[1]`; empty for the whole input. */
  readonly path: string;
  /** What it is and why, without a final full stop. */
  readonly message: string;
  /** What to do. */
  readonly hint?: string;
}

/** Gathers everything that does not come over: nothing is dropped in silence. */
export class ImportReport {
  readonly #findings: ImportFinding[] = [];

  get findings(): readonly ImportFinding[] {
    return this.#findings;
  }

  /** Whether every permission came over. */
  get isWhole(): boolean {
    return this.#findings.every(({ loss }) => loss !== 'permission');
  }

  add(loss: Loss, at: Cursor, message: string, hint?: string): void {
    const { file, line, column } = at.node.position;
    this.#findings.push({
      loss,
      place: `${file}:${line}:${column}`,
      path: at.path,
      message,
      ...(hint !== undefined && { hint }),
    });
  }

  /** Reports every key of a map that is not among `known`. */
  unknownKeys(
    entries: readonly { readonly key: string; readonly value: Cursor }[],
    known: readonly string[],
    where: string,
  ): void {
    for (const { key, value } of entries) {
      if (known.includes(key)) continue;
      this.add('feature', value, `${where}: "${key}" is not imported`, 'look whether you need it');
    }
  }
}
