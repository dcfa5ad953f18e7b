import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PipelinedClient } from '../../../../server/db/requests/pipelined-client.ts';
import { byteRow, decodeBytes } from '../../../../server/db/requests/wire/message-reader.ts';
import { createDatabase, type TestDatabase } from '../../../support/database.ts';

/** Encryption without certificates. */
const anonymous = { ciphers: 'AECDH-AES256-SHA:@SECLEVEL=0', maxVersion: 'TLSv1.2' } as const;
const SSL_REQUEST_BYTES = 8;

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

/** Starts a proxy that accepts encrypted connections for Postgres. Returns its URL. */
async function startEncryption() {
  const url = new URL(database.ownerUrl);
  const postgres = { host: url.hostname, port: Number(url.port) };
  const secureContext = createSecureContext(anonymous);
  const sockets: Socket[] = [];
  const server = createServer(async (incoming) => {
    sockets.push(incoming);
    await once(incoming, 'readable');
    incoming.read(SSL_REQUEST_BYTES);
    incoming.write('S');
    const upstream = connect(postgres);
    sockets.push(upstream);
    const decrypted = new TLSSocket(incoming, { secureContext, isServer: true });
    decrypted.pipe(upstream).pipe(decrypted);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stop = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { url: url.href, stop };
}

test('flights and queries of pg run on an encrypted connection to Postgres', async () => {
  const { url: connectionString, stop } = await startEncryption();
  const ssl = { ...anonymous, rejectUnauthorized: false };
  const client = new PipelinedClient({ connectionString, ssl });
  let received = 0;
  client.onReceived = (bytes) => {
    received += bytes;
  };
  await client.connect();
  expect(client.connection.stream).toBeInstanceOf(TLSSocket);
  for (const times of [1, 100_000, 2]) {
    const text = `select repeat('ä😀', ${times})::text`;
    const { firstRows } = await client.fly([{ text, values: [], name: undefined }], {
      readRow: byteRow,
    });
    expect(firstRows[0]?.map((value) => value && decodeBytes(value))).toEqual([
      'ä😀'.repeat(times),
    ]);
  }
  expect(received).toBeGreaterThan(600_000);
  const { rows } = await client.query("select 'one' as value");
  expect(rows).toEqual([{ value: 'one' }]);
  await client.end();
  stop();
});
