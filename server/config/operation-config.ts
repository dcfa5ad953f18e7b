import type { EnvironmentReader } from './environment.ts';

/** Which operations are run, and which are remembered. */
export interface OperationConfig {
  /** Whether roles other than admin may run listed operations alone; default false. */
  readonly allowList: boolean;
  /** Bytes of the documents that clients may register; 0 for none at all; default 4 MiB. */
  readonly persistedQueryBytes: number;
  /** Bytes of memory for documents and what is made of them, for all roles together; default 64 MiB. */
  readonly planBytes: number;
}

const mebibyte = 1024 * 1024;

export function readOperationConfig(read: EnvironmentReader): OperationConfig {
  return {
    allowList: read.flag('ROWGATE_ALLOW_LIST') ?? false,
    persistedQueryBytes:
      read.integer('ROWGATE_PERSISTED_QUERY_BYTES', 0, 1024 * mebibyte) ?? 4 * mebibyte,
    planBytes: read.integer('ROWGATE_PLAN_BYTES', mebibyte, 16 * 1024 * mebibyte) ?? 64 * mebibyte,
  };
}
