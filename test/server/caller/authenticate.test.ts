import type { Request } from 'express';
import { describe, expect, test } from 'vitest';
import type { Model } from '../../../permissions/index.ts';
import {
  adminSecretAuthenticator,
  type Headers,
  identify,
  unauthorizedAuthenticator,
  variablesOf,
} from '../../../server/caller/authenticate.ts';

const secret = 'a-secret-of-at-least-32-characters!!';
const model: Model = {
  rolePrefix: 't_',
  headerPrefix: 'X-Gql-',
  roles: new Map([
    [
      'admin',
      {
        name: 'admin',
        postgresName: 't_admin',
        purpose: '',
        requires: [],
        inherits: [],
        limits: undefined,
        introspection: true,
        tables: new Map(),
        functions: [],
      },
    ],
  ]),
  tables: new Map(),
  functions: new Map(),
  variables: ['city'],
  events: new Map(),
  schedules: new Map(),
  graphile: undefined,
  actions: new Map(),
  customTypes: new Map(),
  allowList: [],
  fingerprint: '',
};

/**
 * Decodes UTF-8 bytes as Latin-1, as Node does for header values, so that a test sees the text that the server
 * receives.
 */
const bytes = (text: string) => Buffer.from(text, 'utf8').toString('latin1');

/** Joins the values of each header as Node does. */
const joined = (headers: Headers) =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, values]) =>
      values ? [[name, values.join(', ')]] : [],
    ),
  );

const whoAsks = (headers: Headers) => {
  const headersDistinct = { 'x-gql-admin-secret': [secret], ...headers };
  return identify(
    [adminSecretAuthenticator(secret)],
    { headersDistinct, headers: joined(headersDistinct) } as unknown as Request,
    model,
  );
};

test('functions receive all variables beside the admin secret, but not the secret, the role and switches', async () => {
  const { session } = await whoAsks({
    'x-gql-role': ['admin'],
    'x-gql-debug': ['true'],
    'x-gql-use-backend-only-permissions': ['true'],
    'x-gql-city': ['Rome'],
    'x-gql-other': ['1'],
    'x-gql-empty': [''],
    'x-other': ['2'],
  });
  expect([...(session ?? [])]).toEqual([
    ['x-gql-city', 'Rome'],
    ['x-gql-other', '1'],
  ]);
});

test('functions receive claims of another prefix under the prefix of the model', () => {
  const claims = new Map([
    ['x-hasura-city', 'Rome'],
    ['x-hasura-role', 'admin'],
    ['x-hasura-other', '1'],
  ]);
  const { variables, session = [] } = variablesOf(claims, 'x-hasura-', model);
  expect([...variables]).toEqual([['city', 'Rome']]);
  expect([...session]).toEqual([
    ['x-gql-city', 'Rome'],
    ['x-gql-other', '1'],
  ]);
});

describe('callers with the admin secret', () => {
  const authenticate = adminSecretAuthenticator(secret);
  const callerOf = (headers: Headers, of = model) => {
    const headersDistinct = { 'x-gql-admin-secret': [secret], ...headers };
    const request = { headersDistinct, headers: joined(headersDistinct) } as unknown as Request;
    return identify([authenticate], request, of);
  };

  test('are the same object when their requests have the same role, variables and switches', async () => {
    const city = { 'x-gql-city': ['Rome'] };
    const first = await callerOf(city);
    expect(await callerOf({ ...city, 'x-request-id': ['2'] })).toBe(first);
  });

  test.each<[string, Headers]>([
    ['a variable with another value', { 'x-gql-city': ['Zurich'] }],
    ['a variable that rules do not read', { 'x-gql-city': ['Rome'], 'x-gql-other': ['1'] }],
    ['a name that ends like the secret', { 'x-gql-city': ['Rome'], 'x-gql-a-admin-secret': ['1'] }],
    ['a switch', { 'x-gql-city': ['Rome'], 'x-gql-debug': ['true'] }],
  ])('differ when one of their requests has %s', async (_what, headers) => {
    const first = await callerOf({ 'x-gql-city': ['Rome'] });
    expect(await callerOf(headers)).not.toEqual(first);
  });

  test('differ when names and values meet at another place', async () => {
    const first = await callerOf({ 'x-gql-a': ['bc'] });
    expect((await callerOf({ 'x-gql-ab': ['c'] })).session).not.toEqual(first.session);
  });

  test('are refused for a wrong secret, although their other headers are known', async () => {
    await callerOf({ 'x-gql-city': ['Rome'] });
    const wrong = callerOf({ 'x-gql-city': ['Rome'], 'x-gql-admin-secret': [`${secret}x`] });
    await expect(wrong).rejects.toThrow('invalid x-gql-admin-secret');
    const none = callerOf({ 'x-gql-city': ['Rome'], 'x-gql-admin-secret': undefined });
    await expect(none).rejects.toThrow('x-gql-admin-secret required');
  });

  test('are refused for two values of a variable, although the joined value is known', async () => {
    await callerOf({ 'x-gql-city': ['Rome, Zurich'] });
    const twice = callerOf({ 'x-gql-city': ['Rome', 'Zurich'] });
    await expect(twice).rejects.toThrow('is sent twice');
  });

  test('have the role of the new model after a reload', async () => {
    const before = await callerOf({});
    const reloaded = { ...model, roles: new Map([['admin', { ...before.role }]]) };
    const after = await callerOf({}, reloaded);
    expect(after.role).not.toBe(before.role);
    expect(after.role).toBe(reloaded.roles.get('admin'));
  });
});

describe('a session variable that arrives in an HTTP header', () => {
  test('is decoded as UTF-8', async () => {
    const { variables } = await whoAsks({ 'x-gql-city': [bytes('Zürich')] });
    expect(variables.get('city')).toBe('Zürich');
  });

  test('is refused when its bytes are not valid UTF-8', async () => {
    await expect(whoAsks({ 'x-gql-city': ['Z\xfcrich'] })).rejects.toThrow(
      'header "x-gql-city" is not UTF-8',
    );
  });

  test('is refused when the header is sent twice, instead of joining the two values', async () => {
    await expect(whoAsks({ 'x-gql-city': ['Rome', 'Zurich'] })).rejects.toThrow(
      'header "x-gql-city" is sent twice',
    );
  });
});

test('a request that sends the role header or the admin secret twice is refused', async () => {
  await expect(whoAsks({ 'x-gql-role': ['admin', 'admin'] })).rejects.toThrow('is sent twice');
  await expect(whoAsks({ 'x-gql-admin-secret': [secret, secret] })).rejects.toThrow(
    'is sent twice',
  );
});

describe('a request without credentials, when an anonymous role is configured,', () => {
  const anonymous = (headers: Headers) =>
    identify(
      [unauthorizedAuthenticator('admin')],
      { headersDistinct: headers } as unknown as Request,
      model,
    );

  test('acts in the configured role, whether or not the role header names it', async () => {
    for (const headers of [{}, { 'x-gql-role': ['admin'] }]) {
      const { role, variables, isBackend } = await anonymous(headers);
      expect([role.name, variables.size, isBackend]).toEqual(['admin', 0, false]);
    }
  });

  test('is refused when it requests another role', async () => {
    await expect(anonymous({ 'x-gql-role': ['user'] })).rejects.toThrow('not in allowed roles');
  });

  test.each(['x-gql-city', 'x-gql-use-backend-only-permissions'])(
    'is refused when it sends %s',
    async (name) => {
      await expect(anonymous({ [name]: ['true'] })).rejects.toThrow(
        `header "${name}" is for requests`,
      );
    },
  );
});
