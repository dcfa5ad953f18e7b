import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { inspectCatalog } from '../../../permissions/catalog/inspect-catalog.ts';
import type { CatalogData } from '../../../permissions/catalog/types.ts';
import { compareVersions } from '../../../permissions/diff/compare/compare-versions.ts';
import { resolveOffline } from '../../../permissions/model/load-model.ts';
import {
  type FixedFile,
  fixMetadata,
  writeFixes,
} from '../../../permissions/review/fix/fix-metadata.ts';
import { runCommand } from '../../support/command-line.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { query } from '../../support/query.ts';
import { naming, versionIn, versionOf } from '../diff/support/versions.ts';
import { type MetadataFiles, removeMetadata, writeMetadata } from '../support/metadata-files.ts';

let database: TestDatabase;
let catalog: CatalogData;
beforeAll(async () => {
  database = await createDatabase({ from: 'gateway' });
  await query(
    database.ownerUrl,
    'create table public.doc (id int primary key, org_id int not null, state text, "odd name" text)',
  );
  const client = await database.connectOwner();
  catalog = await inspectCatalog(client);
  await client.end();
});
afterAll(async () => {
  await database.drop();
  await removeMetadata();
});

const base: MetadataFiles = {
  'roles.yaml': 'roles: { a: {}, b: {}, c: {} }\n',
  'filters.yaml': `filters:
  ours: { org_id: { _eq: X-Gql-Org } }
  open: { state: { _in: [a, "b c"] }, org_id: { _eq: 1 } }
  "odd: name": { id: { _gt: 5 } }
`,
};

/** Fixes a folder, and returns the text of the table and the words about each fix. */
async function fixed(table: string, more: MetadataFiles = {}) {
  const files = { ...base, ...more, 'tables/doc.yaml': table };
  const folder = await writeMetadata(files);
  const made = await fixesIn(folder);
  await writeFixes(folder, made);
  const differences = compareVersions(
    await versionOf(files, catalog),
    await versionIn(folder, catalog),
  );
  return {
    folder,
    table: await readFile(path.join(folder, 'tables/doc.yaml'), 'utf8'),
    roles: await readFile(path.join(folder, 'roles.yaml'), 'utf8'),
    done: made.flatMap(({ done }) => done.map(({ words }) => words)),
    skipped: made.flatMap(({ skipped }) => skipped.map(({ reason }) => reason)),
    differences,
    again: await fixesIn(folder),
  };
}

async function fixesIn(folder: string): Promise<readonly FixedFile[]> {
  const options = { ...naming, metadata: folder };
  return fixMetadata(await resolveOffline(catalog, options), options);
}

const cases: readonly (readonly [string, string, string])[] = [
  [
    'a condition in braces',
    `table: doc # the documents
permissions:
  a: { select: { filter: { org_id: { _eq: X-Gql-Org } }, columns: [id] } } # of a
  b: { select: { filter:   {org_id: {_eq: 'X-Gql-Org'}}  , columns: [id] } }
`,
    `table: doc # the documents
permissions:
  a: { select: { filter: { _filter: ours }, columns: [id] } } # of a
  b: { select: { filter:   { _filter: ours }  , columns: [id] } }
`,
  ],
  [
    'a condition in a block',
    `table: doc
permissions:
  a:
    select:
      filter:
        state:
          _in: [a, b c]
        org_id: { _eq: 1 } # the first
        # and no other
      columns: [id]
  # The same rows.
  b:
    delete:
      filter:
        state:
          _in:
            - a
            - "b c"
        org_id:
          _eq: 1

# The end.
`,
    `table: doc
permissions:
  a:
    select:
      filter: { _filter: open } # the first
        # and no other
      columns: [id]
  # The same rows.
  b:
    delete:
      filter: { _filter: open }

# The end.
`,
  ],
  [
    'a condition over several lines, and one without a newline at the end of the file',
    `table: doc
permissions:
  a:
    select:
      columns: [id]
      filter:
        {
          id: { _gt: 5 },
        }
  b: { delete: { filter: { id: { _gt: 5 } } } }`,
    `table: doc
permissions:
  a:
    select:
      columns: [id]
      filter:
        { _filter: "odd: name" }
  b: { delete: { filter: { _filter: "odd: name" } } }`,
  ],
  [
    'filters and checks of every command',
    `table: doc
permissions:
  a:
    select: { filter: { org_id: { _eq: X-Gql-Org } }, columns: [id] }
    insert: { check: { org_id: { _eq: X-Gql-Org } }, columns: [id] }
    update: { filter: { org_id: { _eq: X-Gql-Org } }, check: { org_id: { _eq: X-Gql-Org } }, columns: [id] }
    delete: { filter: { org_id: { _eq: X-Gql-Org } } }
`,
    `table: doc
permissions:
  a:
    select: { filter: { _filter: ours }, columns: [id] }
    insert: { check: { _filter: ours }, columns: [id] }
    update: { filter: { _filter: ours }, check: { _filter: ours }, columns: [id] }
    delete: { filter: { _filter: ours } }
`,
  ],
  [
    'names that a list holds twice',
    `table: doc
permissions:
  a: { select: { filter: {}, columns: [id, state, id , "odd name", state] } }
  b:
    select:
      filter: {}
      columns:
        - id
        - state # why
        - "id"
        - 'odd name'
        - id
`,
    `table: doc
permissions:
  a: { select: { filter: {}, columns: [id, state , "odd name"] } }
  b:
    select:
      filter: {}
      columns:
        - id
        - state # why
        - 'odd name'
`,
  ],
];

describe('check --fix keeps everything else, and the semantic difference is empty, for', () => {
  test.each(cases)('%s', async (_what, before, after) => {
    const { table, differences, again } = await fixed(before);
    expect(table).toBe(after);
    expect(differences).toEqual([]);
    expect(again).toEqual([]);
  });
});

test('check --fix corrects roles.yaml, too', async () => {
  const { roles, differences } = await fixed('table: doc\n', {
    'roles.yaml': 'roles: { a: { requires: [X-Gql-Org, X-Gql-Org] }, b: { inherits: [a, a] } }\n',
  });
  expect(roles).toBe('roles: { a: { requires: [X-Gql-Org] }, b: { inherits: [a] } }\n');
  expect(differences).toEqual([]);
});

describe('check --fix leaves', () => {
  test.each([
    ['a condition in braces with a comment', '{ # own\n          org_id: { _eq: X-Gql-Org } }'],
    [
      'a condition in a block with a comment',
      '\n  # own\n        org_id: # x\n          _eq: X-Gql-Org',
    ],
  ])('%s, which it would lose', async (_what, condition) => {
    const ours = '{ org_id: { _eq: X-Gql-Org } }';
    const written = `table: doc
permissions:
  a:
    select:
      columns: [id]
      filter: ${condition}
  b: { delete: { filter: ${ours} } }
`;
    const { table, skipped, differences } = await fixed(written);
    expect(table).toBe(written.replace(ours, '{ _filter: ours }'));
    expect(skipped).toEqual(['a comment stands in the part that would change']);
    expect(differences).toEqual([]);
  });

  test('a condition whose parts are in another order than in the filter', async () => {
    const turned = '{ org_id: { _eq: 1 }, state: { _in: [a, "b c"] } }';
    const written = `table: doc\npermissions: { a: { delete: { filter: ${turned} } }, b: { delete: { filter: ${turned} } } }\n`;
    expect(await fixed(written)).toMatchObject({ table: written, done: [] });
  });
});

test('check --fix keeps a byte order mark and the line ends of Windows', async () => {
  const written =
    '\ufefftable: doc\r\npermissions:\r\n  a: { select: { filter: {}, columns: [id, id] } }\r\n';
  expect((await fixed(written)).table).toBe(written.replace('[id, id]', '[id]'));
});

test('check --fix writes nothing when a file was changed after it was read', async () => {
  const table = 'table: doc\npermissions: { a: { select: { filter: {}, columns: [id, id] } } }\n';
  const folder = await writeMetadata({
    ...base,
    'roles.yaml': 'roles: { a: { requires: [X-Gql-Org, X-Gql-Org] } }\n',
    'tables/doc.yaml': table,
  });
  const made = await fixesIn(folder);
  await writeFile(path.join(folder, 'tables/doc.yaml'), `${table}# a note\n`);
  await expect(writeFixes(folder, made)).rejects.toMatchObject({ code: 'RG_FILE_CHANGED' });
  expect(await readFile(path.join(folder, 'roles.yaml'), 'utf8')).toContain(
    '[X-Gql-Org, X-Gql-Org]',
  );
});

describe('the command', () => {
  const table = `table: doc
permissions:
  a: { select: { filter: { org_id: { _eq: X-Gql-Org } }, columns: [id] } }
  b: { select: { filter: { org_id: { _eq: X-Gql-Org } }, columns: [id, state, id] } }
`;
  const run = async (folder: string, ...options: readonly string[]) => {
    const environment = { DATABASE_URL: database.ownerUrl, ROWGATE_DATA_DIR: inject('scratch') };
    const ran = await runCommand(['check', '--metadata', folder, ...options], environment);
    return { ...ran, lines: ran.stderr.trimEnd().replaceAll(`${folder}/`, '').split('\n') };
  };

  test('check --fix prints what it changed, and then the findings that remain', async () => {
    const folder = await writeMetadata({ ...base, 'tables/doc.yaml': table });
    const { code, lines } = await run(folder, '--fix');
    expect(code).toBe(0);
    expect(lines.slice(0, 3)).toEqual([
      'tables/doc.yaml:3:26 fixed RG_REPEATED_FILTER: wrote { _filter: ours }',
      'tables/doc.yaml:4:26 fixed RG_REPEATED_FILTER: wrote { _filter: ours }',
      'tables/doc.yaml:4:79 fixed RG_REPEATED_ITEM: removed the second "id"',
    ]);
    expect(lines.filter((line) => line.includes('RG_REPEATED'))).toHaveLength(3);
    expect((await run(folder, '--fix')).lines.filter((line) => line.includes('fixed'))).toEqual([]);
  });

  test('check --fix --dry-run prints a diff that git applies, and changes nothing', async () => {
    const files = { ...base, 'tables/doc.yaml': table.trimEnd() };
    const folder = await writeMetadata(files);
    const { code, stdout } = await run(folder, '--fix', '--dry-run');
    expect(code).toBe(0);
    const target = path.join(folder, 'tables/doc.yaml');
    expect(await readFile(target, 'utf8')).toBe(table.trimEnd());
    const patch = path.join(folder, 'changes.patch');
    await writeFile(patch, stdout);
    const depth = String(folder.split('/').length);
    await promisify(execFile)('git', ['apply', `-p${depth}`, patch], { cwd: folder });
    const patched = await readFile(target, 'utf8');
    expect((await run(folder, '--fix')).lines.filter((line) => line.includes('fixed'))).toEqual([]);
    expect(patched).toBe((await fixed(table.trimEnd())).table);
  });

  test.each([
    [['--dry-run'], '--dry-run needs --fix'],
    [['--fix', '--dry-run', '--json'], '--dry-run prints a diff, so it excludes --json'],
  ])('check %s is refused: %s', async (options, message) => {
    const ran = await run('nowhere', ...options);
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
