import express from 'express';
import type pg from 'pg';
import pino from 'pino';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeApp } from '../../../../../server/http/app.ts';
import { drain, listen, portOf } from '../../../../../server/http/connections/listen.ts';
import { serviceTag } from '../../../../../server/http/endpoint/api-tag.ts';
import { defineEndpoint } from '../../../../../server/http/endpoint/define-endpoint.ts';
import { mountEndpoints } from '../../../../../server/http/endpoint/mount.ts';
import { type Auth, openAuth } from '../../../../../server/platform/accounts/open-auth.ts';
import { createDatabase, type TestDatabase } from '../../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../../support/http.ts';
import { query } from '../../../../support/query.ts';
import { openTestPool } from '../../../../support/sidecar-pool.ts';
import { storeKey } from '../api-keys/stored-key.ts';
import { Browser } from '../support/browser.ts';
import { type LocalIssuer, startLocalIssuer } from '../support/local-issuer.ts';

const boss = 'local|cedar-admin';
const member = 'local|alder-member';

let database: TestDatabase;
let issuer: LocalIssuer;
let server: TestServer;
let pool: pg.Pool;
let auth: Auth;
let trial: { readonly url: string; stop(): Promise<unknown> };
beforeAll(async () => {
  database = await createDatabase({ from: 'applied' });
  issuer = await startLocalIssuer();
  server = await startTestServer({
    database,
    rest: true,
    graphql: false,
    environment: issuer.environment,
  });
  await query(
    database.superuserUrl,
    `update public."user" set platform_admin = true where id = '${boss}'`,
  );
  pool = await openTestPool(server.config, database);
  auth = await openTrialAuth();
  trial = await serveTrial(auth);
});
afterAll(async () => {
  await trial.stop();
  await auth.close();
  await pool.end();
  await server.stop();
  await issuer.stop();
  await database.drop();
});

async function openTrialAuth(): Promise<Auth> {
  const { config } = server;
  return openAuth({
    config,
    pool,
    secretKey: config.identity.secretKey ?? '',
    model: () => {
      throw new Error('asked for rules');
    },
    logger: pino({ level: 'silent' }),
  });
}

/** Starts a server with an endpoint for admins that returns the caller it has admitted. */
async function serveTrial({ admin, session }: Auth) {
  const endpoint = defineEndpoint({
    method: 'post',
    path: '/trial',
    operationId: 'trial',
    tag: serviceTag,
    summary: 'for admins',
    access: admin,
    answers: { 200: { description: 'who', content: { 'application/json': Type.Any() } } },
    handle: ({ who }, response) => {
      response.json(who.kind === 'user' ? { user: who.user.id } : { key: who.key.keyId });
    },
  });
  const router = express.Router().use(session, mountEndpoints([endpoint], 1024));
  const app = makeApp({
    config: server.config,
    logger: pino({ level: 'silent' }),
    phase: () => 'serving',
    service: [],
    routes: router,
  });
  const listening = await listen(app, '127.0.0.1', 0);
  return { url: `http://127.0.0.1:${portOf(listening)}`, stop: () => drain(listening, 1000) };
}

const post = (headers: Readonly<Record<string, string>>, cookie?: string) =>
  new Browser(trial, cookie).fetch('/trial', { method: 'POST', headers });
const bearer = async (subject: string) => ({
  Authorization: `Bearer ${await issuer.tokenFor(subject)}`,
});

async function cookieOf(subject: string): Promise<string> {
  const browser = new Browser(server);
  await browser.exchange(await issuer.tokenFor(subject));
  return browser.cookie;
}

async function keyOf(scope: 'admin' | 'case:read') {
  const key = await storeKey(await database.connectOwner(), { scopes: [scope] });
  return { id: key.id, header: { 'X-API-Key': key.text } };
}

const answerOf = async (response: Response) => [response.status, await response.json()];

describe('an endpoint for admins', () => {
  test('admits a platform admin with a session or token, and a program with an API key for admins', async () => {
    const key = await keyOf('admin');
    expect(await answerOf(await post({}, await cookieOf(boss)))).toEqual([200, { user: boss }]);
    expect(await answerOf(await post(await bearer(boss)))).toEqual([200, { user: boss }]);
    expect(await answerOf(await post(key.header))).toEqual([200, { key: key.id }]);
  });

  test('refuses all other callers', async () => {
    const notAdmin = [403, { code: 'not-admin' }];
    const { header } = await keyOf('case:read');
    expect(await answerOf(await post({}, await cookieOf(member)))).toMatchObject(notAdmin);
    expect(await answerOf(await post(await bearer(member)))).toMatchObject(notAdmin);
    expect(await answerOf(await post(header))).toMatchObject([403, { code: 'missing-scope' }]);
    expect(await answerOf(await post({}))).toMatchObject([401, { code: 'unauthenticated' }]);
  });

  test('prefers an API key to a cookie, and a token to an API key', async () => {
    const { header, id } = await keyOf('admin');
    const beside = await post(header, await cookieOf(member));
    const wrong = await post({ 'X-API-Key': 'x' }, await cookieOf(boss));
    const token = await post({ ...header, ...(await bearer(member)) });
    expect(await answerOf(beside)).toEqual([200, { key: id }]);
    expect(wrong.status).toBe(401);
    expect(token.status).toBe(403);
  });

  test("refuses requests with an admin's cookie from pages of other sites", async () => {
    const response = await post({ Origin: 'https://evil.example' }, await cookieOf(boss));
    expect(await answerOf(response)).toMatchObject([403, { code: 'cross-site' }]);
  });

  test('refuses a person who is no longer an admin', async () => {
    const cookie = await cookieOf('local|cedar-desk');
    const set = (isAdmin: boolean) =>
      query(
        database.superuserUrl,
        `update public."user" set platform_admin = ${isAdmin} where id = 'local|cedar-desk'`,
      );
    await set(true);
    const before = await post({}, cookie);
    await set(false);
    const after = await post({}, cookie);
    expect([before.status, after.status]).toEqual([200, 403]);
  });
});
