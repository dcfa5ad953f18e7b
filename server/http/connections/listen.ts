import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorCode, errorMessage, ProcessError } from '../../errors.ts';
import { cutSlowReaders } from './slow-readers.ts';

const drainCheckMs = 50;

/** Closes a connection within 25 seconds when no complete request head arrives on it. */
const timeouts = { headersTimeout: 20_000, connectionsCheckingInterval: 5_000 };

/** Handles requests with an `Upgrade` header. */
export interface Upgrades {
  /** Returns false for a request whose `Upgrade` header is ignored. Such a request is answered over HTTP. */
  isMeant(request: IncomingMessage): boolean;
  handle(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

const noUpgrades: Upgrades = {
  isMeant: () => false,
  handle: (_request, socket) => socket.destroy(),
};

/**
 * Listens for HTTP.
 * @throws ProcessError RG_LISTEN when the server cannot listen on the address
 */
export async function listen(
  app: RequestListener,
  host: string,
  port: number,
  upgrades: Upgrades = noUpgrades,
): Promise<Server> {
  const server = createServer({ ...timeouts, shouldUpgradeCallback: upgrades.isMeant }, app);
  server.on('upgrade', upgrades.handle);
  cutSlowReaders(server);
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(listenFailure(error, host, port)));
    server.listen(port, host, () => {
      server.removeAllListeners('error');
      resolve(server);
    });
  });
}

/** Returns the port that the server listens on; 0 when the server does not listen. */
export function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

/**
 * Accepts no new connections and waits until all running requests are answered. After `timeoutMs` milliseconds it closes
 * the remaining connections. Resolves to true when all requests were answered.
 */
export async function drain(server: Server, timeoutMs: number): Promise<boolean> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A keep-alive connection with a running request becomes idle later, so closing idle connections is repeated.
  const sweep = setInterval(() => server.closeIdleConnections(), drainCheckMs);
  let complete = true;
  const deadline = setTimeout(() => {
    complete = false;
    server.closeAllConnections();
  }, timeoutMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(deadline);
  return complete;
}

function listenFailure(error: unknown, host: string, port: number): ProcessError {
  const reason =
    errorCode(error) === 'EADDRINUSE' ? 'another program listens there' : errorMessage(error);
  return new ProcessError('RG_LISTEN', `cannot listen on ${host}:${port}: ${reason}`, {
    hint: 'stop the other program, or set PORT (and HOST) to something else',
    cause: error,
  });
}
