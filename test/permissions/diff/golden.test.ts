import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { inspectCatalog } from '../../../permissions/catalog/inspect-catalog.ts';
import type { CatalogData } from '../../../permissions/catalog/types.ts';
import { compareVersions } from '../../../permissions/diff/compare/compare-versions.ts';
import { loadVersion } from '../../../permissions/diff/load/version.ts';
import { diffText } from '../../../permissions/diff/output/text.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import {
  goldenFolder,
  type PullRequest,
  readPullRequests,
  writeEdited,
} from './support/pull-request.ts';

const requests = await readPullRequests();
const naming = { rolePrefix: 'golden_', headerPrefix: 'X-Gql-', inferFunctionPermissions: false };

let folder: string;
let database: TestDatabase;
let catalog: CatalogData;
beforeAll(async () => {
  folder = await mkdtemp(path.join(inject('scratch'), 'diff-'));
  database = await createDatabase({ from: 'platform' });
  catalog = await catalogAfter('select 1');
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

/** Returns the catalog of the platform as it is after a statement. */
async function catalogAfter(statement: string): Promise<CatalogData> {
  const owner = await database.connectOwner();
  await owner.query('begin');
  await owner.query(statement);
  const data = await inspectCatalog(owner);
  await owner.query('rollback');
  await owner.end();
  return data;
}

async function wordsOf({ name, base = [], change, sql }: PullRequest): Promise<string> {
  const [old, now] = [path.join(folder, name, 'old'), path.join(folder, name, 'new')];
  await writeEdited(old, base);
  await writeEdited(now, [...base, ...change]);
  const source = { shownFolder: 'metadata' };
  const before = await loadVersion({ ...source, label: 'main', folder: old, catalog }, naming);
  const tables = sql === undefined ? catalog : await catalogAfter(sql);
  const after = await loadVersion(
    { ...source, label: 'metadata', folder: now, catalog: tables },
    naming,
  );
  const changes = compareVersions(before, after).map((one) => ({ ...one, evidence: undefined }));
  return `${diffText({ before: 'main', after: 'metadata', changes }).join('\n')}\n`;
}

/** Returns the reviewed words of a pull request. With UPDATE_GOLDEN=1 outside CI it first rewrites them. */
async function expectedWords({ name }: PullRequest, actual: string): Promise<string> {
  const file = path.join(goldenFolder, name, 'expected.txt');
  if (process.env.UPDATE_GOLDEN === '1' && !process.env.CI) await writeFile(file, actual);
  return readFile(file, 'utf8');
}

describe('the words for a pull request', () => {
  test.each(requests)('say what changes: $title', async (request) => {
    const words = await wordsOf(request);
    expect(words).toBe(await expectedWords(request, words));
  });
});
