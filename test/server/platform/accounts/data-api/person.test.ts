import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sha256 } from '../../../../../server/graphql/known-documents/sha256.ts';
import type { TestServer } from '../../../../support/http.ts';
import { Browser } from '../support/browser.ts';
import type { LocalIssuer } from '../support/local-issuer.ts';
import { bearerOf, makeNewcomer, signedIn } from '../support/people.ts';
import { makeWorld, type World } from '../support/world.ts';

const alder = '00000000-0000-4000-8000-000000000001';
const birch = '00000000-0000-4000-8000-000000000002';
const investor = 'local|alder-investor';
const admin = 'local|alder-admin';
const appOrigin = 'https://app.example.com';

let world: World;
let server: TestServer;
let sql: World['sql'];
beforeAll(async () => {
  world = await makeWorld({ ROWGATE_APP_ORIGINS: appOrigin });
  ({ server, sql } = world);
});
afterAll(() => world.end());

const bearer = (...token: Parameters<LocalIssuer['tokenFor']>) => bearerOf(world, ...token);
const signIn = (subject: string) => signedIn(world, subject);
const newcomer = (name: string, ...roles: string[]) => makeNewcomer(world, name, ...roles);
const role = (name: string) => ({ 'X-Gql-Role': name });

const error = (code: string, message?: string) => ({
  errors: [{ ...(message && { message }), extensions: { code } }],
});
const notAllowed = error('access-denied', 'your requested role is not in allowed roles');

describe.each([
  ['session cookie', 'cookie', async (subject: string) => [await signIn(subject), {}] as const],
  [
    'token',
    'token',
    async (subject: string) => [new Browser(server), await bearer(subject)] as const,
  ],
])('a GraphQL request authenticated by a %s', (_credential, name, identify) => {
  test('without a role header acts in the role user', async () => {
    const [client, headers] = await identify(investor);
    const { data } = await client.graphql('{ user { id } }', headers);
    expect(data.user).toEqual([{ id: investor }]);
  });

  test("in another role that the person has sees only rows of the person's own organization", async () => {
    const [client, headers] = await identify(admin);
    const { data } = await client.graphql(
      `{ digital_wallet_aggregate { aggregate { count } }
         organization { id } birch: organization(where: { id: { _eq: "${birch}" } }) { id } }`,
      { ...headers, ...role('organization_admin') },
    );
    const [row] = (await sql(
      `select count(*)::int as count from public.digital_wallet where organization_id = '${alder}'`,
    )) as [{ count: number }];
    expect(data.digital_wallet_aggregate.aggregate.count).toBe(row.count);
    expect(data.organization).toEqual([{ id: alder }]);
    expect(data.birch).toEqual([]);
  });

  test('as an investor sees only subscriptions of the funds that the server lists in a session variable', async () => {
    const [client, headers] = await identify(investor);
    const { data } = await client.graphql('{ fund_subscription { id fund_id } }', {
      ...headers,
      ...role('investor'),
    });
    const expected = await sql(
      `select s.id, s.fund_id from public.fund_subscription s
       join public.fund_access a on a.fund_id = s.fund_id and a.user_id = s.user_id
       where s.user_id = '${investor}'`,
    );
    expect(data.fund_subscription).toHaveLength(expected.length);
    expect(data.fund_subscription).toEqual(expect.arrayContaining(expected));
    expect(expected.length).toBeGreaterThan(0);
  });

  test.each([['accounting'], ['no_such_role'], ['admin'], ['ADMIN'], ['__proto__'], ['']])(
    'with the role %j, which the person does not have, is refused; the message is the same for every such role',
    async (name) => {
      const [client, headers] = await identify(investor);
      expect(await client.graphql('{ __typename }', { ...headers, ...role(name) })).toMatchObject(
        notAllowed,
      );
    },
  );

  test('with a role that the person has but the metadata lacks is refused', async () => {
    const subject = await newcomer(`odd-${name}`, 'retired_role');
    const [client, headers] = await identify(subject);
    expect(
      await client.graphql('{ __typename }', { ...headers, ...role('retired_role') }),
    ).toMatchObject(notAllowed);
  });

  test('with the role admin is refused even when the database lists that role for the person', async () => {
    const subject = await newcomer(`greedy-${name}`, 'admin');
    const [client, headers] = await identify(subject);
    expect(await client.graphql('{ __typename }', { ...headers, ...role('admin') })).toMatchObject(
      notAllowed,
    );
  });

  test.each([
    ['X-Gql-User-Id', 'local|birch-investor'],
    ['X-Gql-Organization-Id', birch],
    ['x-gql-allowed-funds', '{}'],
    ['X-Gql-Use-Backend-Only-Permissions', 'true'],
    ['X-Gql-Anything', '1'],
  ])(
    'with the session variable header %s is refused, because only the server may set variables',
    async (name, value) => {
      const [client, headers] = await identify(admin);
      expect(
        await client.graphql('{ organization { id } }', {
          ...headers,
          ...role('organization_admin'),
          [name]: value,
        }),
      ).toMatchObject(error('invalid-headers'));
    },
  );

  test('with a wrong admin secret is refused although the person is valid', async () => {
    const [client, headers] = await identify(admin);
    expect(
      await client.graphql('{ __typename }', { ...headers, 'X-Gql-Admin-Secret': 'x' }),
    ).toMatchObject(error('access-denied', 'invalid x-gql-admin-secret'));
  });

  test('with the right admin secret acts as admin instead of as the person', async () => {
    const [client, headers] = await identify(investor);
    const { data } = await client.graphql('{ organization { id } }', {
      ...headers,
      'X-Gql-Admin-Secret': server.adminSecret,
    });
    expect(data.organization.length).toBeGreaterThan(1);
  });

  test('is refused in a role from the next request after that role was taken away', async () => {
    const subject = await newcomer(`former-${name}`, 'organization_admin');
    const [client, headers] = await identify(subject);
    const ask = () =>
      client.graphql('{ organization { id } }', { ...headers, ...role('organization_admin') });
    const before = await ask();
    await sql(
      `delete from public.user_role where user_id = '${subject}' and role = 'organization_admin'`,
    );
    expect(before.data.organization).toEqual([{ id: alder }]);
    expect(await ask()).toMatchObject(notAllowed);
  });

  test.each([
    ['disabled', `update public."user" set status = 'disabled' where id =`],
    ['deleted', `delete from public."user" where id =`],
  ])('is refused from the next request after the person was %s', async (how, statement) => {
    const subject = await newcomer(`${how}-${name}`);
    const [client, headers] = await identify(subject);
    const before = await client.graphql('{ user { id } }', headers);
    await sql(`${statement} '${subject}'`);
    const after = await client.graphql('{ user { id } }', headers);
    expect(before.data.user).toEqual([{ id: subject }]);
    expect(after.errors[0].extensions.code).toMatch(/^(invalid-jwt|access-denied)$/);
  });

  test('is refused from the next request after the admin role has deleted the person over GraphQL', async () => {
    const subject = await newcomer(`erased-${name}`);
    const [client, headers] = await identify(subject);
    const before = await client.graphql('{ user { id } }', headers);
    const erased = await server.graphql(
      'mutation ($id: String!) { delete_user_by_pk(id: $id) { id } }',
      {},
      { id: subject },
    );
    const after = await client.graphql('{ user { id } }', headers);
    expect(before.data.user).toEqual([{ id: subject }]);
    expect(erased.body).toEqual({ data: { delete_user_by_pk: { id: subject } } });
    expect(after.errors[0].extensions.code).toMatch(/^(invalid-jwt|access-denied)$/);
    expect(await sql(`select from rowgate_auth.session where user_id = '${subject}'`)).toEqual([]);
  });

  test('applies the permissions of the role to every operation of a batch', async () => {
    const [client, headers] = await identify(admin);
    const response = await client.fetch('/v1/graphql', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        ...headers,
        ...role('organization_admin'),
      },
      body: JSON.stringify([
        { query: '{ organization { id } }' },
        { query: '{ organization { iban } }' },
        { query: '{ organization { id } }' },
      ]),
    });
    const own = { data: { organization: [{ id: alder }] } };
    expect(await response.json()).toMatchObject([own, error('validation-failed'), own]);
  });
});

describe('a GraphQL request with an Authorization header', () => {
  test('acts as the person of the header when a cookie names another person', async () => {
    const browser = await signIn(investor);
    const { data } = await browser.graphql('{ user { id } }', await bearer('local|birch-member'));
    expect(data.user).toEqual([{ id: 'local|birch-member' }]);
  });

  test.each(['Bearer x.y.z', 'Basic bWU6aHVudGVyMg==', 'Bearer'])(
    'that is invalid (%s) is refused despite a valid session cookie',
    async (authorization) => {
      const browser = await signIn(investor);
      expect(
        await browser.graphql('{ user { id } }', { Authorization: authorization }),
      ).toMatchObject(error('invalid-jwt'));
    },
  );

  test('is refused when its valid token names a person without a user account', async () => {
    expect(
      await new Browser(server).graphql('{ user { id } }', await bearer('idp|never')),
    ).toMatchObject(error('invalid-jwt'));
  });
});

describe('a GraphQL request with a session cookie', () => {
  test.each([
    ['Origin', 'https://evil.example'],
    ['Sec-Fetch-Site', 'cross-site'],
  ])('is refused when a page of another site sends it (%s)', async (name, value) => {
    const browser = await signIn(investor);
    expect(await browser.graphql('{ user { id } }', { [name]: value })).toMatchObject(
      error('access-denied'),
    );
  });

  test('is accepted when a page of an allowed application sends it', async () => {
    const browser = await signIn(investor);
    const { data } = await browser.graphql('{ user { id } }', { Origin: appOrigin });
    expect(data.user).toEqual([{ id: investor }]);
  });

  describe('by GET, such as a link that a browser opens,', () => {
    const query = '{ user { linked: id } }';
    const extensions = { persistedQuery: { version: 1, sha256Hash: sha256(query) } };
    const follow = async (client: Browser, headers: Readonly<Record<string, string>>) => {
      const place = `/v1/graphql?${new URLSearchParams({ extensions: JSON.stringify(extensions) })}`;
      return (await client.fetch(place, { headers })).json();
    };
    const elsewhere = { 'Sec-Fetch-Site': 'cross-site' };
    const found = { data: { user: [{ linked: investor }] } };
    let browser: Browser;
    beforeAll(async () => {
      browser = await signIn(investor);
      const body = JSON.stringify({ query, extensions });
      const headers = { 'Content-Type': 'application/json' };
      await browser.fetch('/v1/graphql', { method: 'POST', headers, body });
    });

    test.each([
      ['from a link on another site', elsewhere],
      ['from a page of another site', { ...elsewhere, Origin: 'https://evil.example' }],
    ])('%s is refused', async (_what, headers) => {
      expect(await follow(browser, headers)).toMatchObject(error('access-denied'));
    });

    test.each([
      ['from a page of this server', { 'Sec-Fetch-Site': 'same-origin' }],
      ['from a page of an allowed application', { ...elsewhere, Origin: appOrigin }],
    ])('%s is accepted', async (_what, headers) => {
      expect(await follow(browser, headers)).toEqual(found);
    });

    test('is accepted with a token instead of the cookie, from any page', async () => {
      const headers = { ...elsewhere, Origin: 'https://evil.example', ...(await bearer(investor)) };
      expect(await follow(new Browser(server), headers)).toEqual(found);
    });
  });

  test('is refused with a message about the session when that session has ended', async () => {
    const browser = await signIn(investor);
    const { cookie } = browser;
    await browser.fetch('/auth/session', { method: 'DELETE' });
    expect(await new Browser(server, cookie).graphql('{ user { id } }')).toMatchObject(
      error('access-denied', 'the session is over; sign in again'),
    );
  });
});

test('a GraphQL request without credentials is refused with a message about the admin secret', async () => {
  expect(await new Browser(server).graphql('{ user { id } }')).toMatchObject(
    error('access-denied', 'x-gql-admin-secret required, but not found'),
  );
});
