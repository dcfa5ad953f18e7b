import pg from 'pg';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { formatDiagnostic } from '../../../permissions/index.ts';
import { listenForApplied } from '../../../server/db/notices/applied-listener.ts';
import { Reloading } from '../../../server/gateway/reloading.ts';
import { errorOf } from './support/error-of.ts';
import { type Gateway, startGateway } from './support/gateway.ts';
import { unlistedTypes } from './support/unlisted-types.ts';

const long = `a${'b'.repeat(62)}`;

const schema = `
create table colors (value text primary key, comment text);
create table "odd Moods" (mood varchar primary key);
create table person (
  id int primary key, name text not null unique, color text not null references colors, other_color text references colors,
  mood varchar references "odd Moods" default 'glad', plain text);
create table thing (color text references colors, size int not null, owner_id int references person, primary key (color, size));`;

const rows = `
insert into colors values ('red', '#f00'), ('green', ''), ('blue', null), ('constructor', 'odd'), ('toString', null), ('${long}', 'long');
insert into "odd Moods" values ('glad'), ('sad');
insert into person values (1, 'Ada', 'red', null, 'sad', 'red'), (2, 'Bob', 'blue', 'red', null, null);
insert into thing values ('red', 1, 1), ('blue', 2, 1);`;

const asAtFirst = `truncate colors, "odd Moods", person, thing; ${rows}`;

const metadata = {
  'roles.yaml': `roles:
  user: { group: a, purpose: sees people and no enum table }
  keeper: { group: a, purpose: keeps colors }
`,
  'tables/colors.yaml': `table: colors
is_enum: true
permissions:
  keeper:
    select: { filter: { value: { _neq: red } }, columns: '*' }
    insert: { check: {}, columns: '*' }
    delete: { filter: { value: { _neq: red } } }
`,
  'tables/moods.yaml': `table: odd Moods
is_enum: true
graphql: { name: mood }
`,
  'tables/person.yaml': `table: person
permissions:
  user:
    select: { filter: { color: { _neq: blue } }, columns: '*', allow_aggregations: true }
    insert: { check: { color: { _in: [red, green] } }, columns: '*' }
    update: { filter: {}, columns: [color, other_color, mood, name] }
`,
  'tables/thing.yaml': `table: thing
permissions:
  user:
    select: { filter: {}, columns: '*' }
    insert: { check: {}, columns: '*' }
`,
};

let gateway: Gateway;
let owner: pg.Client;
beforeAll(async () => {
  gateway = await startGateway({ schema: schema + rows, metadata });
  owner = await gateway.database.connectOwner();
});
beforeEach(() => owner.query(asAtFirst));
afterAll(() => gateway.stop());

const user = { role: 'user' };

/** Runs apply and returns only its warnings about the rows of enum tables. */
async function warningsOfApply(): Promise<readonly string[]> {
  const { warnings } = await gateway.apply();
  return warnings.filter(({ code }) => code === 'RG_ENUM').map(formatDiagnostic);
}

describe('the GraphQL enum type of a table declared as an enum (is_enum)', () => {
  test('has a name that cannot conflict with the type of another table', async () => {
    expect(await unlistedTypes(gateway)).toEqual([]);
  });

  test('contains every value with its description, whatever rows of the table the role may see', async () => {
    const query = `{ table: __type(name: "colors") { name } enum: __type(name: "colors_enum") { kind enumValues { name description } } }`;
    expect((await gateway.ask(query, user)).data).toEqual({
      table: null,
      enum: {
        kind: 'ENUM',
        enumValues: [
          { name: long, description: 'long' },
          { name: 'blue', description: null },
          { name: 'constructor', description: 'odd' },
          { name: 'green', description: null },
          { name: 'red', description: '#f00' },
          { name: 'toString', description: null },
        ],
      },
    });
  });

  test('is the type of exactly those columns that have a foreign key to the table', async () => {
    const query = `{ __type(name: "person") { fields { name type { name ofType { name } } } } }`;
    const { data } = await gateway.ask(query, user);
    const fields = data.__type.fields as {
      name: string;
      type: { name: string; ofType: { name: string } };
    }[];
    const types = Object.fromEntries(
      fields.map(({ name, type }) => [name, type.name ?? type.ofType.name]),
    );
    expect(types).toMatchObject({
      ...{ color: 'colors_enum', other_color: 'colors_enum', mood: 'mood_enum', plain: 'String' },
    });
  });

  test('can be compared only for equality, and has no min or max', async () => {
    const query = `{ comparison: __type(name: "colors_enum_comparison_exp") { inputFields { name } }
      least: __type(name: "person_min_fields") { fields { name } } }`;
    const { data } = await gateway.ask(query, user);
    const names = (list: { name: string }[]) => list.map(({ name }) => name);
    expect(names(data.comparison.inputFields)).toEqual(['_eq', '_in', '_is_null', '_neq', '_nin']);
    expect(names(data.least.fields)).toEqual(['id', 'name', 'plain']);
  });
});

describe('a value of an enum table', () => {
  test('can be read, and used in where, order_by, distinct_on and by_pk', async () => {
    const query = `query ($some: [colors_enum!], $one: colors_enum = red) {
      in: person(where: { color: { _in: $some } }) { name color other_color mood }
      is: person(where: { color: { _eq: $one }, mood: { _neq: glad } }) { name }
      null: person(where: { other_color: { _is_null: true } }, order_by: { mood: asc }, distinct_on: [mood]) { name }
      key: thing_by_pk(color: blue, size: 2) { size }
      count: person_aggregate { aggregate { count(columns: [color], distinct: true) } }
    }`;
    const { data } = await gateway.ask(query, { ...user, with: { some: ['red', 'constructor'] } });
    expect(data).toEqual({
      in: [{ name: 'Ada', color: 'red', other_color: null, mood: 'sad' }],
      is: [{ name: 'Ada' }],
      null: [{ name: 'Ada' }],
      key: { size: 2 },
      count: { aggregate: { count: 1 } },
    });
  });

  test('is accepted in inserts, updates, upserts and nested inserts', async () => {
    const insert = `mutation ($color: colors_enum!) {
      insert_person(objects: [{ id: 3, name: "Cyd", color: $color, mood: sad }]) { returning { color mood } }
      insert_thing_one(object: { color: red, size: 3, owner: { data: { id: 4, name: "Dot", color: green } } }) { color owner { color mood } }
      again: insert_person_one(object: { id: 3, name: "Cyd", color: red, other_color: ${long} }, on_conflict: { constraint: person_pkey, update_columns: [color, other_color] }) { color other_color }
      update_person(where: { color: { _eq: green } }, _set: { color: constructor, other_color: null }) { returning { name color } }
    }`;
    expect((await gateway.ask(insert, { ...user, with: { color: 'green' } })).data).toEqual({
      insert_person: { returning: [{ color: 'green', mood: 'sad' }] },
      insert_thing_one: { color: 'red', owner: { color: 'green', mood: 'glad' } },
      again: { color: 'red', other_color: long },
      update_person: { returning: [{ name: 'Dot', color: 'constructor' }] },
    });
  });

  test.each([
    ['"red"', "expected an enum value for type 'colors_enum', but found a string"],
    ['1', "expected an enum value for type 'colors_enum', but found an integer"],
    [
      'pink',
      `expected one of the values ['${long}', 'blue', 'constructor', 'green', 'red', 'toString'] for type 'colors_enum', but found 'pink'`,
    ],
    ['__proto__', "but found '__proto__'"],
    ['hasOwnProperty', "but found 'hasOwnProperty'"],
    ['null', "unexpected null value for type 'colors_enum'"],
  ])('cannot be given in the document as %s', async (given, message) => {
    const query = `{ person(where: { color: { _eq: ${given} } }) { name } }`;
    expect(errorOf(await gateway.ask(query, user))).toContain(message);
  });

  test.each(['pink', '__proto__', 1, ['red']])(
    'cannot be given in a variable as %j',
    async (color) => {
      const query =
        'query ($color: colors_enum) { person(where: { color: { _eq: $color } }) { name } }';
      const answer = await gateway.ask(query, { ...user, with: { color } });
      expect(answer.errors?.[0]?.extensions).toEqual({
        code: 'validation-failed',
        path: '$.selectionSet.person.args.where.color._eq',
      });
    },
  );

  test('is compared as text in the check of a rule', async () => {
    const query =
      'mutation { insert_person_one(object: { id: 9, name: "Eve", color: blue }) { id } }';
    expect(errorOf(await gateway.ask(query, user))).toContain('check constraint');
  });

  test('is read as text by a Postgres role in SQL', async () => {
    const client = new pg.Client({ connectionString: gateway.gatewayUrl });
    await client.connect();
    await client.query(`set role "rowgate_${gateway.database.name}_user"`);
    const { rows } = await client.query('select distinct color from person where id < 3');
    await client.end();
    expect(rows).toEqual([{ color: 'red' }]);
  });
});

describe('an enum table', () => {
  afterEach(async () => {
    await owner.query(asAtFirst);
    await gateway.reload();
  });

  test('can be queried like any other table', async () => {
    const { data } = await gateway.ask('{ colors(where: { value: { _like: "g%" } }) { value } }', {
      role: 'keeper',
    });
    expect(data).toEqual({ colors: [{ value: 'green' }] });
  });

  test('sends a Postgres notification when its values change, and a reloaded gateway accepts the new value', async () => {
    const noticed = Promise.withResolvers<void>();
    const listener = listenForApplied({
      url: async () => gateway.gatewayUrl,
      onListening: async () => {
        await gateway.ask('mutation { insert_colors_one(object: { value: "pink" }) { value } }', {
          role: 'keeper',
        });
      },
      onApplied: async () => {},
      onEnumRows: async () => noticed.resolve(),
      logger: pino({ level: 'silent' }),
    });
    await noticed.promise;
    await listener.close();
    await gateway.reload();
    const query =
      'mutation { update_person(where: { id: { _eq: 1 } }, _set: { color: pink }) { affected_rows } }';
    expect((await gateway.ask(query, user)).data).toEqual({ update_person: { affected_rows: 1 } });
  });

  test('is loaded again by the gateway if values have changed or apply has run, and not otherwise', async () => {
    let version = 'first';
    const reloading = new Reloading({
      served: gateway.service,
      appliedVersion: async () => version,
      servedVersion: version,
      logger: pino({ level: 'silent' }),
    });
    const outcomes = [];
    for (const statement of [
      'delete from colors where false',
      "insert into colors values ('grey')",
      "update colors set comment = 'dull' where value = 'grey'",
      "delete from colors where value = 'grey'",
    ]) {
      await owner.query(statement);
      reloading.enumsMayDiffer = true;
      outcomes.push(await reloading.update());
    }
    version = 'second';
    outcomes.push(await reloading.update(), await reloading.update());
    expect(outcomes).toEqual(['unneeded', 'done', 'done', 'done', 'done', 'unneeded']);
  });

  test('omits values that are no valid GraphQL names, and the log and apply warn about these values', async () => {
    await owner.query(`insert into colors values ('not a name'), ('true'), ('__proto__')`);
    await gateway.reload();
    const query = '{ __type(name: "colors_enum") { enumValues { name } } }';
    const { data } = await gateway.ask(query, user);
    expect(data.__type.enumValues.map(({ name }: { name: string }) => name)).not.toContain('true');
    await gateway.service.hasOtherEnums();
    const warnings = gateway.log.filter((line) =>
      line.includes('public.colors holds \\"not a name\\", which cannot be a value'),
    );
    expect(warnings).toHaveLength(1);
    expect(await warningsOfApply()).toEqual([
      expect.stringContaining('public.colors holds "__proto__"'),
      expect.stringContaining('public.colors holds "not a name"'),
      expect.stringContaining('public.colors holds "true"'),
    ]);
  });

  test('with 2000 invalid values still offers all valid ones', async () => {
    await owner.query("insert into colors select ' ' || n from generate_series(1, 2000) n");
    await gateway.reload();
    const query = '{ __type(name: "colors_enum") { enumValues { name } } }';
    const { data } = await gateway.ask(query, user);
    expect(data.__type.enumValues).toHaveLength(6);
    expect(await warningsOfApply()).toHaveLength(10);
  });

  test('with more than 1000 values causes a warning of apply that the rest is omitted', async () => {
    await owner.query("insert into colors select 'c' || n from generate_series(1, 1000) n");
    expect(await warningsOfApply()).toEqual([
      expect.stringContaining('has more than 1000 values; the rest is left out'),
    ]);
  });

  test('with a value that is no valid GraphQL name shows the value as text in rows that refer to it', async () => {
    await owner.query(`insert into colors values ('not a name');
      update person set color = 'not a name', other_color = 'not a name' where id = 1`);
    await gateway.reload();
    const query = `{ person(order_by: { color: asc }) { color other_color mood }
      green: person(where: { color: { _neq: green } }) { color }
      group: person_aggregate(distinct_on: [color]) { nodes { color } } }`;
    expect((await gateway.ask(query, user)).data).toEqual({
      person: [{ color: 'not a name', other_color: 'not a name', mood: 'sad' }],
      green: [{ color: 'not a name' }],
      group: { nodes: [{ color: 'not a name' }] },
    });
  });

  test.each([
    '{ person(where: { color: { _eq: $it } }) { name } }',
    'mutation { update_person(where: {}, _set: { color: $it }) { affected_rows } }',
  ])(
    'with a value that is no valid GraphQL name refuses this value as input: %s',
    async (operation) => {
      await owner.query(`insert into colors values ('not a name')`);
      await gateway.reload();
      const [word = ''] = operation.match(/^mutation /) ?? ['query '];
      const query = `${word}($it: colors_enum!) ${operation.slice(operation.indexOf('{'))}`;
      const answer = await gateway.ask(query, { ...user, with: { it: 'not a name' } });
      expect(answer.errors?.[0]?.extensions.code).toBe('validation-failed');
    },
  );

  test('without rows is served as a plain text column, and apply warns about it', async () => {
    await owner.query('update person set mood = null; delete from "odd Moods"');
    await gateway.reload();
    const { data } = await gateway.ask(
      '{ person(where: { mood: { _like: "%" } }) { name } }',
      user,
    );
    expect(data).toEqual({ person: [] });
    expect(await warningsOfApply()).toEqual([
      expect.stringContaining('the enum table public.odd Moods is empty'),
    ]);
  });
});
