import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createDatabase, type TestDatabase } from '../../support/database.ts';
import { startTestServer, type TestServer } from '../../support/http.ts';
import { applicationAt, routesOf } from './support/mounted-routes.ts';

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly { readonly schema: object }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: object }>>;
  };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, object>> }>
  >;
}

interface Document {
  readonly openapi: string;
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly securitySchemes: Readonly<Record<string, object>>;
  };
}

let database: TestDatabase;
let server: TestServer;
let document: Document;
let operations: readonly (Operation & { readonly place: string })[];

beforeAll(async () => {
  database = await createDatabase({ from: 'applied' });
  server = await startTestServer({ database, rest: true, plugins: true });
  document = (await (await server.fetch('/openapi.json')).json()) as Document;
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      place: `${method.toUpperCase()} ${path}`,
    })),
  );
});

afterAll(async () => {
  await server.stop();
  await database.drop();
});

/** The routes of GraphQL, which are answered without Express. */
const direct = [
  'POST /v1/graphql/explain',
  ...['/v1/graphql', '/v1alpha1/graphql', '/graphql'].flatMap((path) => [
    `GET ${path}`,
    `POST ${path}`,
  ]),
];

describe('the OpenAPI document of the running server', () => {
  test('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const { errors, valid } = await validator.validate({ ...structuredClone(document) });
    expect(errors).toBeUndefined();
    expect([valid, validator.version]).toEqual([true, '3.1']);
  });

  test('is sent with headers that stop browsers from rendering it as a page', async () => {
    const { headers } = await server.fetch('/openapi.json');
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none';frame-ancestors 'none'",
    );
  });

  test('contains the configured base URL', () => {
    expect(document.servers).toEqual([{ url: server.url }]);
  });

  test('describes every mounted route and no other', async () => {
    const routes = [...routesOf(await applicationAt(server.url)), ...direct];
    expect(routes.length).toBeGreaterThan(8);
    expect(operations.map(({ place }) => place).toSorted()).toEqual(routes.toSorted());
  });

  test('contains the target of each of its references', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)];
    expect(references.length).toBeGreaterThan(10);
    const names = references.map(([, to = '']) => to.replace('#/components/schemas/', ''));
    expect(names.filter((name) => !(name in document.components.schemas))).toEqual([]);
  });

  test('gives every operation a unique id', () => {
    const names = operations.map(({ operationId }) => operationId);
    expect(names.filter((name) => !/^[a-z][A-Za-z]+$/.test(name))).toEqual([]);
    expect(names.length).toBe(new Set(names).size);
  });

  test('lists exactly the tags and security schemes that its operations use', () => {
    const tags = operations.flatMap((one) => one.tags);
    expect(new Set(document.tags.map(({ name }) => name))).toEqual(new Set(tags));
    const schemes = operations.flatMap(({ security }) => security.flatMap(Object.keys));
    expect(new Set(Object.keys(document.components.securitySchemes))).toEqual(new Set(schemes));
  });

  test('has component schemas that a JSON Schema compiler accepts', () => {
    const parts = Object.keys(document.components.schemas);
    expect(parts).toContain('Problem');
    const validatorOf = validators();
    for (const name of parts) expect(() => validatorOf(name)).not.toThrow();
  });

  test('has schemas of request bodies and parameters that a JSON Schema compiler accepts', () => {
    const inputs = operations.flatMap(({ parameters = [], requestBody }) => [
      ...parameters.map(({ schema }) => schema),
      ...Object.values(requestBody?.content ?? {}).map(({ schema }) => schema),
    ]);
    const compile = compiler();
    for (const schema of inputs) expect(() => compile(JSON.stringify(schema))).not.toThrow();
    expect(inputs.length).toBeGreaterThan(50);
  });

  test('describes every error outside of GraphQL as a problem document', () => {
    const odd = operations
      .filter(({ tags }) => !tags.includes('data'))
      .flatMap(({ place, responses }) =>
        Object.entries(responses)
          .filter(([status]) => Number(status) >= 400)
          .filter(([, { content = {} }]) => !('application/problem+json' in content))
          .map(([status]) => `${place} ${status}`),
      );
    expect(odd).toEqual(['GET /healthz 503', 'GET /readyz 503']);
  });
});

describe('in the OpenAPI document, answers to GraphQL requests', () => {
  test('have no security header except nosniff', async () => {
    const { headers } = await server.fetch('/v1/graphql', { method: 'POST' });
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toBeNull();
  });
});

test.each([
  ['/v1/graphql', true, true],
  ['/v1alpha1/graphql', true, false],
  ['/graphql', false, false],
])(
  'the OpenAPI document says, as the server does, that %s has event streams: %s, and sockets: %s',
  async (path, streams, sockets) => {
    const { get, post } = document.paths[path] ?? {};
    const described = [get, post].map((one) => mediaType in (one?.responses[200]?.content ?? {}));
    expect([await answersAsStream(path), ...described]).toEqual([streams, streams, streams]);
    expect([await opensSocket(path), '101' in (get?.responses ?? {})]).toEqual([sockets, sockets]);
  },
);

test('the real answer to an unknown path matches the problem document in the OpenAPI document', async () => {
  const validate = validators()('Problem');
  expect(validate({ title: 'Not Found' })).toBe(false);
  validate(await (await server.fetch('/nowhere')).json());
  expect(validate.errors).toBeNull();
});

test("the OpenAPI document of a server without the platform describes only that server's routes", async () => {
  const environment = { ROWGATE_CONSOLE: 'no' };
  const alone = await startTestServer({ database, environment, plugins: true });
  const routes = [...routesOf(await applicationAt(alone.url)), ...direct];
  const { paths } = (await (await alone.fetch('/openapi.json')).json()) as Document;
  await alone.stop();
  const answered = new Set(routes.map((route) => route.split(' ')[1]));
  expect(Object.keys(paths).toSorted()).toEqual([...answered].toSorted());
  expect(Object.keys(paths)).not.toContain('/auth/session');
  expect(Object.keys(paths)).not.toContain('/');
});

const mediaType = 'text/event-stream';

async function answersAsStream(path: string): Promise<boolean> {
  const headers = { Accept: mediaType, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ query: '{ __typename }' });
  const answer = await server.fetch(path, { method: 'POST', headers, body });
  await answer.text();
  return answer.headers.get('content-type')?.startsWith(mediaType) === true;
}

async function opensSocket(path: string): Promise<boolean> {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}${path}`, 'graphql-ws');
  return new Promise((resolve) => {
    socket.once('open', () => {
      socket.terminate();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/**
 * Returns a compiler for schemas as strict as the server's. It resolves references within the
 * OpenAPI document.
 */
function compiler() {
  const formats = { 'date-time': true, uuid: true, uri: true, binary: true } as const;
  const ajv = new Ajv2020({ allowUnionTypes: true, formats });
  ajv.addKeyword('components').addSchema({ components: document.components }, 'shared');
  return (schema: string) =>
    ajv.compile(JSON.parse(schema.replaceAll('"#/', '"shared#/')) as object);
}

function validators() {
  const ajv = new Ajv2020({ strict: false, formats: { 'date-time': true, uuid: true, uri: true } });
  ajv.addSchema(document, 'document');
  return (name: string) => ajv.compile({ $ref: `document#/components/schemas/${name}` });
}
