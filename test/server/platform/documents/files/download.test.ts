import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formText, part } from './support/form-text.ts';
import { type FilesWorld, formOf, makeFilesWorld, ownerId } from './support/world.ts';

type Headers = Readonly<Record<string, string>>;

let world: FilesWorld;
let owner: Headers;
let target: string;
const content = 'The quick brown fox jumps over the lazy dog';

beforeAll(async () => {
  world = await makeFilesWorld();
  owner = await world.as(ownerId);
  target = await uploaded({ 'fox.txt': content });
});
afterAll(() => world.end());

/** Uploads one file that belongs to the owner. Returns the path of its URL. */
async function uploaded(files: Parameters<typeof formOf>[0]): Promise<string> {
  const { body } = await world.upload(formOf(files, { ownerUserId: ownerId }));
  return new URL(body.files[0].url).pathname;
}

const get = (headers: Headers, from = target, method = 'GET') =>
  world.server.fetch(from, { method, headers });
const storedFile = (from: string) =>
  path.join(world.server.config.dataDir, 'files', path.basename(from));
const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code;

describe('a download of an uploaded file', () => {
  test('returns the unchanged contents to the owner', async () => {
    const response = await get(owner);
    expect([response.status, await response.text()]).toEqual([200, content]);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-length': String(content.length),
      'content-disposition': 'inline; filename=fox.txt',
      'content-security-policy': expect.stringMatching(/default-src 'none'.*sandbox/),
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-cache',
      'accept-ranges': 'bytes',
      etag: expect.stringMatching(/^"[0-9a-f]{64}"$/),
      'last-modified': expect.stringMatching(/GMT$/),
      vary: expect.stringContaining('Cookie, Authorization'),
    });
  });

  test('is allowed for an admin, and for the owner with a session cookie', async () => {
    const exchange = await world.server.fetch('/auth/token-exchange', {
      method: 'POST',
      headers: owner,
    });
    const Cookie = exchange.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const statuses = await Promise.all(
      [world.admin, { Cookie }].map(async (who) => (await get(who)).status),
    );
    expect(statuses).toEqual([200, 200]);
  });

  test('returns an empty file', async () => {
    const response = await get(owner, await uploaded({ 'empty.txt': '' }));
    expect([response.status, await response.text()]).toEqual([200, '']);
  });

  test('by HEAD returns the headers without the contents', async () => {
    const response = await get(owner, target, 'HEAD');
    expect([
      response.status,
      response.headers.get('content-length'),
      await response.text(),
    ]).toEqual([200, String(content.length), '']);
  });
});

describe('a download of an uploaded file is refused for', () => {
  test('people other than the owner, of any organization and with any role', async () => {
    const people = ['local|alder-member', 'local|birch-investor', 'local|birch-admin'];
    const answers = await Promise.all(people.map(async (id) => get(await world.as(id))));
    expect(await Promise.all(answers.map(codeOf))).toEqual(['not-owner', 'not-owner', 'not-owner']);
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
  });

  test('requests without a sign-in, and requests with an API key', async () => {
    const answers = await Promise.all([{}, world.key].map((who) => get(who)));
    expect(answers.map(({ status }) => status)).toEqual([401, 401]);
  });

  test('an owner who is disabled', async () => {
    await world.sql(`update public."user" set status = 'disabled' where id = '${ownerId}'`);
    const response = await get(owner);
    await world.sql(`update public."user" set status = 'active' where id = '${ownerId}'`);
    expect(response.status).toBe(401);
  });

  const random = 'a'.repeat(48);
  test.each([
    ['a name that no file has', random],
    ['a short name', 'a.txt'],
    ['a parent folder, encoded', '..%2f..%2fadmin-secret'],
    ['a parent folder, with backslashes, encoded', '..%5c..%5cadmin-secret'],
    ['a name with a folder, encoded', `files%2f${random}`],
    ['a null byte', `${random}%00.txt`],
    ['a null byte at the end', `${random}%00`],
    ['dots, encoded', '%2e%2e'],
    ['a name that is encoded twice', `%252e%252e%252f${random}`],
    ['the mark of the storage', 'belongs-to.txt'],
    ['two extensions', `${random}.tar.gz`],
    ['a line break', `${random}%0a`],
  ])('the unknown address %s, with 404', async (_title, name) => {
    const response = await get(world.admin, `/static/file-uploads/${name}`);
    expect([response.status, await codeOf(response)]).toEqual([404, 'not-found']);
  });

  test.each([
    '/static/file-uploads/../../admin-secret',
    '/static/file-uploads/..//../x',
    '/static/file-uploads//etc/passwd',
  ])('the unencoded path %s', async (raw) => {
    const { hostname, port } = new URL(world.server.url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.write(
      `GET ${raw} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: ${world.admin.Authorization}\r\n\r\n`,
    );
    expect(await text(socket)).toMatch(/^HTTP\/1.1 404 /);
  });

  test('a recorded file whose contents are missing, with 404 and a line in the log', async () => {
    const gone = await uploaded({ 'gone.txt': 'gone' });
    await rm(storedFile(gone));
    const response = await get(owner, gone);
    expect([response.status, await codeOf(response), response.headers.get('etag')]).toEqual([
      404,
      'not-found',
      null,
    ]);
    expect(await world.log.lineWith('missing from the storage')).toMatchObject({
      level: 'error',
      name: path.basename(gone),
    });
  });
});

describe('a download of a part of a file, by the header Range,', () => {
  test.each([
    ['bytes=4-8', 206, 'bytes 4-8/43', 'quick'],
    ['bytes=40-', 206, 'bytes 40-42/43', 'dog'],
    ['bytes=-3', 206, 'bytes 40-42/43', 'dog'],
    ['bytes=-1000', 206, 'bytes 0-42/43', content],
    ['BYTES=0-0', 206, 'bytes 0-0/43', 'T'],
    ['bytes=0-0', 206, 'bytes 0-0/43', 'T'],
    ['bytes=40-1000', 206, 'bytes 40-42/43', 'dog'],
    ['bytes=0-1,4-5', 200, null, content],
    ['bytes=5-4', 200, null, content],
    ['bytes=x', 200, null, content],
    ['lines=1-2', 200, null, content],
  ])('returns that part: %s', async (Range, status, which, part) => {
    const response = await get({ ...owner, Range });
    expect([response.status, response.headers.get('content-range'), await response.text()]).toEqual(
      [status, which, part],
    );
  });

  test('ignores the range for HEAD', async () => {
    const response = await get({ ...owner, Range: 'bytes=0-0' }, target, 'HEAD');
    expect([response.status, response.headers.get('content-length')]).toEqual([200, '43']);
  });

  test.each(['bytes=43-', 'bytes=-0', `bytes=${'9'.repeat(400)}-`])(
    'outside the file is refused with 416 and the size of the file: %s',
    async (Range) => {
      const response = await get({ ...owner, Range });
      expect([
        response.status,
        response.headers.get('content-range'),
        await codeOf(response),
      ]).toEqual([416, 'bytes */43', 'range-not-satisfiable']);
    },
  );

  test('returns the part only when If-Range names the current version, and otherwise the whole file', async () => {
    const ETag = (await get(owner)).headers.get('etag') ?? '';
    const answers = await Promise.all(
      [ETag, '"another"'].map((version) =>
        get({ ...owner, Range: 'bytes=0-2', 'If-Range': version }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([206, 200]);
  });

  test('is refused for a file of another person', async () => {
    const otherPerson = await world.as('local|alder-member');
    expect((await get({ ...otherPerson, Range: 'bytes=0-1' })).status).toBe(403);
  });
});

describe('a repeated download of a file', () => {
  /** Sends a request without the header against caching that Node's fetch would add and that would prevent a 304. */
  async function statusWith(headers: Headers): Promise<number | undefined> {
    const request = httpGet(`${world.server.url}${target}`, { headers: { ...owner, ...headers } });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode;
  }

  test('is answered 304 when its ETag or its date is current', async () => {
    const { headers } = await get(owner);
    const statuses = await Promise.all([
      statusWith({ 'If-None-Match': headers.get('etag') ?? '' }),
      statusWith({ 'If-None-Match': '"another"' }),
      statusWith({ 'If-Modified-Since': headers.get('last-modified') ?? '' }),
    ]);
    expect(statuses).toEqual([304, 200, 304]);
  });

  test('is refused for another person, also when the ETag is current', async () => {
    const { headers } = await get(owner);
    const otherPerson = await world.as('local|alder-member');
    expect((await get({ ...otherPerson, 'If-None-Match': headers.get('etag') ?? '' })).status).toBe(
      403,
    );
  });
});

describe('a download of a file whose length in the storage differs from the recorded one', () => {
  test.each(['short', 'longer than it was'])(
    'closes the connection, so that the client cannot take it for complete: %s',
    async (changed) => {
      const broken = await uploaded({ 'broken.txt': 'eight ch' });
      await writeFile(storedFile(broken), changed);
      const { hostname, port } = new URL(world.server.url);
      const socket = connect(Number(port), hostname);
      const requestFor = (target: string) =>
        `GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: ${owner.Authorization}\r\n\r\n`;
      socket.write(requestFor(broken) + requestFor('/healthz'));
      const chunks: string[] = [];
      socket.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk));
      socket.on('error', () => {});
      await once(socket, 'close');
      expect(chunks.join('')).not.toMatch(/longer|serving/);
    },
  );
});

describe('the headers of a download let a browser display', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  test.each([
    ['a PDF', 'application/pdf', '%PDF-1.7\n', 'inline', 'application/pdf'],
    [
      'an image whose bytes are also a script',
      'text/html',
      'GIF89a=1;alert(1)',
      'inline',
      'image/gif',
    ],
    ['text', 'text/plain', 'hello', 'inline', 'text/plain; charset=utf-8'],
    [
      'not an SVG image with a script, which it must save instead',
      'image/svg+xml',
      svg,
      'attachment',
      'image/svg+xml',
    ],
    [
      'not an SVG image that begins as XML, which it must save instead',
      'image/svg+xml',
      `<?xml version="1.0"?>${svg}`,
      'attachment',
      'application/xml',
    ],
    [
      'not an HTML page, which it must save instead',
      'text/html',
      '<script>alert(1)</script>',
      'attachment',
      'text/html',
    ],
    ['not a CSV table, which it must save instead', 'text/csv', 'a,b', 'attachment', 'text/csv'],
    [
      'not a file of unknown type, which it must save instead',
      'image/png',
      '\u0001\u0002',
      'attachment',
      'application/octet-stream',
    ],
  ])('%s', async (_title, declared, bytes, disposition, type) => {
    const response = await get(owner, await uploadedAs(declared, bytes));
    expect([
      response.headers.get('content-disposition'),
      response.headers.get('content-type'),
    ]).toEqual([`${disposition}; filename=a.bin`, type]);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox$/);
  });

  async function uploadedAs(declared: string, bytes: string): Promise<string> {
    const { body } = await world.send(
      formText(part('files', bytes, 'a.bin', declared), part('ownerUserId', ownerId)),
    );
    return new URL(body.files[0].url).pathname;
  }

  test('the file under its original name, which cannot break the header', async () => {
    const form = formText(
      part('files', 'x', '../Übersicht\u202E \\"1\\".html'),
      part('ownerUserId', ownerId),
    );
    const { body } = await world.send(form);
    expect(body.files[0].name).toBe('Übersicht "1".html');
    const response = await get(owner, new URL(body.files[0].url).pathname);
    expect(response.headers.get('content-disposition')).toBe(
      `inline; filename="?bersicht \\"1\\".html"; filename*=UTF-8''%C3%9Cbersicht%20%221%22.html`,
    );
  });
});
