import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { errorOf } from '../support/error-of.ts';
import {
  type Answer,
  type Ask,
  type Gateway,
  headersOf,
  startGateway,
} from '../support/gateway.ts';
import { hashOf, kinds, operationSettings, operationsMetadata, persisted, post } from './world.ts';

let gateway: Gateway;
let forgetful: Pick<Gateway, 'send'>;
const settings = operationSettings({ persistedQueryBytes: 40 * 750 });
beforeAll(async () => {
  gateway = await startGateway({
    metadata: { ...operationsMetadata, 'ops/kinds.graphql': kinds },
    config: settings,
    unauthorizedRole: 'anybody',
  });
  forgetful = await gateway.beside(operationSettings({ persistedQueryBytes: 0 }));
});
afterAll(() => gateway.stop());

const linkTo = async (given: Record<string, string>, ask: Ask = { role: 'reader' }) => {
  const init = { method: 'GET', headers: headersOf(ask) };
  return gateway.send(init, `/v1/graphql?${new URLSearchParams(given)}`);
};
const extensions = (query: string) => JSON.stringify(persisted(hashOf(query)).extensions);

describe('a persisted query', () => {
  const query = 'query ($id: Int!) { author_by_pk(id: $id) { name } }';

  test('is unknown by its hash at first, is registered with its text, and then runs by its hash', async () => {
    const query = 'query asked($id: Int!) { author_by_pk(id: $id) { name } }';
    const known = persisted(hashOf(query));
    const variables = { id: 1 };
    expect(errorOf(await post(gateway, { ...known, variables }))).toBe(
      'PERSISTED_QUERY_NOT_FOUND $ PersistedQueryNotFound',
    );
    const answer = { data: { author_by_pk: { name: 'Ada' } } };
    expect(await post(gateway, { query, ...known, variables })).toEqual(answer);
    expect(await post(gateway, { ...known, variables })).toEqual(answer);
    expect(await post(gateway, { ...persisted(hashOf(query).toUpperCase()), variables })).toEqual(
      answer,
    );
    expect(await post(gateway, [{ ...known, variables }])).toEqual([answer]);
    expect(await post(gateway, { ...known, query: null, documentId: null, variables })).toEqual(
      answer,
    );
  });

  test('runs over GET', async () => {
    await post(gateway, { query, ...persisted(hashOf(query)), variables: { id: 1 } });
    const response = await linkTo({ extensions: extensions(query), variables: '{"id": 2}' });
    expect(response.headers.get('cache-control')).toBe('private, no-store');
    expect(await response.json()).toEqual({ data: { author_by_pk: { name: 'Bob' } } });
  });

  test('registered by one caller returns to another caller only rows that this caller may see', async () => {
    const secret = '{ author { secret } }';
    const registered = await gateway.send({
      headers: headersOf({}),
      body: JSON.stringify({ query: secret, ...persisted(hashOf(secret)) }),
    });
    expect(await registered.json()).toHaveProperty('data');
    expect(errorOf(await post(gateway, persisted(hashOf(secret))))).toContain(
      "field 'secret' not found",
    );
  });

  test('with a hash that does not match the query is refused and not stored', async () => {
    const other = persisted(hashOf('{ author { id } }'));
    expect(errorOf(await post(gateway, { query, ...other }))).toBe(
      'bad-request $.extensions provided sha does not match query',
    );
    expect(errorOf(await post(gateway, other))).toContain('PersistedQueryNotFound');
  });

  test('that does not fit the schema of the role is refused and not stored', async () => {
    const wrong = '{ nothing }';
    expect(errorOf(await post(gateway, { query: wrong, ...persisted(hashOf(wrong)) }))).toContain(
      "field 'nothing'",
    );
    expect(errorOf(await post(gateway, persisted(hashOf(wrong))))).toContain(
      'PersistedQueryNotFound',
    );
  });

  test('with another version of the protocol than 1 is refused', async () => {
    expect(errorOf(await post(gateway, persisted(hashOf(query), 2)))).toBe(
      'bad-request $.extensions.persistedQuery Unsupported persisted query version',
    );
  });

  test.each([['abc'], [`${'0'.repeat(63)}g`], ['../../etc/passwd']])(
    'with the hash %s is refused',
    async (hash) => {
      expect(errorOf(await post(gateway, persisted(hash)))).toBe(
        'bad-request $.extensions.persistedQuery sha256Hash must be a SHA-256 in hexadecimal digits',
      );
    },
  );

  test('is refused in the words of Apollo, and with its text in the words of Hasura, when persisted queries are switched off', async () => {
    const asked = { ...persisted(hashOf(query)), variables: { id: 1 } };
    expect(errorOf(await post(forgetful, asked))).toBe(
      'PERSISTED_QUERY_NOT_SUPPORTED $ PersistedQueryNotSupported',
    );
    for (const hash of [hashOf(query), hashOf('{ other }'), 'randomhash']) {
      expect(errorOf(await post(forgetful, { query, ...persisted(hash) }))).toBe(
        'not-supported $ Automatic Persisted Queries is not enabled',
      );
    }
    const unused = { query, variables: asked.variables, extensions: null };
    expect(await post(forgetful, unused)).toHaveProperty('data');
  });

  describe('of a caller who has registered few documents', () => {
    let fresh: Pick<Gateway, 'send'>;
    beforeEach(async () => {
      fresh = await gateway.beside(settings);
    });

    const own = Array.from({ length: 12 }, (_, index) => `{ author { id kept${index}: name } }`);
    const by = (user: string, role = 'reader'): Ask => ({ role, variables: { 'User-Id': user } });
    const send = async (body: object, ask: Ask) => {
      const response = await fresh.send({ headers: headersOf(ask), body: JSON.stringify(body) });
      return (await response.json()) as Answer;
    };
    const register = async (documents: readonly string[], callers: readonly Ask[]) => {
      for (const [index, query] of documents.entries()) {
        const caller = callers[index % callers.length] ?? {};
        await send({ query, ...persisted(hashOf(query)) }, caller);
      }
    };
    const isKept = async (query: string) => 'data' in (await send(persisted(hashOf(query)), {}));
    const many = (name: string, count: number) =>
      Array.from({ length: count }, (_, index) => `{ article { ${name}${index}: id } }`);

    test('stays stored while one other caller registers many documents in several roles', async () => {
      const flood = many('flood', 60);
      await register(own, [by('few')]);
      await register(flood, [
        by('many'),
        by('many', 'narrow'),
        by('many', 'silent'),
        by('many', 'wide'),
      ]);
      expect(await Promise.all(own.map(isKept))).not.toContain(false);
      expect(await isKept(flood[0] ?? '')).toBe(false);
      expect(await isKept(flood[59] ?? '')).toBe(true);
    });

    test('stays stored while many other callers fill the store', async () => {
      const single = '{ author { id single: name } }';
      await register([single], [by('fewer')]);
      for (const other of 'abcdefghi') await register(many(other, 12), [by(other)]);
      expect(await isKept(single)).toBe(true);
    });
  });
});

describe('a GET request', () => {
  test('cannot run a mutation', async () => {
    const zero = 'mutation { delete_article(where: {id: {_eq: 0}}) { affected_rows } }';
    await gateway.send({
      headers: headersOf({}),
      body: JSON.stringify({ query: zero, ...persisted(hashOf(zero)) }),
    });
    const response = await linkTo({ extensions: extensions(zero) }, {});
    expect(errorOf((await response.json()) as never)).toBe(
      'bad-request $ only queries can be run by GET; use POST',
    );
  });

  test('is refused if it contains the text of a query', async () => {
    const query = '{ author { id } }';
    const response = await linkTo({ query, extensions: extensions(query) });
    expect(errorOf((await response.json()) as never)).toBe(
      'bad-request $.query send documents by POST; a URL names them',
    );
  });

  test('from a page of another site is answered if it uses no session cookie', async () => {
    const place = `/v1/graphql?documentId=web/titles`;
    const headers = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://elsewhere.example' };
    const response = await gateway.send({ method: 'GET', headers }, place);
    expect(await response.json()).toHaveProperty('data');
  });

  test('with invalid JSON is refused', async () => {
    const response = await linkTo({ extensions: '{' });
    expect(errorOf((await response.json()) as never)).toBe(
      'invalid-json $.extensions "extensions" is not valid JSON',
    );
  });

  test('without a hash or documentId is answered with status 405', async () => {
    expect((await linkTo({ query: '{ author { id } }' })).status).toBe(405);
  });
});

describe('response headers for debugging', () => {
  const namesIn = ({ headers }: Response) =>
    [...headers.keys()].filter((name) => name.startsWith('x-rowgate-'));
  const body = '{"query": "{ __typename }"}';

  test('show role, Postgres role and duration to a client with the admin secret that requests them', async () => {
    const response = await gateway.send({
      headers: { ...headersOf({ role: 'reader' }), 'X-Gql-Debug': 'true' },
      body,
    });
    expect(response.headers.get('x-rowgate-role')).toBe('reader');
    expect(response.headers.get('x-rowgate-postgres-role')).toBe(
      `rowgate_${gateway.database.name}_reader`,
    );
    expect(response.headers.get('x-rowgate-time')).toMatch(/^\d+\.\d$/);
  });

  test('also appear if the operation fails', async () => {
    const headers = { ...headersOf({ role: 'reader' }), 'X-Gql-Debug': 'yes' };
    expect(namesIn(await gateway.send({ headers, body: '{"query": "{ nothing }"}' }))).toHaveLength(
      3,
    );
  });

  test('do not appear if the client does not request them', async () => {
    expect(namesIn(await gateway.send({ headers: headersOf({}), body }))).toEqual([]);
  });

  test.each([
    ['without the secret', {}],
    ['with a wrong secret', { 'X-Gql-Admin-Secret': 'wrong' }],
  ])('do not appear %s', async (_what, given: Record<string, string>) => {
    const headers = { 'content-type': 'application/json', 'X-Gql-Debug': 'true', ...given };
    expect(namesIn(await gateway.send({ headers, body }))).toEqual([]);
  });
});
