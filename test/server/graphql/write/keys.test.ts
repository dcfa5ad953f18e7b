import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dataOf } from '../support/data-of.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';

/** Types of keys, and a value of each as a client sends it. */
const keys: readonly (readonly [type: string, value: unknown])[] = [
  ['smallint', 7],
  ['bigint', '9007199254740993'],
  ['numeric', 1.5],
  ['text', "it's"],
  ['varchar(8)', 'word'],
  ['char(4)', 'ab'],
  ['citext', 'WoRd'],
  ['uuid', '00000000-0000-4000-8000-00000000000a'],
  ['date', '2024-02-29'],
  ['timestamptz', '2024-02-29T12:00:00+00:00'],
  ['boolean', true],
  ['inet', '10.0.0.1'],
  ['ltree', 'a.b'],
  ['mood', 'so so'],
  ['word', 'domain'],
  ['text[]', ['a', 'b']],
  ['int4range', '[1,5)'],
];

const own = '{ owner: { _eq: X-Gql-User } }';
const table = (index: number) => `t${index}`;

const schema = `
create type mood as enum ('ok', 'so so');
create domain word as varchar(10);
${keys
  .map(
    ([type], index) =>
      `create table ${table(index)} (key ${type} primary key, owner text, n integer default 0);`,
  )
  .join('\n')}
`;

const metadata = {
  'roles.yaml': 'roles: { keeper: {} }\n',
  ...Object.fromEntries(
    keys.map((_, index) => [
      `tables/${table(index)}.yaml`,
      `
table: ${table(index)}
permissions:
  keeper:
    select: { filter: {}, columns: '*' }
    insert: { check: {}, columns: '*' }
    update: { filter: ${own}, columns: [n] }
    delete: { filter: ${own} }
`,
    ]),
  ),
};

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ schema, metadata });
});
afterAll(() => gateway.stop());

async function as(user: string, query: string, variables: unknown) {
  const ask = { role: 'keeper', variables: { User: user }, with: variables };
  return Object.values(dataOf(await gateway.ask(`mutation ${query}`, ask)))[0];
}

describe.each(keys.map(([type, value], index) => ({ type, value, name: table(index) })))(
  'a primary key of type $type',
  ({ value, name }) => {
    test('finds its row in upserts, updates and deletes, and only for roles that may write the row', async () => {
      const upsert = (n: number) =>
        [
          `($o: ${name}_insert_input!) { insert_${name}_one(object: $o, on_conflict: {constraint: ${name}_pkey, update_columns: [n]}) { n } }`,
          { o: { key: value, owner: 'ann', n } },
        ] as const;
      const update = [
        `($k: ${name}_pk_columns_input!) { update_${name}_by_pk(pk_columns: $k, _inc: {n: 1}) { n } }`,
        { k: { key: value } },
      ] as const;
      const { data } = await gateway.ask(
        `{ __type(name: "mutation_root") { fields { name args { name type { ofType { name ofType { name } } kind } } } } }`,
      );
      const field = data.__type.fields.find(
        (one: { name: string }) => one.name === `delete_${name}_by_pk`,
      );
      const { type } = field.args[0];
      const declared = type.ofType.name ?? `[${type.ofType.ofType.name}]`;
      const remove = [
        `($k: ${declared}!) { delete_${name}_by_pk(key: $k) { n } }`,
        { k: value },
      ] as const;
      expect(await as('ann', ...upsert(1))).toEqual({ n: 1 });
      expect(await as('ann', ...upsert(2))).toEqual({ n: 2 });
      expect(await as('bob', ...upsert(3))).toBeNull();
      expect(await as('ann', ...update)).toEqual({ n: 3 });
      expect(await as('bob', ...update)).toBeNull();
      expect(await as('bob', ...remove)).toBeNull();
      expect(await as('ann', ...remove)).toEqual({ n: 3 });
    });
  },
);
