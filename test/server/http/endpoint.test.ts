import { gzipSync } from 'node:zlib';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Problem, problemSchema, Refusal } from '../../../server/http/answers/problem.ts';
import { type Access, publicAccess } from '../../../server/http/endpoint/access.ts';
import { serviceTag } from '../../../server/http/endpoint/api-tag.ts';
import { defineEndpoint } from '../../../server/http/endpoint/define-endpoint.ts';
import { inCookie } from '../../../server/http/endpoint/security-scheme.ts';
import { documentsTag } from '../../../server/platform/api-tags.ts';
import { startApp, type TestApp } from './support/app.ts';

const namedAccess: Access<string> = {
  schemes: [{ name: 'session', object: inCookie('sid', 'A cookie') }],
  admit: async (request) => {
    const name = request.get('x-name');
    if (name !== undefined) return name;
    throw new Refusal({ status: 401, code: 'unauthenticated', detail: 'say who you are' });
  },
};

const receivedBodies: unknown[] = [];

const noteAdding = defineEndpoint({
  method: 'post',
  path: '/notes/{noteId}/lines',
  operationId: 'addLine',
  tag: documentsTag,
  summary: 'Adds a line',
  access: namedAccess,
  params: Type.Object({ noteId: Type.String({ maxLength: 5 }) }),
  body: Type.Object(
    {
      text: Type.String({ minLength: 1, maxLength: 10 }),
      kind: Type.Optional(Type.Enum(['plain', 'loud'])),
      place: Type.Optional(Type.Union([Type.Literal('top'), Type.Literal('end')])),
      owner: Type.Optional(Type.String({ format: 'uuid' })),
      tags: Type.Optional(Type.Array(Type.Object({ rank: Type.Integer({ minimum: 1 }) }))),
    },
    { additionalProperties: false },
  ),
  answers: {
    201: { description: 'The line' },
    404: { description: 'No such note' },
  },
  limit: async (request) => {
    if (request.get('x-often') === undefined) return;
    const headers = { 'Retry-After': '7' };
    throw new Refusal({ status: 429, code: 'too-many-requests', detail: 'slower', headers });
  },
  handle: (input, response) => {
    receivedBodies.push(input.body);
    response.status(201).json({ who: input.who, params: input.params, body: input.body });
  },
});

const noteReading = defineEndpoint({
  method: 'get',
  path: '/notes/{noteId}/lines',
  operationId: 'readLines',
  tag: documentsTag,
  summary: 'The lines',
  access: publicAccess,
  query: Type.Object({ order: Type.Optional(Type.Enum(['up', 'down'])) }),
  answers: { 200: { description: 'Lines' } },
  handle: ({ query }, response) => void response.json({ query }),
});

const failing = defineEndpoint({
  method: 'get',
  path: '/fails',
  operationId: 'fail',
  tag: serviceTag,
  summary: 'Fails',
  access: publicAccess,
  answers: { 200: { description: 'Never' } },
  handle: () => {
    throw new Error('the password is hunter2');
  },
});

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ endpoints: [noteAdding, noteReading, failing] });
});
afterAll(() => app.stop());

const path = '/notes/n1/lines';
const json = { 'Content-Type': 'application/json', 'X-Name': 'Ada' };
const post = (body: NonNullable<RequestInit['body']>, headers: Record<string, string> = {}) =>
  app.fetch(path, { method: 'POST', headers: { ...json, ...headers }, body });
const isProblem = new Ajv2020().compile(problemSchema);

/** Returns status, code and detail of a problem document as one text. */
async function problemOf(answer: Promise<Response>): Promise<string> {
  const response = await answer;
  expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
  const problem = (await response.json()) as Problem;
  expect(isProblem(problem), JSON.stringify(isProblem.errors)).toBe(true);
  return `${response.status} ${problem.code}: ${problem.detail}`;
}

describe('an endpoint made by defineEndpoint', () => {
  test('passes the caller and the validated input to its handler', async () => {
    const response = await post('{"text":"hello"}');
    expect([response.status, await response.json()]).toEqual([
      201,
      { who: 'Ada', params: { noteId: 'n1' }, body: { text: 'hello' } },
    ]);
  });

  test('accepts a compressed JSON body', async () => {
    const response = await post(gzipSync('{"text":"hello"}'), { 'Content-Encoding': 'gzip' });
    expect(response.status).toBe(201);
  });

  test('accepts JSON with a media type that ends in +json', async () => {
    const type = 'application/merge-patch+json';
    expect((await post('{"text":"hello"}', { 'Content-Type': type })).status).toBe(201);
  });

  test('counts a request against its rate limit before it identifies the caller', async () => {
    const answer = app.fetch(path, { method: 'POST', headers: { 'X-Often': 'yes' } });
    expect(await problemOf(answer)).toBe('429 too-many-requests: slower');
    expect((await answer).headers.get('retry-after')).toBe('7');
  });

  test('identifies the caller before it reads the body, so that it reads no body of a refused caller', async () => {
    const answer = app.fetch(path, { method: 'POST', body: 'x'.repeat(5000) });
    expect(await problemOf(answer)).toBe('401 unauthenticated: say who you are');
  });

  test('ignores unknown query parameters', async () => {
    const response = await app.fetch(`${path}?order=up&utm=1&__proto__=1`);
    expect(response.status).toBe(200);
  });

  test('answers 500 without the reason when its handler fails', async () => {
    expect(await problemOf(app.fetch('/fails'))).toBe('500 unexpected: unexpected error');
  });
});

describe('the answer 400 to an invalid request names the mistake and its place', () => {
  test.each([
    ['{}', 'body.text is missing'],
    ['{"text":""}', 'body.text is empty'],
    ['{"text":"12345678901"}', 'body.text must have at most 10 characters'],
    ['{"text":1}', 'body.text must be a string'],
    ['{"text":"a","kind":"odd"}', 'body.kind must be one of plain, loud'],
    ['{"text":"a","place":"left"}', 'body.place must be one of top, end'],
    ['{"text":"a","owner":"me"}', 'body.owner must be a uuid'],
    ['{"text":"a","tags":{}}', 'body.tags must be a list'],
    ['{"text":"a","tags":[{"rank":1},{"rank":0}]}', 'body.tags[1].rank must be at least 1'],
    ['{"text":"a","tags":[{"rank":"x"}]}', 'body.tags[0].rank must be a whole number'],
    ['{"text":"a","more":1}', 'body.more is not known here'],
    ['{"text":1,"more":1}', 'body.more is not known here; body.text must be a string'],
    ['null', 'body must be an object'],
    ['"text"', 'body must be an object'],
    ['[]', 'body must be an object'],
    ['{', 'the body is not valid JSON'],
    ['', 'body.text is missing'],
  ])('for the body %s', async (body, detail) => {
    expect(await problemOf(post(body))).toBe(`400 bad-request: ${detail}`);
  });

  test('for an invalid query parameter', async () => {
    expect(await problemOf(app.fetch(`${path}?order=left`))).toBe(
      '400 bad-request: query.order must be one of up, down',
    );
  });

  test('for a query parameter that is given twice', async () => {
    expect(await problemOf(app.fetch(`${path}?order=up&order=down`))).toMatch(/^400 bad-request/);
  });

  test('for an invalid path parameter', async () => {
    const answer = app.fetch('/notes/n12345/lines', {
      method: 'POST',
      headers: json,
      body: '{"text":"a"}',
    });
    expect(await problemOf(answer)).toBe(
      '400 bad-request: path.noteId must have at most 5 characters',
    );
  });

  test('for at most ten of its mistakes', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `"n${index}":1`);
    const problem = await problemOf(post(`{"text":"a",${names.join(',')},"${'x'.repeat(200)}":1}`));
    expect(problem.split('; ')).toHaveLength(10);
  });
});

describe('a request body that the server cannot read', () => {
  test('is rejected with 413 when it is too large', async () => {
    expect(await problemOf(post(`{"text":"${'a'.repeat(1100)}"}`))).toBe(
      '413 body-too-large: the body is larger than 1024 bytes',
    );
  });

  test('is rejected with 413 when only its unpacked form is too large', async () => {
    const body = gzipSync(`{"text":"${'a'.repeat(100_000)}"}`);
    expect(await problemOf(post(body, { 'Content-Encoding': 'gzip' }))).toMatch(/^413/);
  });

  test.each([
    ['text/plain', 'the content type must be application/json'],
    ['application/x-www-form-urlencoded', 'the content type must be application/json'],
    ['multipart/form-data; boundary=x', 'the content type must be application/json'],
    ['application/json; charset=latin-9', 'the body must be in UTF-8'],
  ])('is rejected with 415 for the content type %s', async (type, detail) => {
    expect(await problemOf(post('{"text":"a"}', { 'Content-Type': type }))).toBe(
      `415 unsupported-media-type: ${detail}`,
    );
  });

  test('is rejected with 415 for an unknown content encoding', async () => {
    expect(await problemOf(post('{"text":"a"}', { 'Content-Encoding': 'zip' }))).toBe(
      '415 unsupported-media-type: the content encoding is not supported; use gzip, deflate or br',
    );
  });

  test('is rejected with 400 when it does not match its declared content encoding', async () => {
    expect(await problemOf(post('{"text":"a"}', { 'Content-Encoding': 'gzip' }))).toMatch(
      /^400 bad-request/,
    );
  });
});

describe('a JSON body that contains keys such as __proto__, to change object prototypes,', () => {
  test.each([
    ['{"text":"a","__proto__":{"admin":true}}', 'body.__proto__ is not known here'],
    [
      '{"text":"a","constructor":{"prototype":{"admin":true}}}',
      'body.constructor is not known here',
    ],
    ['{"__proto__":{"text":"a"}}', 'body.text is missing; body.__proto__ is not known here'],
  ])('is rejected with 400: %s', async (body, detail) => {
    expect(await problemOf(post(body))).toBe(`400 bad-request: ${detail}`);
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  test('changes no prototype when the key is nested in an allowed object', async () => {
    receivedBodies.length = 0;
    const body = '{"text":"a","tags":[{"rank":1,"__proto__":{"admin":true}}]}';
    expect((await post(body)).status).toBe(201);
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });
});

describe('a request to an endpoint with another method than its own', () => {
  test('is answered 405 with the allowed methods', async () => {
    const answer = app.fetch(path, { method: 'PUT' });
    expect(await problemOf(answer)).toBe(
      '405 method-not-allowed: PUT is not allowed here, but POST, GET, HEAD, OPTIONS',
    );
    expect((await answer).headers.get('allow')).toBe('POST, GET, HEAD, OPTIONS');
  });

  test('HEAD is answered like GET, without a body', async () => {
    const [head, get] = await Promise.all([app.fetch(path, { method: 'HEAD' }), app.fetch(path)]);
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'));
  });

  test('OPTIONS is answered with the allowed methods, without authentication', async () => {
    const response = await app.fetch(path, { method: 'OPTIONS' });
    expect([response.status, response.headers.get('allow')]).toEqual([
      204,
      'POST, GET, HEAD, OPTIONS',
    ]);
  });
});

describe('the OpenAPI description of an endpoint made by defineEndpoint', () => {
  test('includes the errors that follow from its authentication, rate limit and input', () => {
    expect(Object.keys(noteAdding.answers)).toEqual([
      '201',
      '400',
      '401',
      '403',
      '404',
      '413',
      '415',
      '429',
      '503',
    ]);
    expect(Object.keys(noteReading.answers)).toEqual(['200', '400', '503']);
    expect(Object.keys(failing.answers)).toEqual(['200']);
  });

  test('describes its errors as problem documents', () => {
    expect(noteAdding.answers[404]?.content).toEqual({ 'application/problem+json': problemSchema });
  });
});

test('every request to a server that is starting is answered 503 with Retry-After', async () => {
  const starting = await startApp({ endpoints: [noteReading], phase: 'starting' });
  const answer = starting.fetch(path);
  expect(await problemOf(answer)).toMatch(/^503 starting: /);
  expect((await answer).headers.get('retry-after')).toBe('1');
  await starting.stop();
});
