import type { EnvironmentReader } from './environment.ts';

/** The limits of one WebSocket. */
export interface SocketLimits {
  /** Maximum concurrent operations; default 4, at most half of the database connections. Further operations wait. */
  readonly operations: number;
  /** The time for a client to send its `connection_init` message, in milliseconds; default 10 s. */
  readonly initTimeoutMs: number;
  /** Milliseconds between two pings; default 25 s. */
  readonly keepAliveMs: number;
}

/** The limits of all WebSockets of the data API. */
export interface SocketConfig extends SocketLimits {
  /** Maximum open sockets of this process; default 1000. 0 disables WebSockets. */
  readonly max: number;
  /** Maximum open sockets of one address (for IPv6, of one /64 network); default 100. */
  readonly maxPerAddress: number;
  /**
   * Maximum unsent bytes of all sockets; default 256 MiB. Above this maximum, the socket with the most unsent bytes is
   * closed.
   */
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
 * Reads and validates the limits of sockets. Problems are collected in `read`, so that all are reported together.
 * @param poolSize number of database connections for requests, of which one socket must not use all
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
