import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net';

/**
 * Delay of answers, much longer than the time between two writes of the client, so that each answer ends a round trip.
 */
const LATENCY_MS = 20;

/** A proxy between the gateway and Postgres. It counts round trips, and can drop answers. */
export interface FlightProxy {
  /** The URL by which the gateway reaches Postgres through the proxy. */
  readonly url: string;
  /** Returns the number of round trips: how often the client sent data after an answer of the server. */
  flights(): number;
  /** Drops all answers until the returned function closes the connections. */
  loseAnswers(): () => void;
  close(): void;
}

export async function startFlightProxy(serverUrl: string): Promise<FlightProxy> {
  const url = new URL(serverUrl);
  const target = { host: url.hostname, port: Number(url.port) };
  let flights = 0;
  let isLosing = false;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = createConnection(target);
    let waiting = false;
    client.on('data', (chunk) => {
      if (!waiting) flights += 1;
      waiting = true;
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      if (isLosing) return;
      setTimeout(() => {
        waiting = false;
        client.write(chunk);
      }, LATENCY_MS);
    });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    flights: () => flights,
    loseAnswers: () => {
      isLosing = true;
      return () => {
        isLosing = false;
        cut();
      };
    },
    close: () => {
      cut();
      server.close();
    },
  };
}
