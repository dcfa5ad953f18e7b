import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { formText, part } from './support/form-text.ts';
import { type FilesWorld, makeFilesWorld } from './support/world.ts';

/** The server's time limits are so long that no request of a test reaches them. */
const patience = { timeout: 20_000 };
const form = formText(part('files', 'hello', 'a.txt'));

let world: FilesWorld;
/**
 * The files of completed uploads. They are listed only once, because an aborted upload of the
 * previous test may still be ending.
 */
let whole: readonly string[];
beforeAll(async () => {
  world = await makeFilesWorld();
  whole = await world.storedNames();
});
afterAll(() => world.end());

/**
 * Starts an upload and closes the connection at a moment when the server may not have read all of
 * it.
 */
async function sendAndGo(headers: Readonly<Record<string, string>>, body: string): Promise<void> {
  const { hostname, port } = new URL(world.server.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  await once(socket, 'connect');
  const all = { ...world.admin, 'Content-Type': 'multipart/form-data; boundary=x', ...headers };
  const lines = Object.entries({ Host: hostname, ...all }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  socket.end(`POST /documents/upload HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
  socket.destroySoon();
  await once(socket, 'close');
}

test.each([
  ['sending nothing of the form', { 'Content-Length': '100' }, ''],
  ['sending half of the form', { 'Content-Length': String(form.length) }, form.slice(0, 60)],
  [
    'sending all of the form but its end',
    { 'Content-Length': String(form.length) },
    `${form.slice(0, -7)}\r\n--y--`,
  ],
  ['sending invalid chunks', { 'Transfer-Encoding': 'chunked' }, 'zz\r\n'],
])(
  'the server removes every trace of an upload whose sender disconnects after %s',
  async (_title, headers, body) => {
    for (let count = 0; count < 10; count += 1) await sendAndGo(headers, body);
    // When the server answers this upload, the aborted uploads have begun. Otherwise the storage could look empty too
    // early.
    const { body: answer } = await world.send(form);
    whole = [...whole, new URL(answer.files[0].url).pathname.split('/').at(-1) ?? ''].toSorted();
    await vi.waitFor(
      async () => expect((await world.storedNames()).toSorted()).toEqual(whole),
      patience,
    );
  },
);
