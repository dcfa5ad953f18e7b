import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrate } from '../../permissions/index.ts';
import { migrateEverything, migrateScopes } from '../../server/db/preparation.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { query } from '../support/query.ts';

const platform = fileURLToPath(new URL('../../sql/platform/', import.meta.url));

let database: TestDatabase;
let before: string;

beforeEach(async () => {
  database = await createDatabase();
  before = await mkdtemp(path.join(tmpdir(), 'rowgate-upgrade-'));
  await cp(platform, before, {
    recursive: true,
    filter: (file) => !/00(1[89]|[2-9]\d)_/.test(file),
  });
});

afterEach(async () => {
  await rm(before, { recursive: true });
  await database.drop();
});

test('keys of other tables follow a person’s id from the first sign-in on, and stay as they are otherwise', async () => {
  const owner = await database.connectOwner();
  await migrateScopes(owner, ['gateway']);
  await migrate(owner, before, 'platform');
  await query(
    database.ownerUrl,
    `create table public.note (
       late text constraint late references public."user" on delete cascade deferrable initially deferred,
       lazy text constraint lazy references public."user" deferrable,
       part text)`,
    'alter table public.note add constraint part foreign key (part) references public."user" not valid',
    'create table public.entry (author text constraint author references public."user", day integer) partition by list (day)',
    'create table public.entry_1 partition of public.entry for values in (1)',
  );
  await migrateEverything(owner);
  expect(
    await query(
      database.superuserUrl,
      `select c.conname as name, pg_get_constraintdef(c.oid) as definition from pg_constraint c
       where c.conname in ('late', 'lazy', 'part', 'author') and c.conparentid = 0
         and c.confrelid = 'public."user"'::regclass order by 1`,
    ),
  ).toEqual(
    [
      ['author', 'author', 'ON UPDATE CASCADE'],
      ['late', 'late', 'ON UPDATE CASCADE ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED'],
      ['lazy', 'lazy', 'ON UPDATE CASCADE DEFERRABLE'],
      ['part', 'part', 'ON UPDATE CASCADE NOT VALID'],
    ].map(([name, column, rest]) => ({
      name,
      definition: `FOREIGN KEY (${column}) REFERENCES "user"(id) ${rest}`,
    })),
  );
});
