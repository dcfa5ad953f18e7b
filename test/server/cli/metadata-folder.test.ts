import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import {
  type MetadataFiles,
  overwriteMetadata,
  removeMetadata,
  writeMetadata,
} from '../../permissions/support/metadata-files.ts';
import { runCommand } from '../../support/command-line.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { query } from '../../support/query.ts';

const files: MetadataFiles = {
  'roles.yaml': 'roles: { reader: { requires: [X-Gql-User] } }\n',
  'tables/billing/invoice.yaml': `table: invoice
computed_fields: { doubled: { function: doubled, rights: owner } }
permissions:
  reader: { select: { filter: { owner: X-Gql-User }, columns: [id, owner], computed_fields: [doubled] } }
`,
};

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await createDatabase({ from: 'gateway' });
  await query(
    database.ownerUrl,
    `create table public.invoice (id int primary key, owner text not null);
     create index on public.invoice (owner);
     create function doubled(invoice) returns int language sql stable begin atomic select $1.id * 2; end;`,
  );
  folder = await writeMetadata(files);
  expect(await run('apply', '--yes', '--metadata', folder)).toMatchObject({ code: 0 });
});
afterAll(async () => {
  await database.drop();
  await removeMetadata();
});

function run(...args: readonly string[]) {
  return runCommand(args, { DATABASE_URL: database.ownerUrl, ROWGATE_DATA_DIR: inject('scratch') });
}

async function comments(): Promise<readonly string[]> {
  const rows = await query(
    database.ownerUrl,
    `select d.description from pg_description d
     where d.description ~ '^rowgate:[0-9a-f]{16}:' and d.description ~ 'yaml' order by 1`,
  );
  return rows.map((row) => (row as { description: string }).description.replace(/^\S+ /, ''));
}

describe('a place of the YAML in a comment of the database', () => {
  test('is a path within the metadata folder', async () => {
    expect(new Set(await comments())).toEqual(
      new Set(['tables/billing/invoice.yaml:1:8', 'tables/billing/invoice.yaml:4:13']),
    );
  });

  test.each([
    ['with a slash at its end', () => `${folder}/`],
    ['by a relative path', () => path.relative(process.cwd(), folder)],
    ['by a path that begins with a dot', () => `./${path.relative(process.cwd(), folder)}/.`],
    ['by a path with a detour', () => `${folder}/tables/..`],
    ['by a symbolic link', linked],
  ])('does not depend on how the folder is named: %s', async (_name, spelt) => {
    const named = await spelt();
    const { code, stdout } = await run('plan', '--sql', '--metadata', named);
    expect([code, stdout]).toEqual([0, 'nothing to change\n']);
  });

  test('is no change of a plan when it alone is another one, and apply corrects it', async () => {
    const moved = `# a line more\n${files['tables/billing/invoice.yaml']}`;
    await overwriteMetadata(folder, { ...files, 'tables/billing/invoice.yaml': moved });
    const { code, stdout } = await run('plan', '--metadata', folder);
    expect([code, stdout]).toEqual([0, 'nothing to change; apply would correct 7 comments\n']);
    expect((await run('plan', '--sql', '--metadata', folder)).stdout).toContain(
      'comment on policy',
    );
    expect(await run('apply', '--yes', '--metadata', folder)).toMatchObject({
      ...{ code: 0, stdout: 'nothing to change; corrected 7 comments\n' },
    });
    expect(new Set(await comments())).toEqual(
      new Set(['tables/billing/invoice.yaml:2:8', 'tables/billing/invoice.yaml:5:13']),
    );
    expect((await run('plan', '--metadata', folder)).stdout).toBe('nothing to change\n');
  });
});

async function linked(): Promise<string> {
  const place = path.join(inject('scratch'), `link-${process.pid}`);
  await mkdir(place, { recursive: true });
  const link = path.join(place, 'current');
  await symlink(folder, link);
  return link;
}
