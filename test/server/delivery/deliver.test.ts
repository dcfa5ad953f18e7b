import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { deliver, isAccepted } from '../../../server/delivery/deliver.ts';
import { vacantPort } from '../../support/rowgate.ts';

const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
});

async function receiver(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
}

const post = (url: string, more: { body?: string; timeoutMs?: number } = {}) =>
  deliver({ url, headers: { 'x-one': '1' }, body: '{}', timeoutMs: 20_000, ...more });

test('a webhook delivery sends the body and the headers unchanged', async () => {
  const body = '{"amount": 0.10000000000000000001, "name": "Zoë"}';
  const arrived = Promise.withResolvers<[IncomingMessage, string]>();
  const url = await receiver(async (request, response) => {
    arrived.resolve([request, await text(request)]);
    response.end();
  });
  await post(url, { body });
  const [{ method, headers }, sent] = await arrived.promise;
  expect({ method, sent, type: headers['content-type'], one: headers['x-one'] }).toEqual({
    method: 'POST',
    sent: body,
    type: 'application/json',
    one: '1',
  });
});

test('an answer 200 accepts the webhook delivery, and the result contains an excerpt of the answer', async () => {
  const answer = await post(await receiver((_request, response) => response.end('thank you')));
  expect(answer).toMatchObject({ status: 200, excerpt: 'thank you', error: undefined });
  expect(isAccepted(answer)).toBe(true);
});

test('an answer 204 without a body accepts the webhook delivery', async () => {
  const answer = await post(await receiver((_request, response) => response.writeHead(204).end()));
  expect([answer.status, isAccepted(answer)]).toEqual([204, true]);
});

test('an answer 500 does not accept the webhook delivery, and the result contains an excerpt of the answer', async () => {
  const url = await receiver((_request, response) => response.writeHead(500).end('no room'));
  const answer = await post(url);
  expect([answer.status, answer.excerpt, isAccepted(answer)]).toEqual([500, 'no room', false]);
});

test('a webhook delivery does not follow a redirect', async () => {
  const asked: (string | undefined)[] = [];
  const url = await receiver((request, response) => {
    asked.push(request.url);
    response.writeHead(307, { location: '/other' }).end();
  });
  const answer = await post(url);
  expect([answer.status, isAccepted(answer), asked]).toEqual([307, false, ['/hook']]);
});

test('an endless answer accepts the webhook delivery, and the server stops reading at a limit', async () => {
  let sent = 0;
  const chunk = Buffer.alloc(64 * 1024, 'x');
  const url = await receiver((_request, response) => {
    const more = () => {
      while (!response.destroyed && sent < 2 ** 30 && response.write(chunk)) sent += chunk.length;
    };
    response.on('drain', more);
    more();
  });
  const answer = await post(url);
  expect([answer.status, answer.excerpt.length, isAccepted(answer)]).toEqual([200, 2048, true]);
  expect(sent).toBeLessThan(2 ** 26);
});

test('the excerpt of an answer drops a character that its end would cut, and replaces NUL', async () => {
  const answer = await post(
    await receiver((_request, response) => response.end(`\0${'x'.repeat(2046)}ë`)),
  );
  expect(answer.excerpt).toBe(`\uFFFD${'x'.repeat(2046)}`);
});

test('an answer that breaks off fails the webhook delivery, and the result contains the status', async () => {
  const url = await receiver((_request, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('half', () => response.destroy());
  });
  const answer = await post(url);
  expect(answer).toMatchObject({ status: 200, excerpt: 'half' });
  expect(answer.error).toMatch(/^the answer broke off: /);
  expect(isAccepted(answer)).toBe(false);
});

test('a receiver that closes the connection without an answer fails the webhook delivery', async () => {
  const answer = await post(await receiver((request) => request.socket.destroy()));
  expect(answer).toMatchObject({ status: undefined, error: expect.stringMatching(/broke/) });
});

test('a receiver that does not answer fails the webhook delivery after the timeout', async () => {
  const answer = await post(await receiver(() => {}), { timeoutMs: 30 });
  expect(answer).toMatchObject({ status: undefined, error: 'no whole answer within 0.03 s' });
});

test('an answer that is incomplete at the timeout fails the webhook delivery', async () => {
  const url = await receiver((_request, response) => response.write('drop'));
  const answer = await post(url, { timeoutMs: 100 });
  expect(answer).toMatchObject({ status: 200, error: 'no whole answer within 0.1 s' });
});

test('a port where nothing listens fails the webhook delivery with that reason', async () => {
  const answer = await post(`http://127.0.0.1:${await vacantPort()}/`);
  expect(answer.error).toMatch(/^nothing listens there: /);
});

test('a host name without an address fails the webhook delivery with that reason', async () => {
  const answer = await post('http://no-such-host.invalid/');
  expect(answer.error).toMatch(/^the host is not known: .*no-such-host\.invalid/);
});

test('an answer that is not HTTP fails the webhook delivery', async () => {
  const server = createTcpServer((socket) => socket.end('hello\r\n\r\n')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const answer = await post(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  server.close();
  expect(answer.error).toMatch(/Parse Error/);
});

test.each(['not a URL', 'ftp://127.0.0.1/'])('a webhook delivery fails: %s', async (url) => {
  const answer = await post(url);
  expect([answer.status, typeof answer.error]).toEqual([undefined, 'string']);
});

test('several deliveries to one receiver use one connection', async () => {
  const ports: (number | undefined)[] = [];
  const url = await receiver((request, response) => {
    ports.push(request.socket.remotePort);
    response.end('ok');
  });
  for (let turn = 0; turn < 3; turn += 1) await post(url);
  expect(new Set(ports).size).toBe(1);
});

test('a webhook delivery succeeds although the receiver closed the kept-alive connection before', async () => {
  let turn = 0;
  const url = await receiver((request, response) => {
    turn += 1;
    // Closes the kept-alive connection at the second request, as a receiver does after an idle timeout.
    if (turn === 2) request.socket.resetAndDestroy();
    else response.end('ok');
  });
  await post(url);
  const answer = await post(url);
  expect([isAccepted(answer), turn]).toEqual([true, 3]);
});

test('a webhook delivery sends a body of 5 MB completely', async () => {
  const body = JSON.stringify('é'.repeat(2_500_000));
  const arrived = Promise.withResolvers<number>();
  const url = await receiver(async (request, response) => {
    arrived.resolve((await text(request)).length);
    response.end();
  });
  await post(url, { body });
  expect(await arrived.promise).toBe(body.length);
});

test('the result contains the header Retry-After of an answer in milliseconds', async () => {
  const url = await receiver((_request, response) =>
    response.writeHead(503, { 'retry-after': '7' }).end(),
  );
  expect((await post(url)).retryAfterMs).toBe(7000);
});

test('an answer that switches protocols fails the webhook delivery', async () => {
  const server = createTcpServer((socket) => {
    socket.once('data', () =>
      socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const answer = await post(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  server.close();
  expect(answer).toMatchObject({
    status: undefined,
    error: 'the connection ended without an answer',
  });
});
