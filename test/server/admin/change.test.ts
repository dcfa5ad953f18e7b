import { createHash } from 'node:crypto';
import {
  chmod,
  mkdir,
  readdir,
  readFile,
  rename,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { removeMetadata, writeMetadata } from '../../permissions/support/metadata-files.ts';
import { query } from '../../support/query.ts';
import { type AdminServer, startAdminServer } from './support/admin-server.ts';

const itemFile = 'tables/item.yaml';
const tests = `principals:
  corner: { role: clerk, variables: { X-Gql-Shop-Id: '1' } }
fixtures:
  shop: { open: { id: 7, name: Open }, shut: { id: 8, name: Shut, closed: true } }
  item:
    seen: { shop_id: 1, price: 1 }
tests:
  - test: clerks see items of their shop
    table: item
    matrix: { corner: { seen: [select, update, delete] } }
`;

let server: AdminServer;
let original: string;
beforeAll(async () => {
  server = await startAdminServer();
  original = await onDisk();
  await mkdir(path.join(server.metadata, 'tests'));
  await writeFile(path.join(server.metadata, 'tests/item.yaml'), tests);
});
afterAll(async () => {
  await server.stop();
  await removeMetadata();
});
beforeEach(() => writeFile(path.join(server.metadata, itemFile), original));

const onDisk = () => readFile(path.join(server.metadata, itemFile), 'utf8');
/** The rules of items without the condition on closed shops. */
const widened = () => original.replace(', shop: { closed: { _eq: false } }', '');
const draftOf = (text: string) => ({ drafts: { [itemFile]: text } });

const fileAt = (file: string) =>
  server.get(`/admin/metadata/file?file=${encodeURIComponent(file)}`);
const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');

describe('GET /admin/metadata/files and /admin/metadata/file', () => {
  test('list the files with rules, without files that can hold keys', async () => {
    await writeFile(path.join(server.metadata, 'rowgate.yaml'), 'version: 1\n');
    const { json } = await server.get('/admin/metadata/files');
    expect(json).toMatchObject({ isWritable: true, isApplicable: true });
    expect(json.files).toEqual([
      { file: 'roles.yaml' },
      { file: itemFile, table: 'public.item' },
      { file: 'tables/shop.yaml', table: 'public.shop' },
      { file: 'functions/cheap_items.yaml' },
    ]);
  });

  test('answer a text with its digest, its schema and the words of its conditions', async () => {
    const { json } = await fileAt(itemFile);
    expect(json).toMatchObject({ file: itemFile, text: original });
    expect(json.digest).toBe(digestOf(original));
    expect(json.schema.properties).toHaveProperty('permissions');
    expect(json.words.operators).toContain('_eq');
    expect(json.words.variables).toEqual(['X-Gql-Shop-Id']);
    expect(json.words.relationships['public.item']).toEqual({ shop: 'public.shop' });
  });

  test.each([
    'rowgate.yaml',
    'tests/item.yaml',
    '../roles.yaml',
    '/etc/passwd',
    'tables/../roles.yaml',
  ])('refuse the path %s', async (file) => {
    const { status, json } = await fileAt(file);
    expect(status).toBe(400);
    expect(json.detail).toContain('has no file');
  });
});

describe('GET /admin/metadata/rule', () => {
  test('lists findings, tests, and what depends on a rule', async () => {
    const { json } = await server.get(
      '/admin/metadata/rule?role=clerk&table=item&operation=select',
    );
    expect(json).toMatchObject({
      kind: 'found',
      place: { file: itemFile, line: 5 },
      query: '{ item { id state price } }',
      variables: ['X-Gql-Shop-Id'],
      tests: [{ title: 'clerks see items of their shop', as: 'corner', file: 'tests/item.yaml' }],
    });
    expect(json.findings[0]).toMatchObject({ code: 'RG_UNINDEXED', file: itemFile, line: 5 });
  });

  test('lists the rules whose conditions read a table', async () => {
    const { json } = await server.get(
      '/admin/metadata/rule?role=guest&table=shop&operation=select',
    );
    expect(json.dependents).toEqual([
      {
        on: 'table',
        words: 'the select rule of clerk on public.item reads this table',
        rule: { role: 'clerk', table: 'public.item', operation: 'select' },
      },
    ]);
  });

  test('answers the mistakes of the files', async () => {
    await writeFile(path.join(server.metadata, itemFile), `${original}oops: 1\n`);
    const { json } = await server.get(
      '/admin/metadata/rule?role=guest&table=item&operation=select',
    );
    expect(json).toMatchObject({ kind: 'mistaken', mistakes: [{ code: 'RG_UNKNOWN_KEY' }] });
  });
});

describe('POST /admin/metadata/check', () => {
  test('says who gains rows, with an invented example and counted rows', async () => {
    const { json } = await server.post('/admin/metadata/check', {
      ...{ ...draftOf(widened()), count: true },
    });
    expect(json).toMatchObject({ kind: 'checked', findings: [], gone: 1, hadMistakes: false });
    expect(json.difference.summary).toBe('1 dangerous; 1 role gains rows');
    expect(json.difference.changes).toMatchObject([
      {
        class: 'dangerous',
        sentence: expect.stringContaining('clerk would now also see rows of item'),
        rows: { gained: { related: [{ table: 'public.shop', row: { closed: 'true' } }] } },
        evidence: { gained: { rows: 1, total: 2, isAtLeast: true } },
      },
    ]);
    expect(await onDisk()).toBe(original);
  });

  test('finds no difference in a draft with another comment', async () => {
    const { json } = await server.post('/admin/metadata/check', draftOf(`# Items\n${original}`));
    expect(json.difference).toMatchObject({ changes: [] });
  });

  test('answers mistakes with their lines', async () => {
    const text = original.replace('columns: [id, state, price]', 'columns: [id, prise]');
    const { status, json } = await server.post('/admin/metadata/check', draftOf(text));
    expect(status).toBe(200);
    expect(json).toMatchObject({
      kind: 'mistaken',
      mistakes: [{ code: 'RG_UNKNOWN_COLUMN', file: itemFile, line: 5 }],
    });
  });

  test.each([
    ['aliases that multiply', 'a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n', 'RG_YAML_FEATURE'],
    ['brackets in brackets', `table: ${'['.repeat(20_000)}`, 'RG_TOO_DEEP'],
  ])('refuses %s', async (_name, text, code) => {
    const { json } = await server.post('/admin/metadata/check', draftOf(text));
    expect(json.mistakes[0]).toMatchObject({ code });
  });

  test('refuses drafts of other files', async () => {
    const { status } = await server.post('/admin/metadata/check', {
      drafts: { 'rowgate.yaml': 'version: 1\n' },
    });
    expect(status).toBe(400);
  });
});

describe('POST /admin/metadata/test', () => {
  test('runs the tests and the weakened versions of the changed rules', async () => {
    const { json } = await server.post('/admin/metadata/test', draftOf(widened()));
    expect(json).toMatchObject({ kind: 'tested', total: 1, failed: [] });
    expect(json.mutants.counted).toBeGreaterThan(json.mutants.killed);
    expect(json.mutants.survived[0].test).toContain('tests:');
  });

  test('lists the tests that fail, and undoes everything', async () => {
    const closed = original.replace(
      'shop_id: { _eq: X-Gql-Shop-Id }, shop',
      'id: { _lt: 0 }, shop',
    );
    const { json } = await server.post('/admin/metadata/test', draftOf(closed));
    expect(json.failed).toMatchObject([{ lines: ['does not see: seen'] }]);
    expect(json.mutants).toBeUndefined();
    const plan = await server.post('/admin/metadata/plan', {});
    expect(plan.json.lines).toEqual(['nothing to change']);
    expect(await query(server.database.superuserUrl, 'select from item')).toHaveLength(2);
  });
});

describe('POST /admin/metadata/write', () => {
  const write = (text: string) => {
    const body = { file: itemFile, text, digest: digestOf(original) };
    return server.post('/admin/metadata/write', body);
  };

  test('replaces the file as a whole, keeps its rights and its byte order mark, and records the use', async () => {
    const target = path.join(server.metadata, itemFile);
    await writeFile(target, `\ufeff${original}`);
    await chmod(target, 0o640);
    const text = `# Only items of open shops\n${original}`;
    const { status, json } = await write(text);
    expect(status).toBe(200);
    expect(json.digest).toBe(digestOf(text));
    expect(await onDisk()).toBe(`\ufeff${text}`);
    expect((await stat(target)).mode & 0o777).toBe(0o640);
    expect(await readdir(path.join(server.metadata, 'tables'))).toEqual(['item.yaml', 'shop.yaml']);
    const [use] = await server.uses();
    expect(use).toMatchObject({
      endpoint: '/admin/metadata/write',
      relation: itemFile,
      status: 200,
    });
  });

  test('refuses a file that was changed meanwhile', async () => {
    await writeFile(path.join(server.metadata, itemFile), `${original}# changed\n`);
    const { status, json } = await write(widened());
    expect([status, json.code]).toEqual([409, 'changed']);
    expect(json.detail).toContain('nothing was written');
    expect(await onDisk()).toBe(`${original}# changed\n`);
  });

  test('of two writes of the same file, refuses the second', async () => {
    const found = await Promise.all([write(`# One\n${original}`), write(`# Two\n${original}`)]);
    expect(found.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test('refuses a text with mistakes', async () => {
    const { status, json } = await write(original.replace('guest:', 'gest:'));
    expect(status).toBe(400);
    expect(json.detail).toContain('the metadata would have mistakes: ');
    expect(await onDisk()).toBe(original);
  });

  test('refuses a link that leads out of the folder', async () => {
    const other = await writeMetadata({ 'item.yaml': original });
    const target = path.join(server.metadata, itemFile);
    await rename(target, `${target}.kept`);
    await symlink(path.join(other, 'item.yaml'), target);
    const { status, json } = await write(widened());
    await rename(`${target}.kept`, target);
    expect([status, json.detail]).toEqual([400, expect.stringContaining('leads out')]);
    expect(await readFile(path.join(other, 'item.yaml'), 'utf8')).toBe(original);
  });
});

describe('POST /admin/metadata/plan and /admin/metadata/apply', () => {
  test('apply the plan that was shown, and record who did', async () => {
    await writeFile(path.join(server.metadata, itemFile), widened());
    const { json: plan } = await server.post('/admin/metadata/plan', {});
    expect(plan).toMatchObject({ kind: 'planned', isEmpty: false });
    expect(plan.question).toBe('1 role gains rows: apply these changes?');
    expect(plan.lines).toContain('~ policy rowgate/clerk/select on public.item');
    const { json: applied } = await server.post('/admin/metadata/apply', { digest: plan.digest });
    expect(applied).toMatchObject({ kind: 'applied', changes: expect.any(Number) });
    const { json: history } = await server.get('/admin/history');
    expect(history.applies[0]).toMatchObject({ actor: 'Ada' });
  });

  test('refuse another plan than the one that was shown', async () => {
    const { json: plan } = await server.post('/admin/metadata/plan', {});
    const more = original
      .replace('guest:', 'watcher:')
      .replace('watcher:\n    select: { filter: { cheap', 'guest:\n    select: { filter: { cheap');
    await writeFile(path.join(server.metadata, itemFile), more);
    const { status, json } = await server.post('/admin/metadata/apply', { digest: plan.digest });
    expect([status, json.code]).toEqual([409, 'changed']);
    expect(json.detail).toContain('look at the new plan first');
  });
});

describe('a server that allows no lasting changes', () => {
  const digest = '0'.repeat(64);
  let url: string;
  beforeAll(async () => {
    url = await server.beside({ ROWGATE_CONSOLE_WRITES: 'off' });
  });

  test.each([
    ['/admin/metadata/test', { drafts: {} }],
    ['/admin/metadata/write', { file: itemFile, text: 'table: item\n', digest }],
    ['/admin/metadata/apply', { digest }],
  ])('refuses %s', async (endpoint, body) => {
    const { status, json } = await server.post(`${url}${endpoint}`, body);
    expect([status, json.code]).toEqual([403, 'read-only']);
    expect(await onDisk()).toBe(original);
  });
});

test('a server in production does not apply, even where it allows lasting changes', async () => {
  const on = { ROWGATE_CONSOLE: 'on', ROWGATE_CONSOLE_WRITES: 'on' };
  const url = await server.beside({ NODE_ENV: 'production', ...on });
  const body = { digest: '0'.repeat(64) };
  const { status, json } = await server.post(`${url}/admin/metadata/apply`, body);
  expect([status, json.code]).toEqual([403, 'read-only']);
  expect(json.detail).toContain('run rowgate apply');
});
