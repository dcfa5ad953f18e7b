import { cp, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { afterAll, afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { schemaOfFiles } from '../../build/baseline/schema-of-files.ts';
import { applyMetadata, migrate } from '../../permissions/index.ts';
import { withConnection } from '../../server/db/connection.ts';
import { platformSchemas } from '../../server/platform/tables.ts';
import { removeMetadata, writeMetadata } from '../permissions/support/metadata-files.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { migratePlatform } from '../support/platform.ts';
import { nameOf, type OwnTemplate } from '../support/template.ts';
import { until } from '../support/until.ts';

interface Baseline {
  readonly files: readonly string[];
  readonly replaces: Readonly<Record<string, string>>;
  readonly schema: Readonly<Record<string, string>>;
  readonly reworded?: Readonly<Record<string, string>>;
}

const folderOf = (scope: string) => fileURLToPath(new URL(`../../sql/${scope}/`, import.meta.url));

async function baselineOf(scope: string): Promise<Baseline> {
  return JSON.parse(await readFile(path.join(folderOf(scope), 'baseline.json'), 'utf8'));
}

const platform = await baselineOf('platform');
const seed = await baselineOf('seed');
/** The files of the baseline and later ones. */
const allFiles = await filesOf('platform');
const laterFiles = allFiles.filter((name) => !platform.files.includes(name));
const allSeeds = await filesOf('seed');
const ranLater = [
  ...laterFiles.map((name) => `platform/${name}`),
  ...allSeeds.filter((name) => !seed.files.includes(name)).map((name) => `seed/${name}`),
];

async function filesOf(scope: string): Promise<readonly string[]> {
  return (await readdir(folderOf(scope))).filter((name) => name.endsWith('.sql')).sort();
}

/** The schema and demo data of the last version before the baseline. */
const older: OwnTemplate = {
  name: nameOf([platform.schema, seed.schema]),
  fill: (url) =>
    withConnection(url, async (client) => {
      await schemaOfFiles(client, folderOf('platform'), platform.files);
      await schemaOfFiles(client, folderOf('seed'), seed.files);
    }),
};

let database: TestDatabase;
let owner: pg.Client;

afterEach(() => database.drop());
afterAll(removeMetadata);

/**
 * Replaces the recorded migrations by the migrations that the last version before the baseline recorded, up to the file
 * `last`.
 */
async function rewindHistory(scope: string, { replaces }: Baseline, last = '9'): Promise<void> {
  await owner.query('delete from rowgate.migration where scope = $1', [scope]);
  const rows = Object.entries(replaces).filter(([name]) => name <= last);
  await owner.query(
    `insert into rowgate.migration (scope, name, checksum)
     select $1, n, c from unnest($2::text[], $3::text[]) r(n, c)`,
    [scope, rows.map(([name]) => name), rows.map(([, checksum]) => checksum)],
  );
}

async function recorded(scope: string): Promise<readonly string[]> {
  const { rows } = await owner.query<{ name: string }>(
    'select name from rowgate.migration where scope = $1 order by name',
    [scope],
  );
  return rows.map((row) => row.name);
}

/** Defines a function of the platform with the given message and a comment of its own. */
const keepOrganization = (message: string) => `
  create or replace function public.keep_organization() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
    begin
      -- Explained in other words.
      raise exception '${message}' using errcode = 'check_violation';
    end
  $$`;

const refusal = (message: RegExp) => ({
  code: 'RG_MIGRATION',
  message: expect.stringMatching(message),
});

describe("the file baseline.json, which describes the platform's schema after its migrations,", () => {
  beforeEach(async () => {
    database = await createDatabase({ from: 'gateway' });
    owner = await database.connectOwner();
  });

  test('holds the schema that the migrations of the baseline create', async () => {
    const made = await schemaOfFiles(owner, folderOf('platform'), platform.files);
    expect(made).toEqual(platform.schema);
  });

  test('names as reworded only functions whose digest has changed', () => {
    const reworded = Object.entries(platform.reworded ?? {});
    const changed = reworded.filter(
      ([name, digest]) =>
        name.startsWith('function ') && ![digest, undefined].includes(platform.schema[name]),
    );
    expect(changed).toEqual(reworded);
  });
});

test('platformSchemas names every schema that the migrations of the platform create', async () => {
  const names = (await readdir(folderOf('platform'))).filter((name) => name.endsWith('.sql'));
  const texts = await Promise.all(
    names.map((name) => readFile(path.join(folderOf('platform'), name), 'utf8')),
  );
  const created = texts.flatMap((text) => [...text.matchAll(/^create schema (\w+)/gm)]);
  expect(created.map(([, name]) => name).sort()).toEqual([...platformSchemas].sort());
});

describe('migrate, on a database that an older version created with other migration files,', () => {
  beforeEach(async () => {
    database = await createDatabase({ from: older });
    owner = await database.connectOwner();
    await rewindHistory('platform', platform);
    await rewindHistory('seed', seed);
  });

  test('records the files of the baseline without running them', async () => {
    expect(await migratePlatform(owner)).toEqual(ranLater);
    expect(await recorded('platform')).toEqual(allFiles);
    expect(await recorded('seed')).toEqual(allSeeds);
    expect(await migratePlatform(owner)).toEqual([]);
  });

  test('runs only the files that came after the baseline', async () => {
    const folder = await mkdtemp(path.join(inject('scratch'), 'later-'));
    await cp(folderOf('platform'), folder, { recursive: true });
    await writeFile(path.join(folder, '9999_later.sql'), 'create table public.later ()');
    expect(await migrate(owner, folder, 'platform')).toEqual([...laterFiles, '9999_later.sql']);
  });

  test('recognizes the database whatever settings the session has', async () => {
    await owner.query(`
      set search_path = public; set timezone = 'Asia/Tokyo'; set datestyle = 'SQL, DMY';
      set intervalstyle = 'iso_8601'; set quote_all_identifiers = on`);
    expect(await migratePlatform(owner)).toEqual(ranLater);
    expect(await recorded('platform')).toEqual(allFiles);
  });

  test('recognizes functions with other comments, and keeps them', async () => {
    await owner.query(keepOrganization('a user cannot move to another organization'));
    expect(await migratePlatform(owner)).toEqual(ranLater);
    expect(await recorded('platform')).toEqual(allFiles);
    const { rows } = await owner.query(
      "select from pg_proc where proname = 'keep_organization' and prosrc ~ 'Explained in other words'",
    );
    expect(rows).toHaveLength(1);
  });

  test('recognizes functions with the messages that the older files gave them', async () => {
    await owner.query(keepOrganization('a person stays in the organization'));
    expect(await migratePlatform(owner)).toEqual(ranLater);
    expect(await recorded('platform')).toEqual(allFiles);
  });

  test('fails when a function has messages that no file gave it', async () => {
    await owner.query(keepOrganization('no'));
    await expect(migratePlatform(owner)).rejects.toMatchObject(
      refusal(/\(changed: function public\.keep_organization\(\)\)/),
    );
  });

  test('keeps columns, indexes, triggers and tables that the operator added', async () => {
    await owner.query(`
      alter table public.invoice add column cost_center text check (cost_center <> '');
      create index own_idx on public.invoice (cost_center);
      create trigger own before update on public.invoice for each row execute function public.touch_updated_at();
      create table public.own (invoice_id uuid references public.invoice)`);
    expect(await migratePlatform(owner)).toEqual(ranLater);
  });

  test.each([
    [
      'an index is missing',
      'drop index public.invoice_created_by_idx',
      /\(missing: index public\.invoice_created_by_idx\); undo these changes/,
    ],
    [
      'a column has another type',
      'alter table public.fund alter column name type varchar(80)',
      /\(changed: column public\.fund\.name,/,
    ],
    [
      'a trigger is disabled',
      'alter table public.card disable trigger check_move',
      /\(changed: trigger public\.card\.check_move\)/,
    ],
    [
      'a function is open to PUBLIC',
      'grant execute on function rowgate_auth.find_sdk_token(bytea) to public',
      /\(changed: function rowgate_auth\.find_sdk_token\(bytea\)\)/,
    ],
    [
      'a table is missing',
      'drop table public.report cascade',
      /\(missing: .*column public\.report\.created_at.* and \d+ more\)/,
    ],
  ])('fails and leaves the history unchanged when %s', async (_what, change, message) => {
    const before = await recorded('platform');
    await owner.query(change);
    await expect(migratePlatform(owner)).rejects.toMatchObject(refusal(message));
    expect(await recorded('platform')).toEqual(before);
  });

  test('fails and names the version to migrate with first when the older history is incomplete', async () => {
    await rewindHistory('platform', platform, '0031_card_callbacks.sql');
    await expect(migratePlatform(owner)).rejects.toMatchObject(
      refusal(
        /^the database lacks migration platform\/0032_kyc_callbacks\.sql .* run `rowgate migrate` of the last version that has platform\/0044_departures\.sql, then of this one$/,
      ),
    );
  });

  test('fails when an older file was edited before it ran', async () => {
    await owner.query(
      "update rowgate.migration set checksum = 'x' where scope = 'platform' and name = '0007_invoicing.sql'",
    );
    await expect(migratePlatform(owner)).rejects.toMatchObject(
      refusal(/^migration platform\/0007_invoicing\.sql was edited before it ran/),
    );
  });

  test('fails when the history has a file of a later version', async () => {
    await owner.query("insert into rowgate.migration values ('platform', '0099_later.sql', 'x')");
    await expect(migratePlatform(owner)).rejects.toMatchObject(
      refusal(/^the database has migration platform\/0099_later\.sql, which this program does not/),
    );
  });

  test('records the baseline once when several processes run it at the same time', async () => {
    const clients = await Promise.all([1, 2, 3].map(() => database.connectOwner()));
    const ran = await Promise.all(clients.map((client) => migratePlatform(client)));
    expect(ran.flat().sort()).toEqual(ranLater);
    expect(await recorded('platform')).toEqual(allFiles);
  });

  test('keeps the older history when its connection is killed in the middle, and succeeds the next time', async () => {
    const before = await recorded('platform');
    await owner.query(`
      create function public.wait_here() returns trigger language plpgsql as
        $$ begin perform pg_advisory_xact_lock(17); return new; end $$;
      create trigger wait_here before insert on rowgate.migration
        for each row execute function public.wait_here()`);
    await owner.query('select pg_advisory_lock(17)');
    const killed = await database.connectOwner();
    const outcome = migratePlatform(killed).catch((error: Error) => error.message);
    const superuser = await database.connectSuperuser();
    await until(async () => {
      const { rows } = await superuser.query(
        `select pg_terminate_backend(pid) from pg_locks
         where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = $1)`,
        [database.name],
      );
      return rows.length > 0;
    });
    expect(await outcome).toContain('terminat');
    expect(await recorded('platform')).toEqual(before);
    await owner.query('select pg_advisory_unlock(17)');
    expect(await migratePlatform(owner)).toEqual(ranLater);
    expect(await recorded('platform')).toEqual(allFiles);
  });
});

test.each(['gateway', 'platform', 'seed'])(
  'migrate accepts a database that ran the earlier texts of the %s files, and runs nothing',
  async (scope) => {
    database = await createDatabase({ from: 'platform' });
    owner = await database.connectOwner();
    const earlier: Readonly<Record<string, readonly string[]>> = JSON.parse(
      await readFile(path.join(folderOf(scope), 'earlier-checksums.json'), 'utf8'),
    );
    const files = (await readdir(folderOf(scope))).filter((name) => name.endsWith('.sql'));
    expect(Object.keys(earlier).filter((name) => !files.includes(name))).toEqual([]);
    const { rowCount } = await owner.query(
      `update rowgate.migration m set checksum = c from unnest($2::text[], $3::text[]) e(n, c)
     where m.scope = $1 and m.name = n`,
      [scope, Object.keys(earlier), Object.values(earlier).map(([checksum]) => checksum)],
    );
    expect(rowCount).toBe(Object.keys(earlier).length);
    expect(await migratePlatform(owner)).toEqual([]);
  },
);

test('migrate recognizes an older database in which rules were applied', async () => {
  database = await createDatabase({ from: older });
  owner = await database.connectOwner();
  const metadata = await writeMetadata({
    'roles.yaml': 'roles: { member: {} }',
    'tables/invoice.yaml':
      'table: invoice\npermissions: { member: { select: { filter: { status: { _eq: paid } }, columns: "*" } } }',
  });
  const rolePrefix = `rowgate_${database.name}_`;
  await applyMetadata(owner, { metadata, rolePrefix, headerPrefix: 'X-Gql-' });
  await rewindHistory('platform', platform);
  await rewindHistory('seed', seed);
  expect(await migratePlatform(owner)).toEqual(ranLater);
  expect(await recorded('platform')).toEqual(allFiles);
});
