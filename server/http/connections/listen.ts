import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorCode, errorMessage, ProcessError } from '../../errors.ts';
import { cutSlowReaders } from './slow-readers.ts';

const drainCheckMs = 50;

/** Connections that bring no request, or its head too slowly, are closed within 25 seconds. */
const patience = { headersTimeout: 20_000, connectionsCheckingInterval: 5_000 };

/** What becomes of requests that ask for another protocol. */
export interface Upgrades {
  /** Those that are not meant are answered as if they asked for none. */
  isMeant(request: IncomingMessage): boolean;
  handle(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

const noUpgrades: Upgrades = {
  isMeant: () => false,
  handle: (_request, socket) => socket.destroy(),
};

/** Listens for HTTP. Throws RG_LISTEN where the address cannot be had. */
export async function listen(
  app: RequestListener,
  host: string,
  port: number,
  upgrades: Upgrades = noUpgrades,
): Promise<Server> {
  const server = createServer({ ...patience, shouldUpgradeCallback: upgrades.isMeant }, app);
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

/** The port that the server listens on. */
export function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

/**
 * Takes no more connections and waits until the requests that run are answered; after `timeoutMs` the
 * rest is cut off. Resolves to whether all were answered.
 */
export async function drain(server: Server, timeoutMs: number): Promise<boolean> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A kept-alive connection becomes idle only when its request ends.
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
