import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { inspectCatalog } from '../../permissions/catalog/inspect-catalog.ts';
import { readCatalog } from '../../permissions/catalog/read-catalog.ts';
import { writeCatalog } from '../../permissions/catalog/write-catalog.ts';
import { formatDiagnostic } from '../../permissions/diagnostics.ts';
import { MetadataError } from '../../permissions/errors.ts';
import { offlineFindings } from '../../permissions/lint/all-findings.ts';
import { resolveModel, resolveOffline } from '../../permissions/model/load-model.ts';
import { platformMetadata } from '../support/http.ts';
import { type Installation, makeInstallation } from './support/installation.ts';
import { type MetadataFiles, removeMetadata, writeMetadata } from './support/metadata-files.ts';

const golden = path.resolve(import.meta.dirname, 'golden/types');

let folder: string;
let platform: Installation;
let types: Installation;
beforeAll(async () => {
  folder = await mkdtemp(path.join(inject('scratch'), 'catalog-'));
  platform = await makeInstallation({ from: 'platform', rules: platformMetadata });
  const schema = await readFile(path.join(golden, 'schema.sql'), 'utf8');
  types = await makeInstallation({ schema, rules: { 'roles.yaml': 'roles: {}\n' } });
});
afterAll(async () => {
  await platform.drop();
  await types.drop();
  await removeMetadata();
  await rm(folder, { recursive: true });
});

async function write(content: string): Promise<string> {
  const file = path.join(folder, 'catalog.json');
  await writeFile(file, content);
  return file;
}

async function warningsOf(work: Promise<Parameters<typeof offlineFindings>[0]>): Promise<string[]> {
  const findings = await work.then(offlineFindings, (error: unknown) => {
    if (error instanceof MetadataError) return error.diagnostics;
    throw error;
  });
  return findings.map(formatDiagnostic);
}

/** Returns the findings of check twice: from the database, and from a catalog file of that database. */
async function both({ owner }: Installation, metadata: string) {
  const naming = { metadata, headerPrefix: 'X-Gql-' };
  const file = await write(writeCatalog(await inspectCatalog(owner)));
  return [
    await warningsOf(resolveModel({ ...naming, client: owner })),
    await warningsOf(resolveOffline(await readCatalog(file), naming)),
  ] as const;
}

describe('rowgate check against a catalog file instead of the database', () => {
  test('reports the same warnings about the metadata of the platform', async () => {
    const [online, offline] = await both(platform, platformMetadata);
    expect(online.length).toBeGreaterThan(0);
    expect(offline).toEqual(online);
  });

  test('reports the same errors about wrong metadata', async () => {
    const rules: MetadataFiles = {
      'roles.yaml': 'roles: { reader: {} }\n',
      'tables/fund.yaml':
        'table: fund\npermissions:\n  reader: { select: { filter: { nam: { _eq: x }, id: { _eq: 1 }, created_at: { _like: x } }, columns: [nope] } }\n  other: { delete: { filter: {} } }\n',
      'tables/none.yaml': 'table: none\n',
    };
    const [online, offline] = await both(platform, await writeMetadata(rules));
    expect(online).toHaveLength(6);
    expect(offline).toEqual(online);
  });

  test('computes the same fingerprint of the metadata', async () => {
    const naming = { metadata: platformMetadata, headerPrefix: 'X-Gql-' };
    const file = await write(writeCatalog(await inspectCatalog(platform.owner)));
    const online = await resolveModel({ ...naming, client: platform.owner });
    const offline = await resolveOffline(await readCatalog(file), naming);
    expect(offline.model.fingerprint).toBe(online.model.fingerprint);
  });
});

/** Returns the catalog with type uuid replaced by a chain of types. The last type of the chain does not exist. */
function withTypes(text: string, count: number, kind: 'b' | 'd'): string {
  const first = 1_000_000;
  const more = Array.from({ length: count }, (_, index) => {
    const next = first + index + 1;
    return {
      oid: next - 1,
      schema: 'odd',
      name: `t${index}`,
      kind,
      element: next,
      array: 0,
      base: next,
      labels: null,
    };
  });
  const lines = more.map((one) => `${JSON.stringify(one)},\n`).join('');
  return text
    .replace('"types": [\n', `"types": [\n${lines}`)
    .replace(/("oid":2950,.*"element":)0/, `$1${first}`);
}

describe('a catalog file, which stores what check reads from the database,', () => {
  test('differs between two databases only in lines whose contents differ', async () => {
    const other = await makeInstallation({ from: 'platform', rules: platformMetadata });
    await other.owner.query(
      'create table passing (id uuid primary key); drop table passing; comment on table fund is null',
    );
    const name = other.database.name;
    const text = writeCatalog(await inspectCatalog(other.owner));
    await other.drop();
    const mine = writeCatalog(await inspectCatalog(platform.owner));
    const differing = mine
      .replace(platform.database.name, name)
      .split('\n')
      .filter((line) => !text.includes(line));
    expect(differing).toEqual([expect.stringContaining('"name":"fund",')]);
  });

  test('keeps columns of every supported type when it is read back', async () => {
    const file = await write(writeCatalog(await inspectCatalog(types.owner)));
    const data = await readCatalog(file);
    expect(data.tables.flatMap((table) => table.columns).length).toBeGreaterThan(10);
  });

  test.each([
    ['that is missing', undefined, 'it cannot be read: ENOENT'],
    [
      'that was cut off',
      (text: string) => text.slice(0, 5000),
      'it is not JSON, or only a part of it',
    ],
    ['that is empty', () => '', 'it is not JSON, or only a part of it'],
    ['that is null', () => 'null', 'it is no catalog of rowgate'],
    ['that is a list', () => '[]', 'it is no catalog of rowgate'],
    [
      'that is a package.json',
      () => '{"name": "x", "version": "1"}',
      'it is no catalog of rowgate',
    ],
    [
      'of another version of the format',
      (text: string) => text.replace('"version": 9', '"version": 8'),
      'it has version 8 of the format, this program reads 9',
    ],
    [
      'with a value of the wrong type',
      (text: string) => text.replace(/"notNull":(true|false)/, '"notNull":"yes"'),
      'must be boolean',
    ],
    [
      'with an unknown property',
      (text: string) => text.replace('"database":', '"more": 1, "database":'),
      'it must NOT have additional properties',
    ],
    [
      'without the type of a column',
      (text: string) => text.replace(/\n\{"oid":2950,.*\n/, '\n'),
      'has a type that it lacks',
    ],
    [
      'whose types contain each other in a branching chain',
      (text: string) => withTypes(text, 60, 'b'),
      'has a type that it lacks',
    ],
    [
      'whose domains form a chain of 50000',
      (text: string) => withTypes(text, 50_000, 'd'),
      'has a type that it lacks',
    ],
    [
      'with a domain over no type',
      (text: string) => text.replace(/("oid":2950,.*"kind":)"b"/, '$1"d"'),
      'has a type that it lacks',
    ],
    [
      "without the types of Postgres's own operators",
      (text: string) => text.replace('"name":"anyarray"', '"name":"any"'),
      "it lacks Postgres's own types",
    ],
    [
      'with a foreign key to a missing column',
      (text: string) => text.replace('"remoteColumns":["id"]', '"remoteColumns":["nope"]'),
      'leads nowhere',
    ],
    [
      'with a foreign key from a missing column',
      (text: string) =>
        text.replace(/("foreignKeys":\[\{"name":"\w+","columns":)\["\w+"/, '$1["nope"'),
      'leads nowhere',
    ],
    [
      'with a unique constraint on a missing column',
      (text: string) =>
        text.replace(/("uniqueConstraints":\[\{"name":"\w+","columns":)\["\w+"/, '$1["nope"'),
      'is about no column',
    ],
    [
      'with a foreign key whose two sides have different numbers of columns',
      (text: string) => text.replace('"remoteColumns":["id"]', '"remoteColumns":["id","id"]'),
      'leads nowhere',
    ],
    [
      'with a foreign key to a missing table',
      (text: string) => text.replace(/("columns":\["\w+"\],"table":)"[^"]+"/, '$1"public.nope"'),
      'leads nowhere',
    ],
  ])('%s is refused with RG_CATALOG and the reason', async (_name, spoil, problem) => {
    const text = writeCatalog(await inspectCatalog(platform.owner));
    const file = spoil ? await write(spoil(text)) : path.join(folder, 'nowhere.json');
    await expect(readCatalog(file)).rejects.toMatchObject({
      code: 'RG_CATALOG',
      exitCode: 2,
      message: expect.stringContaining(problem),
    });
  });
});

test('the primary key does not contain columns that its index only includes', async () => {
  const covering = await makeInstallation({
    schema: 'create table covered (id int, label text, primary key (id) include (label))',
    rules: { 'roles.yaml': 'roles: {}\n' },
  });
  const { tables } = await inspectCatalog(covering.owner);
  await covering.drop();
  expect(tables.find(({ name }) => name === 'covered')).toMatchObject({
    primaryKey: ['id'],
    uniques: [['id']],
  });
});
