import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { issuedTokenSchema } from '../../../../../server/platform/accounts/issued-token.ts';
import { Browser } from '../../accounts/support/browser.ts';
import {
  document,
  documentWithoutFile,
  holder,
  inspectionId,
  officer,
  otherPerson,
  providerDocumentId,
} from './support/ids.ts';
import { type KycWorld, makeKycWorld } from './support/kyc-world.ts';

let world: KycWorld;
beforeAll(async () => {
  world = await makeKycWorld();
});
afterAll(() => world.end());

const inRole = (role: string) => ({ 'X-Gql-Role': role });

test('a token for a KYC file contains person, role and document, and is signed with a published key', async () => {
  const answer = await world.issue();
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
  const body = (await answer.json()) as { readonly token: string; readonly expiresAt: string };
  expect(Value.Check(issuedTokenSchema, body)).toBe(true);
  const keys = createRemoteJWKSet(new URL(`${world.server.url}/.well-known/jwks.json`));
  const { payload, protectedHeader } = await jwtVerify(body.token, keys, {
    issuer: world.server.url,
    audience: 'kyc-document+jwt',
    typ: 'kyc-document+jwt',
  });
  expect(protectedHeader.alg).toBe('RS256');
  expect(payload).toMatchObject({
    sub: holder,
    role: 'user',
    documentId: document,
    inspectionId,
    providerDocumentId,
    jti: expect.stringMatching(/^[\da-f-]{36}$/),
  });
  const { exp = 0, iat = 0 } = payload;
  expect(exp - iat).toBe(300);
  expect(body.expiresAt).toBe(new Date(exp * 1000).toISOString());
});

describe('a token for a KYC document', () => {
  test.each([
    ['the person of the document', holder, {}, 'user'],
    ['compliance, without a role header', officer, {}, 'compliance'],
    ['compliance, with the role in a header', officer, inRole('compliance'), 'compliance'],
  ])('is issued to a person who may see the document: %s', async (_who, person, headers, role) => {
    const answer = await world.issue(document, person, headers);
    expect(answer.status).toBe(200);
    const { token } = (await answer.json()) as { readonly token: string };
    expect(decodeJwt(token)).toMatchObject({ sub: person, role });
  });

  test.each([
    ['a person of another organization', otherPerson, {}],
    ['an administrator of the same organization', 'local|alder-admin', {}],
    ['a compliance officer in another role, which may not see it', officer, inRole('user')],
    ['the role accounting', 'local|alder-finance', inRole('accounting')],
    [
      'the person of the document in another role, which may not see it',
      holder,
      inRole('investor'),
    ],
  ])('is refused to a person who may not see the document: %s', async (_who, person, headers) => {
    const answer = await world.issue(document, person, headers);
    expect(answer.status).toBe(404);
  });

  test('a token for a KYC document is refused with the same answer when the document is hidden as when it does not exist', async () => {
    const answers = [
      await world.issue(document, otherPerson),
      await world.issue('91000000-0000-4000-8000-00000000ffff', otherPerson),
      await world.issue('no-uuid', otherPerson),
      await world.issue(documentWithoutFile, otherPerson),
    ];
    const bodies = await Promise.all(
      answers.map(async (answer) => {
        return { ...((await answer.json()) as object), requestId: '' };
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect(new Set(bodies.map((one) => JSON.stringify(one))).size).toBe(1);
  });

  test('a token for a KYC document is refused to a role that the person does not have, and to requests with a session variable', async () => {
    const foreign = await world.issue(document, otherPerson, inRole('compliance'));
    const invented = await world.issue(document, otherPerson, { 'X-Gql-User-Id': holder });
    expect([foreign.status, invented.status]).toEqual([403, 400]);
  });
});

test('a token is refused for a KYC document that has no file at the provider', async () => {
  const answer = await world.issue(documentWithoutFile, officer);
  expect(answer.status).toBe(409);
  expect(await answer.json()).toMatchObject({ code: 'no-provider-file' });
});

test('a token for a KYC document is refused without a sign-in and to pages of other sites', async () => {
  const path = `/kyc/documents/${document}/token`;
  const browser = new Browser(world.server);
  await browser.exchange(await world.issuer.tokenFor(holder));
  const unknown = await world.server.fetch(path, { method: 'POST' });
  const lured = await browser.fetch(path, {
    method: 'POST',
    headers: { Origin: 'https://evil.example' },
  });
  const own = await browser.fetch(path, { method: 'POST' });
  expect([unknown.status, lured.status, own.status]).toEqual([401, 403, 200]);
});

test('a token for a KYC document is refused to a disabled person', async () => {
  const person = 'local|dogwood-investor';
  const id = '91000000-0000-4000-8000-000000000401';
  expect((await world.issue(id, person)).status).toBe(200);
  await world.sql(`update public."user" set status = 'disabled' where id = '${person}'`);
  expect((await world.issue(id, person)).status).toBe(401);
});

test('the query for a KYC document is cancelled when the client disconnects', async () => {
  const owner = await world.database.connectOwner();
  const waiting = async () =>
    (
      await owner.query(
        `select from pg_locks where relation = 'kyc_document'::regclass and not granted`,
      )
    ).rowCount;
  await owner.query('begin; lock table kyc_document in access exclusive mode');
  const cancel = new AbortController();
  const lost = world.issue(document, holder, {}, cancel.signal);
  const outcome = expect(lost).rejects.toThrow('aborted');
  await expect.poll(waiting).toBe(1);
  cancel.abort();
  await outcome;
  await expect.poll(waiting).toBe(0);
  await owner.query('rollback');
  expect((await world.issue()).status).toBe(200);
});
