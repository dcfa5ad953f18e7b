import type { RequestPool } from '../../db/requests/request-pool.ts';

/** Runs the statements of operations: a pool of connections, or one transaction whose rows and rules are tested. */
export type StatementRunner = Pick<RequestPool, 'read' | 'write' | 'transact'>;
