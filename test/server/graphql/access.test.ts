import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { errorOf } from './support/error-of.ts';
import {
  type Ask,
  type Gateway,
  headersOf,
  memberOf,
  one,
  secret,
  startGateway,
} from './support/gateway.ts';

let gateway: Gateway;
/** Starts a separate gateway for a `describe`, so that earlier tests have opened no connections. */
const haveGateway = () => {
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.stop());
};

const query = '{ __typename author { id } }';

/** Returns the number of connections to Postgres that the gateway has opened for requests. */
async function connections(): Promise<number> {
  const superuser = await gateway.database.connectSuperuser();
  const { rows } = await superuser.query(
    `select count(*)::int as n from pg_stat_activity
     where application_name = 'rowgate' and datname = current_database()`,
  );
  await superuser.end();
  return rows[0].n;
}

const refusal = async (headers: Record<string, string>, source = query) => {
  const response = await gateway.send({
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query: source }),
  });
  expect(response.status).toBe(200);
  return errorOf((await response.json()) as never);
};

describe('before the gateway has opened a connection to Postgres', () => {
  haveGateway();
  // A refused request must not reach the database, not even to open a connection.
  afterEach(async () => expect(await connections()).toBe(0));

  test('a request without the admin secret is refused', async () => {
    expect(await refusal({})).toBe('access-denied $ x-gql-admin-secret required, but not found');
  });

  test.each([[''], ['wrong'], [`${secret}x`], [secret.slice(1)], [`${secret}, ${secret}`]])(
    'a request with the wrong admin secret %j is refused',
    async (wrong) => {
      expect(await refusal({ 'X-Gql-Admin-Secret': wrong })).toBe(
        'access-denied $ invalid x-gql-admin-secret',
      );
    },
  );

  test.each([['nobody'], ['postgres'], ['none'], ['rowgate_admin'], ['member"; --'], ['']])(
    'a request with the unknown role %j is refused',
    async (role) => {
      expect(errorOf(await gateway.ask(query, { role }))).toBe(
        `validation-failed $ role "${role}" does not exist`,
      );
    },
  );

  test('a request with a misspelt role gets the name of the role that it resembles', async () => {
    expect(errorOf(await gateway.ask(query, { role: 'Member' }))).toBe(
      'validation-failed $ role "Member" does not exist; did you mean "member"?',
    );
  });

  test('a request without a session variable that roles.yaml requires for its role is refused', async () => {
    const missing = 'not-found $ missing session variable: "x-gql-organization-id"';
    expect(errorOf(await gateway.ask('{ __typename }', { role: 'member' }))).toBe(missing);
    const empty = { role: 'member', variables: { 'Organization-Id': '' } };
    expect(errorOf(await gateway.ask('{ __typename }', empty))).toBe(missing);
  });

  test('a session variable that only a table rule reads is required when the query reads the table, and not for __typename', async () => {
    const ask = { role: 'picky', variables: { Level: '1' } };
    expect(errorOf(await gateway.ask('{ setting { name } }', ask))).toBe(
      'not-found $ missing session variable: "x-gql-owners"',
    );
    expect(await gateway.ask('{ __typename }', { role: 'picky' })).toEqual({
      data: { __typename: 'query_root' },
    });
  });

  test.each([
    ['{ article { author { id } } }'],
    ['{ article(where: {author: {}}) { id } }'],
    ['{ article(where: {_not: {_or: [{author: {id: {_eq: 1}}}]}}) { id } }'],
    ['{ article(order_by: {author: {name: asc}}) { id } }'],
    ['{ article_aggregate(where: {author: {}}) { aggregate { count } } }'],
    ['{ article_aggregate { nodes { author { id } } } }'],
    ['{ author_aggregate { aggregate { count } } }'],
    ['{ author_by_pk(id: 1) { id } }'],
  ])(
    'the query %s is refused without the session variable that the rule of table author reads',
    async (source) => {
      expect(errorOf(await gateway.ask(source, { role: 'linker' }))).toBe(
        'not-found $ missing session variable: "x-gql-organization-id"',
      );
    },
  );

  test.each([
    [{ Owners: '{}' }, 'not-found $ missing session variable: "x-gql-level"'],
    [
      { Owners: '{}', Level: 'high' },
      'parse-failed $ session variable "x-gql-level" is not a valid int4',
    ],
    [
      { Owners: '{}', Level: '99999999999' },
      'parse-failed $ session variable "x-gql-level" is not a valid int4',
    ],
    [
      { Owners: 'nonsense', Level: '1' },
      'parse-failed $ session variable "x-gql-owners" is not a valid array literal {…} of uuid',
    ],
    [
      { Owners: '{nonsense}', Level: '1' },
      'parse-failed $ session variable "x-gql-owners" is not a valid array literal {…} of uuid',
    ],
  ])(
    'a request with the missing or invalid session variables %j is refused',
    async (variables, expected) => {
      const ask = { role: 'picky', variables } as Ask;
      expect(errorOf(await gateway.ask('{ setting { name } }', ask))).toBe(expected);
    },
  );

  test('a session variable whose value does not fit its type is refused', async () => {
    expect(errorOf(await gateway.ask(query, memberOf(`${one}'; select 1`)))).toBe(
      'parse-failed $ session variable "x-gql-organization-id" is not a valid uuid',
    );
  });
});

describe('a request with valid headers', () => {
  haveGateway();

  test('a request uses a Postgres connection that stays open afterwards', async () => {
    await gateway.ask(query);
    expect(await connections()).toBe(1);
  });

  test('a request without a role has the role admin', async () => {
    expect((await gateway.ask(query)).data.author).toHaveLength(3);
    expect((await gateway.ask(query, { role: 'admin' })).data.author).toHaveLength(3);
  });

  test('may write header names in upper or lower case', async () => {
    const headers = {
      'content-type': 'application/json',
      'x-gql-ADMIN-secret': secret,
      'X-GQL-ROLE': 'member',
      'x-gQl-organization-ID': one,
    };
    const response = await gateway.send({ headers, body: JSON.stringify({ query }) });
    expect(await response.json()).toMatchObject({ data: { author: [{ id: 1 }, { id: 2 }] } });
  });

  test('a session variable that no rule reads is accepted and has no effect', async () => {
    const ask = { role: 'member', variables: { 'Organization-Id': one, 'Is-Superuser': 'on' } };
    expect((await gateway.ask(query, ask)).data.author).toHaveLength(2);
  });

  test('a rule with an array session variable returns the rows of all its values, and none for an empty array', async () => {
    const names = async (Owners: string) => {
      const ask = { role: 'picky', variables: { Owners, Level: '0' } };
      const { data } = await gateway.ask('{ setting { name } }', ask);
      return data.setting.map((row: { name: string }) => row.name);
    };
    expect(await names(`{${one}}`)).toEqual(['Theme']);
    expect(await names('{}')).toEqual([]);
  });

  test('a query is answered without a session variable that only the rules of other tables read', async () => {
    const { data } = await gateway.ask('{ article { id } }', { role: 'linker' });
    expect(data.article).toHaveLength(5);
  });

  test('the admin secret appears neither in answers nor in the log', async () => {
    await gateway.send({ headers: headersOf({}), body: '{' });
    expect(gateway.log.join('')).not.toContain(secret);
  });
});
