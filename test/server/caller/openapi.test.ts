import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOwnDatabase, type OwnDatabase } from './support/own-database.ts';

let database: OwnDatabase;
beforeAll(async () => {
  database = await createOwnDatabase();
});
afterAll(() => database.drop());

const header = (name: string) => expect.objectContaining({ type: 'apiKey', in: 'header', name });

test('the OpenAPI document without an application lists the configured ways to authenticate', async () => {
  const key = 'k'.repeat(32);
  const cookie = { type: 'Cookie', name: 'token' };
  const { url } = await database.serve({
    ROWGATE_JWT_SECRET: JSON.stringify([
      { type: 'HS256', key },
      { type: 'HS256', key, header: cookie },
    ]),
    ROWGATE_AUTH_HOOK: 'https://auth.example.com/check',
    ROWGATE_AUTH_HOOK_CREDENTIAL_HEADERS: 'X-Ticket',
    ROWGATE_CONSOLE: 'off',
  });
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as Described;
  const { metricsToken: _, ...ofCallers } = document.components.securitySchemes;
  expect(ofCallers).toEqual({
    adminSecret: header('X-Gql-Admin-Secret'),
    jwt: expect.objectContaining({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' }),
    'jwt.cookie.token': expect.objectContaining({ type: 'apiKey', in: 'cookie', name: 'token' }),
    'webhook.x-ticket': header('x-ticket'),
  });
  expect(document.paths['/v1/graphql'].post.security.flatMap(Object.keys)).toEqual(
    Object.keys(ofCallers),
  );
});

interface Described {
  readonly components: { readonly securitySchemes: Readonly<Record<string, object>> };
  readonly paths: Readonly<
    Record<'/v1/graphql', { readonly post: { readonly security: readonly object[] } }>
  >;
}
