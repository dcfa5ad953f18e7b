import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hostileNames } from '../names/hostile-names.ts';
import { type Installation, install } from '../support/installation.ts';
import { removeMetadata } from '../support/metadata-files.ts';
import { eventsOf } from './captured.ts';

/**
 * Names that the capture function uses for its own variables and tables. User-defined tables and columns may have the
 * same names.
 */
const ours: readonly (readonly [string, string])[] = [
  ...['o', 'n', 'c1', 'place', 'whole', 'fired', 'found', 'above', 'relid', 'tg_op', 'event'],
  ...['rowgate_old', 'rowgate_new', 'rowgate/old', 'rowgate/new', 'rowgate/sent', 'old', 'new'],
  ...['trigger', 'data', 'setting', 'who', 'role'],
].map((name) => [`our name ${name}`, name]);

const names = [
  ...hostileNames.filter(([, name]) => !ours.some(([, own]) => own === name)),
  ...ours,
];

const schema = names
  .map(([, name]) => pg.escapeIdentifier(name))
  .map(
    (n) => `create schema ${n};
      create table ${n}.${n} (id int primary key, ${n} text, rest text) partition by range (id);
      create table ${n}.part partition of ${n}.${n} default;`,
  )
  .join('\n');

// JSON is valid YAML, so names need no other quoting.
const files = names.map(([, name], index) => {
  const chosen = { columns: [name], payload: [name], order_by: [name] };
  const hook = { operations: ['update', 'insert', 'delete'], webhook: '/hook' };
  const events = { [`all${index}`]: hook, [`some${index}`]: { ...hook, ...chosen } };
  return [
    `tables/${index}.yaml`,
    JSON.stringify({ table: { schema: name, name }, graphql: { name: `t${index}` }, events }),
  ];
});

let made: Installation;
beforeAll(async () => {
  made = await install({
    schema,
    rules: { 'roles.yaml': 'roles: {}\n', ...Object.fromEntries(files) },
  });
});
afterAll(async () => {
  await made.drop();
  await removeMetadata();
});

test('tables with event triggers and unusual names leave nothing pending after apply', async () => {
  expect(await made.pending()).toEqual([]);
});

describe.each(names)('%s, as the name of a schema, a table and a column', (_why, name) => {
  const n = pg.escapeIdentifier(name);
  const table = `${n}.${n}`;
  const label = `${name}.${name}`;

  test('does not change what insert, update and delete events contain', async () => {
    const events = await eventsOf(
      made.owner,
      `insert into ${table} values (1, 'a', 'b'); update ${table} set ${n} = 'c'; update ${n}.part set rest = 'd'; delete from ${table}`,
    );
    const first = { id: 1, [name]: 'a', rest: 'b' };
    const second = { ...first, [name]: 'c' };
    const third = { ...second, rest: 'd' };
    const rows = events.map((one) => [one.table, one.op, one.old, one.new, one.key]);
    expect(rows).toEqual([
      [label, 'INSERT', null, first, null],
      [label, 'INSERT', null, { [name]: 'a' }, '["a"]'],
      [label, 'UPDATE', first, second, null],
      [label, 'UPDATE', { [name]: 'a' }, { [name]: 'c' }, '["c"]'],
      [label, 'UPDATE', second, third, null],
      [label, 'DELETE', third, null, null],
      [label, 'DELETE', { [name]: 'c' }, null, '["c"]'],
    ]);
  });
});
