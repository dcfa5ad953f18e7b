import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorOf } from '../support/error-of.ts';
import { type Ask, type Gateway, headersOf, startGateway } from '../support/gateway.ts';
import { kinds, operationsMetadata } from './world.ts';

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({
    metadata: { ...operationsMetadata, 'ops/kinds.graphql': kinds },
    unauthorizedRole: 'anybody',
  });
});
afterAll(() => gateway.stop());

describe('the limits that roles.yaml sets for a role', () => {
  const errorFor = async (query: string, role: string) =>
    errorOf(await gateway.ask(query, { role }));
  const deep = '{ article(limit: 1) { author { articles { id } } } }';

  test('refuse a selection that is nested too deeply', async () => {
    expect(await errorFor(deep, 'narrow')).toContain(
      'the operation is nested deeper than 2 levels',
    );
    expect((await gateway.ask(deep, { role: 'silent' })).errors).toBeUndefined();
  });

  test('refuse a condition that is nested too deeply', async () => {
    const query = '{ article(where: {author: {articles: {author: {id: {_eq: 1}}}}}) { id } }';
    expect(await errorFor(query, 'narrow')).toContain(
      'the operation is nested deeper than 2 levels',
    );
  });

  test("do not raise the limits of the server's settings", async () => {
    const way = Array.from({ length: 9 }, () => 'author { articles {').join(' ');
    const query = `{ article { ${way} id ${'}'.repeat(18)} } }`;
    expect(await errorFor(query, 'wide')).toContain('deeper than 15 levels');
  });

  test.each([
    ['fields', '{ article { id title author_id } }'],
    ['aliases', '{ article { a: id b: id c: id } }'],
    ['fragments', '{ article { ...f ...f ...f } } fragment f on article { id }'],
    ['inline fragments', '{ article { ... on article { id } ... { id title } } }'],
    ['root fields', '{ a: article { id } b: article { id } }'],
  ])('refuse too many selected fields: %s', async (_what, query) => {
    expect(await errorFor(query, 'narrow')).toBe(
      'node-limit-exceeded $ the operation selects more than 3 fields',
    );
  });

  test('count neither __typename nor introspection as fields', async () => {
    const query =
      '{ __typename article { __typename id title } __schema { types { name kind description } } }';
    expect((await gateway.ask(query, { role: 'narrow' })).errors).toBeUndefined();
  });

  test('refuse fragments that multiply fields early, before all of them are visited', async () => {
    const fragments = Array.from(
      { length: 40 },
      (_, n) => `fragment f${n} on article { ...f${n + 1} ...f${n + 1} }`,
    );
    const query = `{ article { ...f0 } } ${fragments.join(' ')} fragment f40 on article { id }`;
    expect(await errorFor(query, 'narrow')).toBe(
      'node-limit-exceeded $ the operation selects more than 3 fields',
    );
  });

  test('stop a statement that takes too long', async () => {
    const owner = await gateway.database.connectOwner();
    await owner.query('begin; lock table article in access exclusive mode');
    const answer = await gateway.ask('{ article { id } }', { role: 'hurried' });
    await owner.query('rollback');
    expect(errorOf(answer)).toBe(
      'time-limit-exceeded $ the operation took longer than 1000 ms and was stopped',
    );
  });
});

describe('the rate limit that roles.yaml sets for a role', () => {
  const run = (ask: Ask, headers: Record<string, string> = {}) =>
    gateway.send({
      headers: { ...headersOf(ask), ...headers },
      body: '{"query": "{ __typename }"}',
    });
  const failures = async (responses: readonly Response[]) => {
    const answers = await Promise.all(responses.map((one) => one.json() as Promise<object>));
    return answers.map((one) => 'errors' in one);
  };

  test('counts each caller (by session variables) separately', async () => {
    const session = (id: string): Ask => ({ role: 'slow', variables: { 'Organization-Id': id } });
    const responses = [await run(session('1')), await run(session('1')), await run(session('1'))];
    const third = responses[2]?.clone();
    const wait = Number(third?.headers.get('retry-after'));
    expect(third?.status).toBe(200);
    expect(wait).toBeGreaterThan(500);
    expect(await third?.json()).toEqual({
      errors: [
        {
          message: `role "slow" may run 2 operations in 600 s; try again in ${wait} s`,
          extensions: { path: '$', code: 'rate-limit-exceeded', retryAfter: wait },
        },
      ],
    });
    expect(await failures(responses)).toEqual([false, false, true]);
    expect(await failures([await run(session('2'))])).toEqual([false]);
  });

  test('counts requests without session variables by address, whatever headers they send', async () => {
    const from = (address: string) =>
      run({ role: 'slow' }, { 'X-Forwarded-For': address, 'X-Gql-Nobody': address });
    expect(
      await failures([await from('1.1.1.1'), await from('2.2.2.2'), await from('3.3.3.3')]),
    ).toEqual([false, false, true]);
  });

  test('counts each operation of a batch', async () => {
    const one = { query: '{ __typename }' };
    const headers = headersOf({ role: 'slow', variables: { 'Organization-Id': 'batch' } });
    const response = await gateway.send({ headers, body: JSON.stringify([one, one, one, one]) });
    expect(response.headers.get('retry-after')).not.toBeNull();
    const answers = (await response.json()) as readonly object[];
    expect(answers.map((answer) => Object.keys(answer)[0])).toEqual([
      'data',
      'data',
      'errors',
      'errors',
    ]);
  });

  test('counts failed operations', async () => {
    const headers = headersOf({ role: 'slow', variables: { 'Organization-Id': 'wrong' } });
    const init = { headers, body: '{"query": "{ nothing }"}' };
    const codes = [];
    for (const _ of [1, 2, 3])
      codes.push(errorOf((await (await gateway.send(init)).json()) as never).split(' ')[0]);
    expect(codes).toEqual(['validation-failed', 'validation-failed', 'rate-limit-exceeded']);
  });

  test('counts all callers of the role together if configured by role', async () => {
    const as = (id: string) => run({ role: 'shared', variables: { 'User-Id': id } });
    expect(await failures([await as('1'), await as('2'), await as('3')])).toEqual([
      false,
      false,
      true,
    ]);
  });

  test('counts callers with the same value of a session variable together if configured by this variable', async () => {
    const as = (user: string, organization: string) =>
      run({ role: 'personal', variables: { 'User-Id': user, 'Organization-Id': organization } });
    expect(
      await failures([
        await as('1', 'a'),
        await as('1', 'b'),
        await as('1', 'c'),
        await as('2', 'a'),
      ]),
    ).toEqual([false, false, true, false]);
  });

  test('causes status 429 at /v1alpha1/graphql, where errors are reported by the HTTP status', async () => {
    const headers = headersOf({ role: 'slow', variables: { 'Organization-Id': 'status' } });
    const init = { headers, body: '{"query": "{ __typename }"}' };
    const statuses = [];
    for (const _ of [1, 2, 3])
      statuses.push((await gateway.send(init, '/v1alpha1/graphql')).status);
    expect(statuses).toEqual([200, 200, 429]);
  });
});

describe('a role for which roles.yaml disables introspection', () => {
  test.each([
    '{ __schema { types { name } } }',
    '{ __type(name: "article") { name } }',
    '{ x: __schema { types { name } } }',
    '{ ... { ...f } } fragment f on query_root { __schema { types { name } } }',
  ])('gets an error for introspection: %s', async (query) => {
    expect(errorOf(await gateway.ask(query, { role: 'silent' }))).toBe(
      'not-supported $ introspection is disabled for role: "silent"',
    );
  });

  test('gets an error without suggestions of similar names for a wrong name', async () => {
    const query = 'query ($where: article_bool_ex) { article(limit: 1) { id } }';
    const errorOfRole = async (role: string) => errorOf(await gateway.ask(query, { role }));
    expect(await errorOfRole('silent')).toBe('validation-failed $ Unknown type "article_bool_ex".');
    expect(await errorOfRole('narrow')).toContain('Did you mean "article_bool_exp"');
  });

  test('can run all other queries, including __typename', async () => {
    const { data } = await gateway.ask('{ __typename article(limit: 1) { __typename } }', {
      role: 'silent',
    });
    expect(data).toEqual({ __typename: 'query_root', article: [{ __typename: 'article' }] });
  });
});

describe('the role of requests without credentials', () => {
  const stranger = async (query: string) => {
    const headers = { 'content-type': 'application/json' };
    const response = await gateway.send({ headers, body: JSON.stringify({ query }) });
    return (await response.json()) as never;
  };

  test('is subject to the limits and rules of its entry in roles.yaml', async () => {
    expect(await stranger('{ article(limit: 1) { id } }')).toHaveProperty('data');
    expect(errorOf(await stranger('{ article { author { articles { id } } } }'))).toContain(
      'deeper than 2 levels',
    );
    expect(errorOf(await stranger('{ __schema { types { name } } }'))).toContain(
      'introspection is disabled',
    );
  });
});
