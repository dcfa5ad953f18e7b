import { Socket } from 'node:net';
import pg from 'pg';

/** Where a connection leads, and what Postgres knows it by. */
export interface CancelTarget {
  readonly host: string;
  readonly port: number;
  readonly ssl: pg.ClientConfig['ssl'];
  readonly sslNegotiation?: string | undefined;
  readonly processID: number;
  readonly secretKey: number;
}

/** What pg's connections can do besides what their types say. */
interface Link extends pg.Connection {
  connect(port: number | string, host?: string): void;
  requestSsl(): void;
  cancel(processID: number, secretKey: number): void;
}

const TIMEOUT_MS = 2000;

/**
 * Has Postgres stop what a connection runs, if it runs anything. Once this resolves the request was passed on, and
 * nothing that the connection is asked from then on can be hit by it: Postgres hangs up only after it has sent the
 * signal, and a backend that is idle lets it pass
 * (https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-CANCELING-REQUESTS).
 * Rejects where nobody says so.
 */
export function requestCancel(target: CancelTarget): Promise<void> {
  const { host, port, ssl, sslNegotiation, processID, secretKey } = target;
  const stream = new Socket();
  const config = { stream: () => stream, ssl, sslNegotiation };
  const link = new pg.Connection(config as pg.ConnectionConfig) as Link;
  return new Promise((resolve, reject) => {
    link.on('error', reject).once('end', resolve);
    stream.setTimeout(TIMEOUT_MS, () =>
      stream.destroy(new Error('a cancel request takes too long')),
    );
    const cancel = () => link.cancel(processID, secretKey);
    if (!ssl) link.once('connect', cancel);
    else if (sslNegotiation !== 'direct') link.once('connect', () => link.requestSsl());
    link.once('sslconnect', cancel);
    if (host.startsWith('/')) link.connect(`${host}/.s.PGSQL.${port}`);
    else link.connect(port, host);
  });
}
