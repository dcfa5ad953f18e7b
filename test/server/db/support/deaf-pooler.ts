import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer } from 'node:net';

/** A proxy between clients and Postgres that drops notices, as some connection poolers do. */
export interface DeafPooler {
  /** The URL of the Postgres server through the proxy. */
  readonly url: string;
  close(): void;
}

export async function startDeafPooler(serverUrl: string): Promise<DeafPooler> {
  const url = new URL(serverUrl);
  const target = { host: url.hostname, port: Number(url.port) };
  const server = createServer((client) => {
    const upstream = createConnection(target);
    client.pipe(upstream);
    let rest: Buffer = Buffer.alloc(0);
    upstream.on('data', (chunk) => {
      rest = Buffer.concat([rest, chunk]);
      // A Postgres message starts with a type byte and a length. The length counts itself but not
      // the type byte.
      while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
        const message = rest.subarray(0, 1 + rest.readUInt32BE(1));
        rest = rest.subarray(message.length);
        if (message[0] !== NOTIFICATION) client.write(message);
      }
    });
    upstream.on('close', () => client.destroy());
    client.on('close', () => upstream.destroy());
    for (const socket of [client, upstream]) socket.on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: url.href, close: () => void server.close() };
}

const NOTIFICATION = 'A'.charCodeAt(0);
