import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** One request and what may come of it. */
export interface Step {
  readonly kind: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string | number>>;
  /** The body that is posted: an operation, or a batch of them. */
  readonly query: unknown;
  readonly status?: number | null;
  readonly response?: unknown;
  /** Where several answers are right. */
  readonly allowedResponses?: readonly unknown[];
  /** What is right where no answer is given. */
  readonly intent?: string;
}

/** Stands for a step that changes the metadata. */
export interface Snapshot {
  readonly step: number;
  readonly sql?: readonly { readonly sql: string }[];
  readonly metadata: unknown;
}

export interface Case {
  readonly id: string;
  /** `method`: on a database of its own. `class+values`: the set-up's values are written before and removed after. */
  readonly scope: 'class' | 'class+values' | 'method';
  readonly steps: readonly Step[];
  readonly snapshots?: readonly Snapshot[];
}

/** A database with Hasura's metadata, and the cases that run on it in their order. */
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

/** The set-ups of a folder's `cases.jsonl`, one a line. Throws where the file cannot be read. */
export async function readCases(folder: string): Promise<readonly SetUp[]> {
  const lines = (await readFile(path.join(folder, 'cases.jsonl'), 'utf8')).trim().split('\n');
  return lines.map((line) => JSON.parse(line) as SetUp);
}
