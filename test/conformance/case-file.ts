import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** A request of a case, and the responses that it accepts. */
export interface Step {
  readonly kind: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string | number>>;
  /** The posted body: an operation, or a batch of operations. */
  readonly query: unknown;
  readonly status?: number | null;
  readonly response?: unknown;
  /** Present when several responses are accepted. */
  readonly allowedResponses?: readonly unknown[];
  /** The kind of the accepted response when no response is given. */
  readonly intent?: string;
}

/** SQL and metadata that a case applies in place of a step that changes the metadata. */
export interface Snapshot {
  readonly step: number;
  readonly sql?: readonly { readonly sql: string }[];
  readonly metadata: unknown;
}

export interface Case {
  readonly id: string;
  /**
   * `method`: each case gets its own database. `class+values`: the values of the set-up are inserted before each case
   * and removed afterwards.
   */
  readonly scope: 'class' | 'class+values' | 'method';
  readonly steps: readonly Step[];
  readonly snapshots?: readonly Snapshot[];
}

/** A database with Hasura's metadata, and the cases that run on it in order. */
export interface SetUp {
  readonly setupId: string;
  readonly dir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly sql: readonly string[];
  readonly valuesSql: readonly string[];
  readonly valuesTeardownSql: readonly string[];
  readonly metadata: unknown;
  readonly cases: readonly Case[];
}

/** Reads the set-ups from `cases.jsonl` in a folder, one per line. Throws when the file cannot be read. */
export async function readCases(folder: string): Promise<readonly SetUp[]> {
  const lines = (await readFile(path.join(folder, 'cases.jsonl'), 'utf8')).trim().split('\n');
  return lines.map((line) => JSON.parse(line) as SetUp);
}
