import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inspectCatalog } from '../../../permissions/catalog/inspect-catalog.ts';
import type { CatalogData } from '../../../permissions/catalog/types.ts';
import { compareVersions } from '../../../permissions/diff/compare/compare-versions.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { removeMetadata } from '../support/metadata-files.ts';
import { versionOf } from './support/versions.ts';

/** Without the check, the role can write a row that the check refuses. */
interface DroppedCheck {
  readonly what: string;
  readonly schema: string;
  readonly command: 'insert' | 'update';
  readonly rule: string;
  readonly check: string;
  /** The check afterwards. Default: none. */
  readonly next?: string;
}

const filters = { insert: '', update: ', filter: {}' };
const changes = `create function change() returns trigger language plpgsql
  as 'begin new.a := 5; return new; end';
  create trigger changing`;
const each = 'for each row execute function change()';

const droppedChecks: readonly DroppedCheck[] = [
  {
    what: 'a generated column that the filter compares',
    schema:
      'create table t (id int4 primary key, a int4, g int4 generated always as (a * 2) stored)',
    command: 'update',
    rule: 'columns: [a], filter: { g: 2 }',
    check: '{ g: 2 }',
  },
  {
    what: 'a variable that the role requires, which no policy checks',
    schema: 'create table t (id int4 primary key, a int4, team int4 not null)',
    command: 'insert',
    rule: 'columns: [id, a, team]',
    check: '{ _or: [{ a: 1 }, { team: { _eq: X-Gql-Team-Id, _neq: X-Gql-Team-Id } }] }',
    next: '{ a: 1 }',
  },
  {
    what: 'the default of a domain',
    schema:
      "create domain state as text default 'active'; create table t (id int4 primary key, state state)",
    command: 'insert',
    rule: 'columns: [id]',
    check: '{ state: { _is_null: true } }',
  },
  {
    what: 'a column of a view with a default below',
    schema:
      'create table below (id int4 primary key, a int4 default 5); create view t as select id, a from below',
    command: 'insert',
    rule: 'columns: [id]',
    check: '{ a: { _is_null: true } }',
  },
  ...(['insert', 'update'] as const).flatMap((command) => [
    {
      ...{ what: `a preset that numeric(10,2) rounds, in an ${command}`, command },
      schema: 'create table t (id int4 primary key, a numeric(10,2))',
      rule: `columns: [id], set: { a: 1.005 }${filters[command]}`,
      check: '{ a: { _lte: 1.005 } }',
    },
    {
      ...{ what: `a preset that a domain shortens, in an ${command}`, command },
      schema: 'create domain short as varchar(3); create table t (id int4 primary key, a short)',
      rule: `columns: [id], set: { a: "abc   " }${filters[command]}`,
      check: '{ a: { _neq: abc } }',
    },
    {
      ...{ what: `a preset that a trigger changes, in an ${command}`, command },
      schema: `create table t (id int4 primary key, a int4); ${changes} before ${command} on t ${each}`,
      rule: `columns: [id], set: { a: 1 }${filters[command]}`,
      check: '{ a: 1 }',
    },
  ]),
  {
    what: 'a filter whose column a trigger of an inheriting table changes',
    schema: `create table t (id int4 primary key, a int4, b int4); create table child () inherits (t);
      ${changes} before update on child ${each}`,
    command: 'update',
    rule: 'columns: [b], filter: { a: 1 }',
    check: '{ a: 1 }',
  },
];

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase({ from: 'empty' });
});
afterAll(async () => {
  await database.drop();
  await removeMetadata();
});

/** Returns the class of the change in a rule's check. */
async function classOf(
  { command, rule }: DroppedCheck,
  checks: readonly string[],
  catalog: CatalogData,
) {
  const [before, after] = await Promise.all(
    checks.map((check) => {
      const files = {
        'roles.yaml': 'roles: { writer: { requires: [X-Gql-Team-Id] } }\n',
        'tables/t.yaml': `table: t\npermissions:\n  writer: { ${command}: { ${rule}, check: ${check} } }\n`,
      };
      return versionOf(files, catalog);
    }),
  );
  const found = before && after ? compareVersions(before, after) : [];
  return found.filter(({ aspect }) => aspect === 'check').map((one) => one.class);
}

describe('the comparison of the rows that a role writes', () => {
  test.each(droppedChecks)('is not deceived by $what', async (dropped) => {
    const client = await database.connectOwner();
    await client.query(`begin; ${dropped.schema}`);
    const catalog = await inspectCatalog(client);
    await client.query('rollback');
    await client.end();
    const classes = await classOf(dropped, [dropped.check, dropped.next ?? '{}'], catalog);
    expect(classes).toHaveLength(1);
    expect(['dangerous', 'review']).toContain(classes[0]);
  });
});
