import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeLogger } from '../../../../../server/log/log.ts';
import type { IdentityProvider } from '../../../../../server/platform/accounts/tokens/provider/identity-provider.ts';
import { openIdentityProvider } from '../../../../../server/platform/accounts/tokens/provider/open-identity-provider.ts';
import { makeTokenVerifier } from '../../../../../server/platform/accounts/tokens/token-verifier.ts';
import { LogCapture } from '../../../../support/log-capture.ts';
import { type AnswerServer, json, makeTestKey, startAnswerServer } from '../support/key-server.ts';
import { goodClaims, trialAudience } from '../support/trial-provider.ts';

let server: AnswerServer;
let log: LogCapture;
const opened: IdentityProvider[] = [];
beforeEach(async () => {
  server = await startAnswerServer(json({}));
  log = new LogCapture();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((provider) => provider.close()));
  await server.goAway();
});

const open = (given: { issuer?: string; jwksUrl?: string; logoutUrl?: string } = {}) => {
  const provider = openIdentityProvider(
    {
      issuer: given.issuer ?? `${server.url}/tenant/`,
      audiences: [trialAudience],
      algorithms: ['ES256'],
      jwksUrl: given.jwksUrl,
      logoutUrl: given.logoutUrl,
      clientId: undefined,
      emailClaim: 'email',
    },
    makeLogger({ logLevel: 'info', headerPrefix: 'X-Gql-' }, log),
  );
  opened.push(provider);
  return provider;
};
/**
 * Makes the test server answer with this document at the discovery address, and with these keys at
 * any other address.
 */
const publish = (document: object, keys: readonly unknown[] = []) => {
  server.answer = (request, response) => {
    const isDocument = request.url?.endsWith('/.well-known/openid-configuration');
    json(isDocument ? document : { keys })(request, response);
  };
};
const document = (members: object = {}) => ({
  issuer: `${server.url}/tenant/`,
  jwks_uri: `${server.url}/keys`,
  authorization_endpoint: `${server.url}/authorize`,
  token_endpoint: `${server.url}/token`,
  end_session_endpoint: `${server.url}/logout`,
  ...members,
});

test("the discovery document is fetched from the issuer's URL, with or without a slash at its end", async () => {
  publish(document());
  expect(await open().metadata()).toMatchObject({
    authorizationEndpoint: `${server.url}/authorize`,
    tokenEndpoint: `${server.url}/token`,
    endSessionEndpoint: `${server.url}/logout`,
  });
  expect(server.requests).toEqual(['/tenant/.well-known/openid-configuration']);
});

test('tokens are verified with the keys at the address in the discovery document', async () => {
  const key = await makeTestKey('ES256', 'one');
  publish(document(), [key.jwk]);
  const provider = open();
  const { verify } = makeTokenVerifier({ provider, devKeys: undefined });
  const token = await key.sign({ ...goodClaims(), iss: provider.settings.issuer });
  expect((await verify(token)).subject).toBe('anna');
});

describe("the provider's keys are not fetched when its discovery document", () => {
  test.each<[string, () => object, string]>([
    ['names another issuer', () => ({ issuer: `${server.url}/other/` }), 'another issuer'],
    [
      'names the issuer without the slash at its end',
      () => ({ issuer: `${server.url}/tenant` }),
      'another issuer',
    ],
    ['names no address of the keys', () => ({ jwks_uri: undefined }), 'names no jwks_uri'],
    [
      'names an unencrypted address of the keys',
      () => ({ jwks_uri: 'http://keys.example/' }),
      'jwks_uri',
    ],
    [
      'names a file as the address of the keys',
      () => ({ jwks_uri: 'file:///etc/keys.json' }),
      'jwks_uri',
    ],
  ])('%s', async (_title, members, reason) => {
    publish(document(members()));
    const expected = expect.objectContaining({ reason: 'provider-unreachable' });
    await expect(open().keyFor('one', 'ES256')).rejects.toEqual(expected);
    await log.lineWith(reason);
  });
});

describe("the provider's logout address", () => {
  test('comes from the discovery document', async () => {
    publish(document());
    expect(await open().logoutUrl()).toBe(`${server.url}/logout`);
  });

  test('comes from the environment when set there, without fetching the document', async () => {
    const logoutUrl = 'https://identity.example/bye';
    expect(await open({ logoutUrl }).logoutUrl()).toBe(logoutUrl);
    expect(server.requests).toEqual([]);
  });

  test.each<[string, () => object]>([
    ['a script URL', () => document({ end_session_endpoint: 'javascript:alert(1)' })],
    ['not a text', () => document({ end_session_endpoint: 1 })],
    ['missing', () => ({})],
  ])("is unknown when the document's is %s", async (_title, make) => {
    publish(make());
    expect(await open().logoutUrl()).toBeUndefined();
  });
});

test.each(['http://identity.example', 'urn:example:issuer', 'ftp://identity.example'])(
  'an issuer %s can only be used with a configured address of its keys',
  async (issuer) => {
    const expected = expect.objectContaining({ code: 'RG_CONFIG', exitCode: 2 });
    expect(() => open({ issuer })).toThrow(expected);
    const provider = open({ issuer, jwksUrl: `${server.url}/keys` });
    expect(await provider.logoutUrl()).toBeUndefined();
  },
);
