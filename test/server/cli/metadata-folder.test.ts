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
import { runRowgate, vacantPort } from '../../support/rowgate.ts';
import { platformMetadata } from '../../support/rules.ts';

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

const environment = () => ({
  DATABASE_URL: database.ownerUrl,
  ROWGATE_DATA_DIR: inject('scratch'),
});

function run(...args: readonly string[]) {
  return runCommand(args, environment());
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

describe('ROWGATE_METADATA', () => {
  const runIn = (named: string, ...args: readonly string[]) =>
    runCommand(args, { ...environment(), ROWGATE_METADATA: named });

  test.each([['check'], ['plan'], ['drift']])('names the folder of rowgate %s', async (command) => {
    expect(await runIn(folder, command)).toMatchObject({ code: 0 });
    const { stderr } = await runIn('no-such-folder', command);
    expect(stderr).toContain('no-such-folder:1:1 RG_FILE_UNREADABLE');
  });

  test('names the folder of rowgate serve', async () => {
    const options = {
      ...environment(),
      PORT: String(await vacantPort()),
      ROWGATE_ADMIN_SECRET: 'a-secret-of-at-least-32-characters!!',
      ROWGATE_METADATA: 'no-such-folder',
    };
    const started = await runRowgate(['serve', '--only', 'graphql'], options);
    expect(started.stderr).toContain('no-such-folder:1:1 RG_FILE_UNREADABLE');
  });

  test('names the folder that rowgate init writes', async () => {
    const out = path.join(inject('scratch'), `init-${process.pid}`, 'rules');
    const { code, stdout } = await runIn(out, 'init');
    expect([code, stdout]).toEqual([0, expect.stringContaining(`wrote ${out}/roles.yaml`)]);
  });

  test('gives way to the option --metadata', async () => {
    expect(await runIn('no-such-folder', 'check', '--metadata', folder)).toMatchObject({ code: 0 });
  });

  test('is known, so that no command warns of it', async () => {
    expect((await runIn(folder, 'check')).stderr).not.toContain('ROWGATE_METADATA');
  });

  test('names the application, whose commands exist then', async () => {
    const { stdout } = await runIn(platformMetadata, '--help');
    expect(stdout).toContain('api-key create');
    expect((await runIn(folder, '--help')).stdout).not.toContain('api-key create');
  });
});

describe('a metadata folder of another database', () => {
  test('is refused in one line that names database, folder and next step', async () => {
    const { code, stderr } = await run('check', '--metadata', platformMetadata);
    expect([code, stderr]).toEqual([
      1,
      `RG_UNKNOWN_TABLE database "${database.name}" lacks 31 of the 32 tables of the metadata in ${platformMetadata}, such as public.address_book_entry; if they belong together, run \`rowgate migrate\`; otherwise correct DATABASE_URL, or --metadata\n`,
    ]);
  });

  test('is refused so when it lacks more than half of its tables, and else table by table', async () => {
    const tables = ['b', 'c', 'd', 'e'].map((name) => [`tables/${name}.yaml`, `table: ${name}\n`]);
    const of = async (...more: readonly string[]) => {
      const other = ['invoice', ...more].map((name) => [
        `tables/${name}.yaml`,
        `table: { schema: public, name: ${name} }\n`,
      ]);
      const made = { 'roles.yaml': 'roles: {}\n', ...Object.fromEntries([...tables, ...other]) };
      return (await run('check', '--metadata', await writeMetadata(made))).stderr.split('\n');
    };
    const [one, ...rest] = await of();
    expect([one, rest]).toEqual([expect.stringContaining('lacks 4 of the 5 tables'), ['']]);
    expect(one).toContain('if they belong together, make the tables first; otherwise correct');
    await query(
      database.ownerUrl,
      'create table x (id int); create table y (id int); create table z (id int)',
    );
    expect((await of('x', 'y', 'z')).at(-2)).toBe('4 errors');
  });
});

async function linked(): Promise<string> {
  const place = path.join(inject('scratch'), `link-${process.pid}`);
  await mkdir(place, { recursive: true });
  const link = path.join(place, 'current');
  await symlink(folder, link);
  return link;
}
