import { Socket } from 'node:net';
import type pg from 'pg';
import { makeCancelLink } from './pg-internals.ts';

/** The address of a connection, and its key for cancel requests. */
export interface CancelTarget {
  readonly host: string;
  readonly port: number;
  readonly ssl: pg.ClientConfig['ssl'];
  readonly sslNegotiation?: string | undefined;
  readonly processID: number;
  readonly secretKey: number;
}

const TIMEOUT_MS = 2000;

/**
 * Sends Postgres a request to cancel the running statement of a connection. After the promise resolves, the request
 * cannot affect later statements: Postgres closes the cancel connection only after it has sent the signal, and an idle
 * backend ignores the signal
 * (https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-CANCELING-REQUESTS). Rejects when Postgres
 * does not confirm the request.
 */
export function requestCancel(target: CancelTarget): Promise<void> {
  const { host, port, ssl, sslNegotiation, processID, secretKey } = target;
  const stream = new Socket();
  const link = makeCancelLink({ stream: () => stream, ssl, sslNegotiation });
  return new Promise((resolve, reject) => {
    link.on('error', reject).once('end', resolve);
    stream.setTimeout(TIMEOUT_MS, () => stream.destroy(new Error('a cancel request timed out')));
    const cancel = () => link.cancel(processID, secretKey);
    if (!ssl) link.once('connect', cancel);
    else if (sslNegotiation !== 'direct') link.once('connect', () => link.requestSsl());
    link.once('sslconnect', cancel);
    if (host.startsWith('/')) link.connect(`${host}/.s.PGSQL.${port}`);
    else link.connect(port, host);
  });
}
