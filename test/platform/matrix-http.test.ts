import path from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadModel } from '../../permissions/index.ts';
import type { Model, RoleModel } from '../../permissions/types/model.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { startTestServer, type TestServer } from '../support/http.ts';
import { type DemoCaller, headersOf, variablesOf } from './caller.ts';
import { roleNames } from './role-names.ts';
import type { Variables } from './rules-in-force.ts';

const metadata = path.resolve(import.meta.dirname, '../../metadata');

let database: TestDatabase;
let owner: pg.Client;
let server: TestServer;
let model: Model;
beforeAll(async () => {
  database = await createDatabase({ from: 'applied' });
  owner = await database.connectOwner();
  server = await startTestServer({ database });
  model = await loadModel({ metadata, client: owner, headerPrefix: 'X-Gql-' });
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

async function ask(role: string, variables: Variables, query: string) {
  return (await server.graphql(query, headersOf(role, variables))).body;
}

test('the tests of this file cover every role except admin', () => {
  expect(roleNames).toEqual([...model.roles.keys()].filter((name) => name !== 'admin'));
});

/** Returns the people with a role, each with the variables of a session in that role. */
async function callers(role: string): Promise<readonly Variables[]> {
  const { rows } = await owner.query(
    `select u.id as user_id, u.organization_id::text,
       coalesce((select array_agg(a.fund_id) from public.fund_access a where a.user_id = u.id), '{}')::text as allowed_funds
     from public.user_role r join public."user" u on u.id = r.user_id
     where r.role = $1 and u.status = 'active' order by u.id`,
    [role],
  );
  return rows;
}

function readable(role: string): string[] {
  return [...(model.roles.get(role) as RoleModel).tables].flatMap(([key, rules]) =>
    rules.select ? [model.tables.get(key)?.graphqlName ?? ''] : [],
  );
}

describe.each(roleNames)('over GraphQL, the role %s', (role) => {
  test('sees rows of at least three tables, and each person with the role sees some rows', async () => {
    const query = `{ ${readable(role)
      .map((table) => `${table}(limit: 1) { __typename }`)
      .join(' ')} }`;
    const people = await callers(role);
    expect(people).not.toEqual([]);
    const filled: number[] = [];
    for (const person of people) {
      const { data, errors } = await ask(role, person, query);
      expect(errors).toBeUndefined();
      filled.push(Object.values<unknown[]>(data).filter((rows) => rows.length > 0).length);
    }
    expect(Math.max(...filled)).toBeGreaterThanOrEqual(3);
    expect(Math.min(...filled)).toBeGreaterThan(0);
  });

  test('gets a permission error for every table without a rule', async () => {
    const [person = {}] = await callers(role);
    const open = new Set(readable(role));
    const closed = [...model.tables.values()].filter(({ graphqlName }) => !open.has(graphqlName));
    expect(closed).not.toEqual([]);
    for (const { graphqlName } of closed) {
      const body = await ask(role, person, `{ ${graphqlName} { __typename } }`);
      expect(body.errors?.[0].message, graphqlName).toMatch(/permission/);
      expect(body.data, graphqlName).toBeUndefined();
    }
  });
});

test.each<[string, DemoCaller, string]>([
  [
    'organization_admin',
    { organization: 'alder' },
    '{ fiat_withdrawal_request { account_token } }',
  ],
  ['user', { by: 'alder-investor' }, '{ kyc_profile { risk_level } }'],
  ['user', { by: 'alder-investor' }, '{ user { platform_admin } }'],
  ['director', {}, '{ case { title } }'],
  ['director', {}, '{ report { user { id } } }'],
  ['accounting', {}, '{ card_transaction { merchant_name } }'],
  ['auditor', {}, '{ invoice { cost_breakdown } }'],
  ['front_office', {}, '{ digital_wallet { user { id } } }'],
  [
    'investor',
    { by: 'alder-investor', funds: [1] },
    '{ fund { fund_subscriptions_aggregate { aggregate { count } } } }',
  ],
  ['organization_member', { organization: 'alder' }, '{ digital_wallet { usd_value } }'],
])('over GraphQL, the role %s (%o) gets a permission error for %s', async (role, who, query) => {
  const body = await ask(role, variablesOf(who), query);
  expect(body.errors?.[0].message).toMatch(/permission/);
});

test.each<[string, DemoCaller, string, unknown]>([
  [
    'trades of its fund with the fund and the settlements',
    { funds: [1] },
    '{ trade_request { pair fund { name } trade_settlements { status } } }',
    {
      trade_request: [
        {
          pair: 'SOL/USD',
          fund: { name: 'Cedar Growth' },
          trade_settlements: [{ status: 'failed' }, { status: 'pending' }],
        },
      ],
    },
  ],
  [
    'people who invest in its fund, without their subscriptions to other funds',
    { funds: [5] },
    '{ user(where: { fund_subscriptions: {} }) { id fund_subscriptions { subscription_amount } } }',
    {
      user: [
        {
          id: 'local|dogwood-investor',
          fund_subscriptions: [{ subscription_amount: expect.any(Number) }],
        },
      ],
    },
  ],
])('over GraphQL, fund_manager sees %s', async (_what, who, query, expected) => {
  expect((await ask('fund_manager', variablesOf(who), query)).data).toEqual(expected);
});

test('over GraphQL, aggregates of an organization_admin count exactly the visible rows', async () => {
  const query = '{ card_transaction_aggregate { aggregate { count sum { amount } } } }';
  const { data } = await ask('organization_admin', variablesOf({ organization: 'alder' }), query);
  const { rows } = await owner.query(
    `select count(*)::int as count, sum(amount)::float8 as amount from public.card_transaction where organization_id = '00000000-0000-4000-8000-000000000001'`,
  );
  const [{ count, amount }] = rows;
  expect(count).toBeGreaterThan(0);
  expect(data.card_transaction_aggregate.aggregate).toEqual({ count, sum: { amount } });
});
