import { readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { removeMetadata } from '../../permissions/support/metadata-files.ts';
import { adminSecret, type AdminServer, startAdminServer } from './support/admin-server.ts';

let server: AdminServer;
let original: string;
const itemFile = 'tables/item.yaml';
beforeAll(async () => {
  server = await startAdminServer();
  original = await onDisk();
});
afterAll(async () => {
  await server.stop();
  await removeMetadata();
});
beforeEach(() => writeFile(path.join(server.metadata, itemFile), original));

const onDisk = () => readFile(path.join(server.metadata, itemFile), 'utf8');
const narrowed = 'closed: { _eq: false }';
const widened = () => original.replace(`, shop: { ${narrowed} }`, '');

async function get(pathAndQuery: string) {
  const headers = { 'x-gql-admin-secret': adminSecret, 'x-rowgate-actor': 'Ada' };
  const answer = await fetch(`${server.url}${pathAndQuery}`, { headers });
  return { status: answer.status, json: JSON.parse(await answer.text()) };
}

const fileOf = (file: string) => get(`/admin/metadata/file?file=${encodeURIComponent(file)}`);

describe('GET /admin/metadata/files', () => {
  test('lists the files with rules, and their tables', async () => {
    const { json } = await get('/admin/metadata/files');
    expect(json).toMatchObject({ isWritable: true, isApplicable: true });
    expect(json.files).toContainEqual({ file: itemFile, table: 'public.item' });
    expect(json.files).toContainEqual({ file: 'roles.yaml' });
  });
});

describe('GET /admin/metadata/file', () => {
  test('answers the text with its digest and the schema for editors', async () => {
    const { json } = await fileOf(itemFile);
    expect(json).toMatchObject({ file: itemFile, text: original, digest: /^[0-9a-f]{64}$/ });
    expect(json.schema.properties).toHaveProperty('permissions');
  });
});

describe('GET /admin/metadata/rule', () => {
  test('lists findings and dependents', async () => {
    const found = await get('/admin/metadata/rule?role=clerk&table=item&operation=select');
    console.log(JSON.stringify(found, null, 1));
  });
});

describe('POST /admin/metadata/check', () => {
  test('says who sees more rows, with an example', async () => {
    const t = performance.now();
    const { status, json } = await server.post('/admin/metadata/check', {
      drafts: { [itemFile]: widened() },
      count: true,
    });
    console.log(performance.now() - t, status, JSON.stringify(json, null, 1));
  });
});
describe('POST /admin/metadata/test', () => {
  test('x', async () => {
    const { status, json } = await server.post('/admin/metadata/test', {
      drafts: { [itemFile]: widened() },
    });
    console.log(status, JSON.stringify(json, null, 1));
  });
});
describe('apply', () => {
  test('x', async () => {
    const digest = (await fileOf(itemFile)).json.digest;
    const w = await server.post('/admin/metadata/write', { file: itemFile, text: widened(), digest });
    console.log(JSON.stringify(w.json));
    const p = await server.post('/admin/metadata/plan', {});
    console.log(JSON.stringify(p.json, null, 1));
    const a = await server.post('/admin/metadata/apply', { digest: p.json.digest });
    console.log(JSON.stringify(a.json, null, 1));
  });
});
