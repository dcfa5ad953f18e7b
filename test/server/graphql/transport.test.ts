import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { whenSent } from '../../../server/graphql/transport/http/send-answer.ts';
import { errorOf } from './support/error-of.ts';
import { type Gateway, headersOf, memberOf, one, startGateway } from './support/gateway.ts';

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const post = (
  body: NonNullable<RequestInit['body']>,
  headers: Record<string, string> = {},
  place?: string,
) => gateway.send({ headers: { ...headersOf({}), ...headers }, body }, place);
const refusal = async (...args: Parameters<typeof post>) => {
  const response = await post(...args);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  return errorOf((await response.json()) as never);
};

describe('a body that is no GraphQL request', () => {
  test.each([
    ['{', 'invalid-json $ the request body is not valid JSON'],
    ['', 'invalid-json $ the request body is not valid JSON'],
    ['"text"', 'parse-failed $ expected an object with the key "query"'],
    ['null', 'parse-failed $ expected an object with the key "query"'],
    ['12345678901234567890', 'parse-failed $ expected an object with the key "query"'],
    ['{}', 'parse-failed $ key "query" not found'],
    ['{"query": 1}', 'parse-failed $.query expected a string'],
    ['{"query": null}', 'parse-failed $.query expected a string'],
    [
      '{"query": "{ __typename }", "operationName": 1}',
      'parse-failed $.operationName expected a string',
    ],
    ['[]', 'parse-failed $ the batch is empty'],
    [
      '{"query": "{ __typename }", "extensions": {"persistedQuery": {"version": 1}}}',
      'bad-request $.extensions.persistedQuery sha256Hash must be a SHA-256 in hexadecimal digits',
    ],
    ['{"documentId": 1}', 'parse-failed $.documentId expected a string'],
  ])('is refused: %s', async (body, expected) => {
    expect(await refusal(body)).toBe(expected);
  });

  test.each([['text/plain'], ['application/x-www-form-urlencoded'], ['application/graphql']])(
    'of type %s is refused',
    async (type) => {
      expect(await refusal('{"query": "{ __typename }"}', { 'content-type': type })).toBe(
        'invalid-headers $ the content type must be application/json',
      );
    },
  );

  test('with an unknown Content-Encoding is refused', async () => {
    expect(await refusal('{}', { 'content-encoding': 'zip' })).toBe(
      'invalid-headers $ the content encoding is not supported',
    );
  });

  test('that does not match its Content-Encoding is refused', async () => {
    expect(await refusal('{}', { 'content-encoding': 'gzip' })).toBe(
      'bad-request $ the request body cannot be read',
    );
  });
});

describe('a body that is not in UTF-8', () => {
  const latin = Buffer.from('{"query": "{ __typename }", "variables": {"name": "é"}}', 'latin1');

  test('is refused instead of being read with wrong characters', async () => {
    expect(await refusal(latin)).toBe('invalid-json $ the request body is not in UTF-8');
  });

  test.each([['iso-8859-1'], ['"UTF-16"']])(
    'and declares another charset is refused: %s',
    async (charset) => {
      const type = { 'content-type': `application/json; charset=${charset}` };
      expect(await refusal(latin, type)).toBe(
        'invalid-headers $ the request body must be in UTF-8',
      );
    },
  );
});

test.each([['utf-8'], ['"UTF-8"']])('a body with the charset %s is accepted', async (charset) => {
  const type = { 'content-type': `application/json; charset=${charset}` };
  const response = await post('{"query": "{ __typename }", "variables": {"name": "é"}}', type);
  expect(await response.json()).toEqual({ data: { __typename: 'query_root' } });
});

test('a request with a compressed body is answered', async () => {
  const body = gzipSync(JSON.stringify({ query: '{ __typename }' }));
  const response = await post(body, { 'content-encoding': 'gzip' });
  expect(await response.json()).toEqual({ data: { __typename: 'query_root' } });
});

test('a JSON body nested deeper than the limit is refused', async () => {
  expect(await refusal('['.repeat(501))).toBe(
    'parse-failed $ the request body is nested deeper than 500 levels',
  );
});

test('a JSON body nested exactly to the limit is accepted, even if its strings contain brackets', async () => {
  const deep = `${'['.repeat(498)}1e400, "\\"${'['.repeat(9)}"${']'.repeat(498)}`;
  const response = await post(`{"query": "{ __typename }", "variables": {"deep": ${deep}}}`);
  expect(await response.json()).toEqual({ data: { __typename: 'query_root' } });
});

test('null is accepted for the optional members variables, operationName and extensions of a request', async () => {
  const body = { query: '{ __typename }', variables: null, operationName: null, extensions: null };
  expect(await (await post(JSON.stringify(body))).json()).toEqual({
    data: { __typename: 'query_root' },
  });
});

test('an empty operationName is treated like an absent one', async () => {
  const query = 'query first { __typename } query second { __typename }';
  const ask = async (operationName?: string) =>
    errorOf((await (await post(JSON.stringify({ query, operationName }))).json()) as never);
  const withoutName = await ask();
  expect(await ask('')).toBe(withoutName);
  expect(await ask('third')).toBe(
    'validation-failed $ no such operation found in the document: "third"',
  );
  const single = JSON.stringify({ query: 'query named { __typename }', operationName: '' });
  expect(await (await post(single)).json()).toHaveProperty('data');
});

test.each([['GET'], ['PUT'], ['DELETE']])(
  'the method %s is answered with status 405',
  async (method) => {
    const response = await fetch(`${gateway.url}/v1/graphql`, { method, headers: headersOf({}) });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, POST');
    expect(errorOf((await response.json()) as never)).toBe(
      'bad-request $ only POST is allowed here, and GET for documents that the server knows',
    );
  },
);

test.each(['/V1/GraphQL', '/v1/graphql/', '/v1/graphql?query=1', '/v1alpha1/graphql/'])(
  'operations are answered at %s, because case, a slash at the end and the query do not matter',
  async (place) => {
    const response = await post('{"query": "{ __typename }"}', {}, place);
    expect(await response.json()).toEqual({ data: { __typename: 'query_root' } });
  },
);

test.each(['/v1/graphql//', '/v1/graphql/more', '/v1', '/%761/graphql'])(
  'operations are not answered at %s',
  async (place) => {
    const response = await post('{"query": "{ __typename }"}', {}, place);
    expect([response.status, await response.json()]).toMatchObject([404, { code: 'not-found' }]);
  },
);

test('HEAD is answered like GET, without a body', async () => {
  const ask = (method: string) =>
    fetch(`${gateway.url}/v1/graphql?documentId=a/b`, { method, headers: headersOf({}) });
  const [head, get] = [await ask('HEAD'), await ask('GET')];
  expect([head.status, await head.text()]).toEqual([get.status, '']);
  for (const name of ['content-length', 'content-type', 'cache-control'])
    expect(head.headers.get(name)).toBe(get.headers.get(name));
});

describe('a batch of operations in one HTTP request', () => {
  test('is answered with one result for each operation, even if one fails', async () => {
    const batch = [
      { query: '{ author_by_pk(id: 1) { id } }' },
      { query: '{ nothing }' },
      'nonsense',
      { query: 'query ($id: Int!) { author_by_pk(id: $id) { id } }', variables: { id: 2 } },
    ];
    expect(await (await post(JSON.stringify(batch))).json()).toEqual([
      { data: { author_by_pk: { id: 1 } } },
      {
        errors: [
          {
            message: "field 'nothing' not found in type: 'query_root'",
            extensions: { code: 'validation-failed', path: '$.selectionSet.nothing' },
          },
        ],
      },
      {
        errors: [
          {
            message: 'expected an object with the key "query"',
            extensions: { code: 'parse-failed', path: '$' },
          },
        ],
      },
      { data: { author_by_pk: { id: 2 } } },
    ]);
  });

  test('registers one listener for the end of its answer, however many operations it has', () => {
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    const before = response.listenerCount('close');
    const onceSent = whenSent(response);
    const sent: number[] = [];
    for (const operation of [1, 2, 3]) onceSent(() => sent.push(operation));
    expect(response.listenerCount('close')).toBe(before + 1);
    response.emit('close');
    expect(sent).toEqual([1, 2, 3]);
  });

  test('with only one operation is answered by a list with one answer', async () => {
    expect(await (await post('[{"query": "{ __typename }"}]')).json()).toEqual([
      { data: { __typename: 'query_root' } },
    ]);
  });
});

describe('the endpoint /v1alpha1/graphql', () => {
  const place = '/v1alpha1/graphql';

  test('answers errors with status 400', async () => {
    const response = await post('{"query": "{ author { nothing } }"}', {}, place);
    expect(response.status).toBe(400);
    expect(errorOf((await response.json()) as never)).toBe(
      "validation-failed $.selectionSet.author.selectionSet.nothing field 'nothing' not found in type: 'author'",
    );
  });

  test('answers data with status 200', async () => {
    const response = await post('{"query": "{ author_by_pk(id: 1) { id } }"}', {}, place);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ data: { author_by_pk: { id: 1 } } });
  });
});

test('many concurrent requests each get their own answer', async () => {
  const query = 'query ($id: Int!) { author_by_pk(id: $id) { id } }';
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, index) =>
      gateway.ask(query, { ...memberOf(one), with: { id: (index % 3) + 1 } }),
    ),
  );
  expect(answers.map(({ data }) => data.author_by_pk?.id ?? null)).toEqual(
    Array.from({ length: 100 }, (_, index) => [1, 2, null][index % 3]),
  );
});
