import type { EnvironmentReader } from './environment.ts';

/** The settings of the allow-list, persisted queries and the plan cache. */
export interface OperationConfig {
  /** Whether roles other than admin may run only the operations of the allow-list; default false. */
  readonly allowList: boolean;
  /** Maximum bytes of all persisted queries; default 4 MiB. 0 disables persisted queries. */
  readonly persistedQueryBytes: number;
  /** Maximum bytes of cached documents and their plans, for all roles together; default 64 MiB. */
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
