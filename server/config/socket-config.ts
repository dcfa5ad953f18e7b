import type { EnvironmentReader } from './environment.ts';

/** The limits of one socket. */
export interface SocketLimits {
  /** Operations that run at a time; others wait; default 4, and no more than half of the connections. */
  readonly operations: number;
  /** Milliseconds for a client to introduce itself; default 10 s. */
  readonly initTimeoutMs: number;
  /** Milliseconds between two checks that the client is there; default 25 s. */
  readonly keepAliveMs: number;
}

/** The limits of all sockets of the data API. */
export interface SocketConfig extends SocketLimits {
  /** Open sockets of this process, 0 for none at all; default 1000. */
  readonly max: number;
  /** Open sockets from one address, IPv6: from one network (/64); default 100. */
  readonly maxPerAddress: number;
  /** Bytes that wait for clients of this process, before the socket that holds most is cut off; default 256 MiB. */
  readonly backlogBytes: number;
}

const mebibyte = 1024 * 1024;

const defaults = {
  max: 1000,
  maxPerAddress: 100,
  operations: 4,
  initTimeoutSeconds: 10,
  keepAliveSeconds: 25,
  backlogBytes: 256 * mebibyte,
} as const;

/**
 * Reads and checks the limits of sockets; problems are collected by the reader.
 * @param poolSize connections for requests, which no single socket should need all of
 */
export function readSocketConfig(read: EnvironmentReader, poolSize: number): SocketConfig {
  const share = Math.max(1, Math.min(defaults.operations, Math.floor(poolSize / 2)));
  const initTimeout = read.integer('ROWGATE_SOCKET_INIT_TIMEOUT', 1, 3600);
  const keepAlive = read.integer('ROWGATE_SOCKET_KEEP_ALIVE', 1, 3600);
  return {
    max: read.integer('ROWGATE_MAX_SOCKETS', 0, 1_000_000) ?? defaults.max,
    maxPerAddress:
      read.integer('ROWGATE_MAX_SOCKETS_PER_ADDRESS', 1, 1_000_000) ?? defaults.maxPerAddress,
    operations: read.integer('ROWGATE_SOCKET_OPERATIONS', 1, 1000) ?? share,
    backlogBytes:
      read.integer('ROWGATE_SOCKET_BACKLOG_BYTES', mebibyte, 65_536 * mebibyte) ??
      defaults.backlogBytes,
    initTimeoutMs: (initTimeout ?? defaults.initTimeoutSeconds) * 1000,
    keepAliveMs: (keepAlive ?? defaults.keepAliveSeconds) * 1000,
  };
}
