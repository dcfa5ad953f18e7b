import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Model, UniqueConstraint } from '../../../permissions/index.ts';
import { tableAccess } from '../../../permissions/role-view.ts';
import { askAs } from '../support/as-role.ts';
import { type Installation, install } from '../support/installation.ts';
import { removeMetadata } from '../support/metadata-files.ts';
import { someoneWaits } from '../support/waiting.ts';

const schema = `
create table item (id integer primary key, v text);
create table hashed (id integer primary key, v text) partition by hash (id);
create table hashed_1 partition of hashed for values with (modulus 2, remainder 0);
create table hashed_2 partition of hashed for values with (modulus 2, remainder 1);
create schema types;
create type types.mood as enum ('glad', 'sad');
create domain types.price as numeric(6,1) not null;
create table felt (mood types.mood, price types.price, at timestamp(0), v text, primary key (mood, price, at));
create table gained (id integer primary key, twice integer generated always as (id * 2) stored unique, v text);
create table owned (id integer primary key, by text, v text, unique (by, v));
create table recorded (id integer);
create function record() returns trigger language plpgsql security definer as
  $$ begin insert into recorded values (new.id); return null; end $$;
create trigger record after insert or update on item for each row execute function record();
`;

const blind = (table: string) => `
table: ${table}
permissions:
  sales: { insert: { check: {}, columns: '*' }, update: { filter: {}, columns: [v] } }
`;

const rules = {
  'roles.yaml': 'roles: { sales: {}, half: {} }\n',
  'tables/item.yaml': `${blind('item')}
  half:
    select: { filter: { v: { _neq: hidden } }, columns: [v] }
    insert: { check: {}, columns: '*' }
    update: { filter: {}, columns: [v] }
`,
  'tables/hashed.yaml': blind('hashed'),
  'tables/felt.yaml': blind('felt'),
  'tables/owned.yaml': blind('owned').replace('[v]', '[v], set: { by: X-Gql-User }'),
  'tables/gained.yaml': blind('gained').replace("'*'", '[id, v]'),
};

let made: Installation;
let gateway: pg.Client;
let model: Model;
beforeAll(async () => {
  made = await install({ schema, rules });
  gateway = await made.connectGateway();
  model = await made.model();
});
afterAll(async () => {
  await made.drop();
  await removeMetadata();
});
beforeEach(async () => {
  await made.owner.query(
    "truncate item; insert into item values (1, 'old'), (2, 'hidden'); truncate recorded",
  );
});

/** Returns the conflict lookups of a role on a table by name of the constraint. `change` alters the constraints first. */
function lookupsOf(role: string, name: string, change: Partial<UniqueConstraint> = {}) {
  const [found, table] = [model.roles.get(role), model.tables.get(`public.${name}`)];
  const rules = table && found?.tables.get(table.key);
  if (!found || !rules) throw new Error(`no ${name} for ${role}`);
  const uniqueConstraints = table.uniqueConstraints.map((one) => ({ ...one, ...change }));
  const { upserts } = tableAccess(found, { ...table, uniqueConstraints }, rules, model.tables);
  return upserts.conflictLookups;
}

function lookupOf(role: string, table: string, constraint: string) {
  return lookupsOf(role, table).get(constraint)?.name;
}

/** Inserts a row with v 'new', or changes v of the conflicting row to `value`. Returns 'inserted' or 'changed'. */
async function upsert(role: string, table: string, key: string, value = `'changed'`) {
  const caller = await made.caller(role);
  const lookup = lookupOf(role, table, `${table}_pkey`);
  const returning = (write: string, what: string) =>
    `$q$with n as (${write} returning 1) select '${what}' from n$q$`;
  const texts = [
    returning(`insert into public.${table} values (${key}, 'new')`, 'inserted'),
    `'{public,${table},${table}_pkey}'`,
    `$q$select rowgate_api.${lookup}(${key})$q$`,
    returning(`update public.${table} set v = ${value} where current of rowgate_rows`, 'changed'),
  ];
  const text = `select rowgate_api.insert_else(${texts.join(', ')}, '{}')`;
  return (await askAs(gateway, caller, text, 'commit')).rows[0]?.[0];
}

async function held(table: string) {
  const { rows } = await made.owner.query({ text: `table ${table} order by 1`, rowMode: 'array' });
  return rows;
}

/**
 * Runs an upsert of item 1 that finds the row and then waits, while a concurrent transaction runs the given statements.
 */
async function meanwhile(rivals: string) {
  const rival = await made.database.connectOwner();
  onTestFinished(() => rival.end());
  await rival.query('select pg_advisory_lock(7)');
  const asked = upsert('sales', 'item', '1', `(select 'changed' from pg_advisory_xact_lock(7))`);
  await expect.poll(() => someoneWaits(rival)).toBe(true);
  await rival.query(`${rivals}; select pg_advisory_unlock(7)`);
  return asked;
}

describe('insert_else, by which GraphQL runs an upsert on a key that the role does not read,', () => {
  test('updates the conflicting row and fires triggers with their own search_path', async () => {
    expect(await upsert('sales', 'item', '1')).toBe('changed');
    expect(await upsert('sales', 'item', '3')).toBe('inserted');
    expect(await held('recorded')).toEqual([[1], [3]]);
  });

  test('inserts the row, when a concurrent transaction takes the key from the conflicting row meanwhile', async () => {
    expect(await meanwhile('update item set id = 9 where id = 1')).toBe('inserted');
    expect(await held('item')).toEqual([
      [1, 'new'],
      [2, 'hidden'],
      [9, 'old'],
    ]);
  });

  test('updates the row to which a concurrent transaction gives the key meanwhile', async () => {
    const rivals = `begin; update item set id = 9 where id = 1; insert into item values (1, 'rival'); commit`;
    expect(await meanwhile(rivals)).toBe('changed');
    expect(await held('item')).toEqual([
      [1, 'changed'],
      [2, 'hidden'],
      [9, 'old'],
    ]);
  });

  test('inserts the row, when a concurrent transaction deletes the conflicting row meanwhile', async () => {
    expect(await meanwhile('delete from item where id = 1')).toBe('inserted');
    expect(await held('item')).toEqual([
      [1, 'new'],
      [2, 'hidden'],
    ]);
  });

  test('updates the conflicting row although a concurrent transaction changes the row meanwhile', async () => {
    expect(await meanwhile(`update item set v = 'rival' where id = 1`)).toBe('changed');
  });

  test('neither updates nor inserts when the select rule hides the conflicting row', async () => {
    expect(await upsert('half', 'item', '2')).toBeNull();
    expect(await upsert('half', 'item', '1')).toBe('changed');
    expect(await held('item')).toEqual([
      [1, 'changed'],
      [2, 'hidden'],
    ]);
  });

  test('updates conflicting rows in every partition', async () => {
    await made.owner.query("insert into hashed select n, 'old' from generate_series(1, 4) n");
    for (const id of [1, 2, 3, 4]) {
      expect(await upsert('sales', 'hashed', String(id))).toBe('changed');
    }
  });

  test('finds the row by a key that the column types round, with types in other schemas', async () => {
    const key = (price: string, at: string) => `'glad', ${price}, '2026-01-01 ${at}'`;
    expect(await upsert('sales', 'felt', key('1.5', '10:00:00'))).toBe('inserted');
    expect(await upsert('sales', 'felt', key('1.46', '10:00:00.4'))).toBe('changed');
    expect(await upsert('sales', 'felt', key('1.44', '10:00:00'))).toBe('inserted');
  });
});

describe('a role that may not read a unique key', () => {
  test('has no conflict lookup if Postgres generates a column of the key', () => {
    expect(lookupOf('sales', 'gained', 'gained_twice_key')).toBeUndefined();
    expect(lookupOf('sales', 'gained', 'gained_pkey')).toBeDefined();
  });

  test('has no conflict lookup if two nulls in the key conflict', () => {
    expect(lookupsOf('sales', 'item').size).toBe(1);
    expect(lookupsOf('sales', 'item', { nullsDistinct: false }).size).toBe(0);
  });

  test('has no conflict lookup if the update rule presets a column of the key', () => {
    expect(lookupOf('sales', 'owned', 'owned_by_v_key')).toBeUndefined();
  });
});
