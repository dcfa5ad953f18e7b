import type { Cursor } from './input/cursor.ts';

/**
 * How an item differs after the import. `permission`: a permission is omitted. `feature`: Rowgate lacks the feature, or
 * has it in another place. `change`: the item is imported with another meaning or form.
 */
export type Loss = 'permission' | 'feature' | 'change';

/** One item of Hasura's metadata that was not imported unchanged. */
export interface ImportFinding {
  readonly loss: Loss;
  /** `file:line:column`. */
  readonly place: string;
  /** E.g. `sources[0].tables[3].select_permissions[1]`; empty for the whole input. */
  readonly path: string;
  /** The item and the reason, as a sentence without a full stop. */
  readonly message: string;
  /** An instruction for the user. */
  readonly hint?: string;
}

/** Collects a finding for everything that is not imported unchanged. */
export class ImportReport {
  readonly #findings: ImportFinding[] = [];

  get findings(): readonly ImportFinding[] {
    return this.#findings;
  }

  /** Whether every permission was imported. */
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

  /** Reports every key of a map that is not in `known`, because the import omits these keys. */
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
