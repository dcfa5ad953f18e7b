import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { startTestServer, type TestServer } from '../support/http.ts';
import { headersOf } from './caller.ts';
import {
  alder,
  birch,
  growth,
  inForce,
  ofAlder,
  ofCleo,
  type Variables,
} from './rules-in-force.ts';

let database: TestDatabase;
let owner: pg.Client;
let server: TestServer;
beforeAll(async () => {
  database = await createDatabase({ from: 'applied' });
  owner = await database.connectOwner();
  server = await startTestServer({ database });
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

async function ask(role: string, variables: Variables, query: string) {
  return (await server.graphql(query, headersOf(role, variables))).body;
}

/** Returns the message of the error; fails when the response contains data. */
async function refusal(role: string, variables: Variables, query: string): Promise<string> {
  const body = await ask(role, variables, query);
  expect(body.data, query).toBeUndefined();
  return body.errors[0].message;
}

/** Returns the ids of the rows that the owner finds, to whom no policy applies. */
async function idsWhere(table: string, where: string): Promise<string[]> {
  const { rows } = await owner.query(`select id from public.${table} where ${where} order by id`);
  return rows.map((row) => row.id);
}

async function columnsOf(table: string): Promise<string[]> {
  const { rows } = await owner.query(
    'select attname from pg_attribute where attrelid = $1::regclass and attnum > 0 order by attnum',
    [`public.${table}`],
  );
  return rows.map((row) => row.attname);
}

const withPermission = /permission/;

describe.each(inForce)(
  'over GraphQL, the role $role on $table',
  ({ role, table, variables, where, columns }) => {
    test('gets all rows of its rule with every column of its rule', async () => {
      const names = columns === '*' ? await columnsOf(table) : columns;
      const { data } = await ask(
        role,
        variables,
        `{ ${table}(order_by: { id: asc }) { ${names.join(' ')} } }`,
      );
      const rows: Record<string, unknown>[] = data[table];
      expect(rows.map((row) => row.id)).toEqual(await idsWhere(table, where));
      expect(Object.keys(rows[0] ?? {})).toEqual([...names]);
    });

    test('gets a permission error for every other column, in selections, conditions, orders and aggregates', async () => {
      const hidden = (await columnsOf(table)).filter(
        (name) => columns !== '*' && !columns.includes(name),
      );
      for (const name of hidden) {
        for (const query of [
          `{ ${table} { ${name} } }`,
          `{ ${table}(where: { ${name}: { _is_null: true } }) { id } }`,
          `{ ${table}(where: { _not: { _or: [{ ${name}: { _is_null: true } }] } }) { id } }`,
          `{ ${table}(order_by: { ${name}: asc }) { id } }`,
          `{ ${table}(distinct_on: ${name}) { id } }`,
          `{ ${table}_aggregate { aggregate { max { ${name} } } } }`,
          `{ ${table}_aggregate { aggregate { count(columns: [${name}]) } } }`,
        ]) {
          expect(await refusal(role, variables, query), query).toMatch(withPermission);
        }
      }
    });

    test.each(Object.keys(variables))(
      'gets an error that names the missing variable without %s',
      async (missing) => {
        const others = Object.fromEntries(
          Object.entries(variables).filter(([name]) => name !== missing),
        );
        const header = `x-gql-${missing.replaceAll('_', '-')}`;
        expect(await refusal(role, others, `{ ${table} { id } }`)).toBe(
          `missing session variable: "${header}"`,
        );
      },
    );
  },
);

describe('GraphQL aggregates', () => {
  test.each([
    ['organization_admin', 'digital_wallet', ofAlder, `organization_id = '${alder}'`, 'usd_value'],
    ['accounting', 'invoice', {}, 'true', 'total'],
    ['front_office', 'digital_wallet', {}, 'true', 'usd_value'],
    ['front_office', 'otc_quote', {}, 'true', 'price'],
  ] as const)(
    'give %s on %s count, sum and average of the visible rows',
    async (role, table, variables, where, column) => {
      const { data } = await ask(
        role,
        variables,
        `{ ${table}_aggregate { aggregate { count sum { ${column} } avg { ${column} } } } }`,
      );
      const { rows } = await owner.query(
        `select count(*)::int as count, sum(${column})::float8 as sum, avg(${column})::float8 as avg from public.${table} where ${where}`,
      );
      const { count, sum, avg } = data[`${table}_aggregate`].aggregate;
      expect({ count, sum: sum[column] }).toEqual({ count: rows[0].count, sum: rows[0].sum });
      expect(avg[column]).toBeCloseTo(rows[0].avg, 6);
    },
  );

  test.each([
    ['investor', 'fund_subscription', ofCleo],
    ['auditor', 'invoice', {}],
    ['organization_admin', 'invoice', ofAlder],
  ] as const)(
    'are refused to %s on %s, because the rule does not allow aggregations',
    async (role, table, variables) => {
      const query = `{ ${table}_aggregate { aggregate { count } } }`;
      expect(await refusal(role, variables, query)).toMatch(withPermission);
    },
  );

  test('are refused through a relationship too, when the rule does not allow them', async () => {
    const query = '{ organization { invoices_aggregate { aggregate { count } } } }';
    expect(await refusal('organization_admin', ofAlder, query)).toMatch(withPermission);
  });
});

describe('rows of another organization over GraphQL', () => {
  const secrets = async () => {
    const { rows } = await owner.query(
      'select id::text as text from public.digital_wallet where organization_id <> $1 union select label from public.digital_wallet where organization_id <> $1 union select id::text from public.invoice where organization_id <> $1 union select id from public."user" where organization_id <> $1 union select id::text from public.organization where id <> $1',
      [alder],
    );
    return rows.map((row) => row.text as string);
  };

  test.each([
    '{ digital_wallet { id label organization { id name } } }',
    `{ digital_wallet(where: { _or: [{}, { label: { _is_null: true } }] }) { id label } }`,
    '{ digital_wallet(where: { _not: { id: { _is_null: true } } }) { id label } }',
    `{ organization(where: { id: { _eq: "${birch}" } }) { id name digital_wallets { id } } }`,
    `{ organization_by_pk(id: "${birch}") { name digital_wallets { id } users { id email } } }`,
    '{ organization { id digital_wallets { id label user { id organization { id digital_wallets { id } } } } users { id digital_wallets { id label } } } }',
    '{ digital_wallet_aggregate { nodes { id label organization { users { id } } } } }',
    '{ digital_wallet(order_by: { organization: { name: desc } }) { id label } }',
    '{ invoice(order_by: { organization: { digital_wallets_aggregate: { max: { label: desc } } } }) { id organization { invoices { id } } } }',
    '{ user(distinct_on: email, order_by: { email: desc }) { id email digital_wallets_aggregate { nodes { id } } } }',
  ])('do not appear in the answer to %s', async (query) => {
    const body = await ask('organization_admin', ofAlder, query);
    expect(body.errors).toBeUndefined();
    const text = JSON.stringify(body);
    for (const secret of await secrets()) expect(text).not.toContain(`"${secret}"`);
  });

  test('are null in a query by their key', async () => {
    const [id] = await idsWhere('digital_wallet', `organization_id = '${birch}'`);
    const { data } = await ask(
      'organization_admin',
      ofAlder,
      `{ digital_wallet_by_pk(id: "${id}") { id } }`,
    );
    expect(data).toEqual({ digital_wallet_by_pk: null });
  });
});

describe('the role investor on fund_subscription over GraphQL', () => {
  test('sees only its own subscriptions to allowed funds', async () => {
    const variables = { ...ofCleo, allowed_funds: `{${growth}}` };
    const { data } = await ask(
      'investor',
      variables,
      '{ fund_subscription { id fund { id name } } }',
    );
    expect(data.fund_subscription).toEqual([
      { id: '50000000-0000-4000-8000-000000000001', fund: { id: growth, name: 'Cedar Growth' } },
    ]);
  });

  test('gets an error when the list variable is not a list', async () => {
    const variables = { ...ofCleo, allowed_funds: 'all' };
    expect(await refusal('investor', variables, '{ fund_subscription { id } }')).toMatch(
      /"x-gql-allowed-funds" is not a valid array/,
    );
  });
});

describe('a role without rules on a table over GraphQL', () => {
  test('gets a permission error for that table', async () => {
    for (const [role, table] of [
      ['trader', 'invoice'],
      ['shareholder', 'digital_wallet'],
      ['accounting', 'user'],
      ['auditor', 'kyc_profile'],
      ['director', 'user'],
      ['front_office', 'invoice'],
      ['organization_member', 'invoice'],
    ] as const) {
      const variables = { ...ofAlder, ...ofCleo };
      expect(await refusal(role, variables, `{ ${table} { id } }`), role).toMatch(withPermission);
    }
  });
});

test('a role reads the last price and rate with their times, and with their sources if it may', async () => {
  const last = 'order_by: { quoted_at: desc }, limit: 1';
  const { data } = await ask(
    'auditor',
    ofAlder,
    `{ coin_price(${last}) { price source quoted_at } currency_rate(${last}) { rate source quoted_at } }`,
  );
  for (const [row] of [data.coin_price, data.currency_rate]) {
    expect(Date.parse(row.quoted_at)).toBeLessThanOrEqual(Date.now());
    expect(row.source).toEqual(expect.any(String));
  }
  const hidden = await refusal('organization_member', ofAlder, '{ coin_price { source } }');
  expect(hidden).toMatch(withPermission);
});
