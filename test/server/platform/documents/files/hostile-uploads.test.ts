import { once } from 'node:events';
import { rename, rm, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  inject,
  test,
  vi,
} from 'vitest';
import { query } from '../../../../support/query.ts';
import { formText, openFormText, part } from './support/form-text.ts';
import { type FilesWorld, formOf, makeFilesWorld } from './support/world.ts';

const mebibyte = 1024 * 1024;
const most = 80 * mebibyte;
/** The server's time limits are so long that no request of a test reaches them. */
const patience = { timeout: 20_000 };

let world: FilesWorld;
let before: { readonly stored: readonly string[]; readonly recorded: number };
const state = async () => ({ stored: await world.storedNames(), recorded: await world.recorded() });

beforeAll(async () => {
  world = await makeFilesWorld();
});
afterAll(() => world.end());
beforeEach(async () => {
  before = await state();
});

/** Generates a form with one file of this size. Its length is not declared in advance. */
function* largeForm(bytes: number, ...more: readonly string[]) {
  yield Buffer.from(`${openFormText(...more, part('files', '', 'large.bin'))}`);
  const chunk = Buffer.alloc(mebibyte);
  for (let left = bytes; left > 0; left -= mebibyte) yield chunk.subarray(0, left);
  yield Buffer.from('\r\n--x--\r\n');
}
const streamed = (chunks: Iterable<Buffer>) =>
  ReadableStream.from(chunks) as ReadableStream<Uint8Array>;

describe('an upload at the limits', () => {
  test('stores 50 files', async () => {
    const files = Array.from({ length: 50 }, (_, n) => part('files', String(n), `${n}.txt`));
    const { status, body } = await world.send(formText(...files));
    expect([status, body.files.length]).toEqual([201, 50]);
  });

  test('stores 80 MiB', async () => {
    const { status, body } = await world.send(
      streamed(largeForm(most - 5, part('files', 'small', 'a.txt'))),
    );
    expect([status, body.files[1].size]).toEqual([201, most - 5]);
  });
});

describe('an upload stores nothing', () => {
  afterEach(async () => {
    await vi.waitFor(async () => expect(await state()).toEqual(before), patience);
  });

  test('when it has 51 files', async () => {
    const files = Array.from({ length: 51 }, (_, n) => part('files', String(n), `${n}.txt`));
    expect(await world.send(formText(...files))).toMatchObject({
      status: 413,
      body: { code: 'too-many-files', detail: 'there are more than 50 files' },
    });
  });

  test('when it has 80 MiB and one byte in two files', async () => {
    const form = streamed(largeForm(most - 4, part('files', 'small', 'a.txt')));
    expect(await world.send(form)).toMatchObject({
      status: 413,
      body: { code: 'files-too-large', detail: `the files are larger than ${most} bytes together` },
    });
  });

  test('when its body is much too large, and its sender still receives the answer', async () => {
    const { status } = await world.send(streamed(largeForm(most + 30 * mebibyte)));
    expect(status).toBe(413);
  });

  test('when more bytes than allowed come before the first part of the form', async () => {
    function* padded() {
      for (let sent = 0; sent <= most; sent += mebibyte) yield Buffer.alloc(mebibyte, 'x');
      yield Buffer.from(`\r\n${formText(part('files', 'small', 'a.txt'))}`);
    }
    expect((await world.send(streamed(padded()))).status).toBe(413);
  });

  test('when its form is refused, and the connection can be used again', async () => {
    const files = Array.from({ length: 51 }, (_, n) => part('files', String(n), `${n}.txt`));
    const form = formText(...files, part('files', 'x'.repeat(mebibyte), 'large.txt'));
    const socket = await sendRaw({ 'Content-Length': String(form.length) }, form);
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1.1 413 .*HTTP\/1.1 200 .*"serving"/s);
  });

  test('when its declared length is too large; the body is then not read', async () => {
    const socket = await sendRaw({ 'Content-Length': String(200 * mebibyte) }, '');
    const [answer] = await once(socket, 'data');
    socket.destroy();
    expect(String(answer)).toMatch(/^HTTP\/1.1 413 .*"code":"files-too-large"/s);
  });

  const bodies: readonly (readonly [
    title: string,
    status: number,
    body: string,
    headers?: Readonly<Record<string, string>>,
  ])[] = [
    ['no form at all', 400, ''],
    ['text that is not a form', 400, 'hello'],
    ['a form that ends in the middle of a file', 400, openFormText(part('files', 'a', 'a.txt'))],
    ['a form that ends in the middle of a header', 400, '--x\r\nContent-Disposition: form-da'],
    ['a form without files', 400, formText(part('purpose', 'general'))],
    ['a form without parts', 400, '--x--\r\n'],
    [
      'a file in a field of another name',
      400,
      formText(part('files', 'a', 'a.txt'), part('others', 'b', 'b.txt')),
    ],
    ['a file without a name', 400, formText(part('files', 'a'))],
    [
      'the same field twice',
      400,
      formText(part('purpose', 'general'), part('purpose', 'general'), part('files', 'a', 'a.txt')),
    ],
    [
      'a thousand fields',
      400,
      formText(
        part('files', 'a', 'a.txt'),
        ...Array.from({ length: 1000 }, (_, n) => part(`f${n}`, '')),
      ),
    ],
    [
      'a thousand parts without a field name',
      400,
      formText(part('files', 'a', 'a.txt'), ...Array<string>(1000).fill('X-Nothing: 1\r\n\r\n')),
    ],
    [
      'a part with a header of a megabyte',
      400,
      formText(`X-Long: ${'a'.repeat(mebibyte)}\r\n${part('files', 'a', 'a.txt')}`),
    ],
    ['forms nested a hundred deep', 400, formText(nested(100))],
    [
      'a form without a boundary',
      400,
      formText(part('files', 'a', 'a.txt')),
      { 'Content-Type': 'multipart/form-data' },
    ],
    [
      'a form with another boundary',
      400,
      formText(part('files', 'a', 'a.txt')),
      { 'Content-Type': 'multipart/form-data; boundary=y' },
    ],
    ['JSON instead of a form', 415, '{}', { 'Content-Type': 'application/json' }],
    [
      'another kind of multipart',
      415,
      formText(part('files', 'a', 'a.txt')),
      { 'Content-Type': 'multipart/mixed; boundary=x' },
    ],
    ['a compressed form', 415, 'x', { 'Content-Encoding': 'gzip' }],
  ];
  const hostile = bodies.map(
    ([title, status, body, headers = {}]) => [title, { status, body, headers }] as const,
  );
  test.each(hostile)('when it contains %s', async (_title, { status, body, headers }) => {
    const code = status === 400 ? 'bad-request' : 'unsupported-media-type';
    expect(await world.send(body, headers)).toMatchObject({ status, body: { code } });
  });

  test('when its sender aborts it', async () => {
    const socket = await sendRaw(
      { 'Content-Length': '1000' },
      openFormText(part('files', 'half', 'a.txt')),
    );
    await uploadBegins();
    socket.destroy();
    expect(await world.log.lineWith('request aborted')).toMatchObject({
      path: '/documents/upload',
    });
  });

  test('when its body is shorter than the declared length', async () => {
    const socket = await sendRaw(
      { 'Content-Length': '1000' },
      formText(part('files', 'a', 'a.txt')).slice(0, -4),
    );
    await uploadBegins();
    socket.end();
    expect(await text(socket)).not.toContain('201');
  });

  test('while the database is down', async () => {
    const { name } = world.database;
    const gate = Promise.withResolvers<void>();
    const uploading = world.send(
      ReadableStream.from(
        (async function* () {
          yield Buffer.from(openFormText(part('files', 'half', 'a.txt')));
          await gate.promise;
          yield Buffer.from('\r\n--x--\r\n');
        })(),
      ) as ReadableStream<Uint8Array>,
    );
    await uploadBegins();
    await world.sql(
      `update pg_database set datallowconn = false where datname = '${name}'`,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and usename like '%sidecar_login'`,
    );
    gate.resolve();
    const { status, body } = await uploading;
    await query(
      inject('superuserUrl'),
      `update pg_database set datallowconn = true where datname = '${name}'`,
    );
    expect([status, body.code]).toEqual([503, 'unavailable']);
  });

  test('when the connection to the database breaks while the files are recorded', async () => {
    const superuser = await world.database.connectSuperuser();
    await superuser.query('begin; lock table public.uploaded_file');
    const uploading = world.upload(formOf({ 'a.txt': 'a' }));
    const waiting = `select pid from pg_stat_activity
      where query like '%store_files%' and wait_event_type = 'Lock' and pid <> pg_backend_pid()`;
    await vi.waitFor(async () => expect(await world.sql(waiting)).toHaveLength(1), patience);
    await world.sql(`select pg_terminate_backend(w.pid) from (${waiting}) w`);
    await superuser.query('rollback');
    expect(await uploading).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  });

  test.each([
    ['when the storage cannot take the files', 'files'],
    ['when the folder for incoming files cannot be written', 'uploads'],
  ])('%s', async (_title, name) => {
    const folder = path.join(world.server.config.dataDir, name);
    await rename(folder, `${folder}.away`);
    await writeFile(folder, '');
    const { status, body } = await world.upload(formOf({ 'a.txt': 'a', 'b.txt': 'b' }));
    await rm(folder);
    await rename(`${folder}.away`, folder);
    expect([status, body.code]).toEqual([503, 'unavailable']);
  });
});

/** Makes a form in which forms are nested to this depth, without a file. */
function nested(depth: number): string {
  let inner = part('files', 'a', 'a.txt');
  for (let n = 0; n < depth; n++) {
    const form = `--${n}\r\n${inner}\r\n--${n}--`;
    inner = part('files', form, undefined, `multipart/mixed; boundary=${n}`);
  }
  return inner;
}

/** Sends the headers of an upload and a part of its body. Returns the open connection. */
async function sendRaw(headers: Readonly<Record<string, string>>, body: string): Promise<Socket> {
  const { hostname, port } = new URL(world.server.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const all = {
    Host: hostname,
    ...world.admin,
    'Content-Type': 'multipart/form-data; boundary=x',
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST /documents/upload HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
  return socket;
}

/** Resolves when the server is writing a part of a file to the disk. */
async function uploadBegins(): Promise<void> {
  await vi.waitFor(
    async () => expect((await world.storedNames()).length).toBeGreaterThan(before.stored.length),
    patience,
  );
}
