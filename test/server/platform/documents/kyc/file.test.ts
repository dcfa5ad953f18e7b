import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  document,
  holder,
  inspectionId,
  officer,
  otherDocument,
  providerDocumentId,
} from './support/ids.ts';
import {
  type FileServer,
  type KycWorld,
  makeKycWorld,
  startFileServer,
} from './support/kyc-world.ts';
import { breakOff, closed, file, pour, silence, stall, status } from './support/test-provider.ts';

let world: KycWorld;
let hasty: FileServer;
beforeAll(async () => {
  world = await makeKycWorld();
  hasty = await startFileServer(world, world.provider.url);
});
afterAll(async () => {
  await hasty.stop();
  await world.end();
});

const claims = {
  sub: holder,
  role: 'user',
  documentId: document,
  inspectionId,
  providerDocumentId,
};

async function problemOf(answer: Response): Promise<readonly unknown[]> {
  const { code } = (await answer.json()) as { readonly code: unknown };
  return [answer.status, answer.headers.get('content-type')?.split(';')[0], code];
}
const problem = (status: number, code: string) => [status, 'application/problem+json', code];

describe('the endpoint of KYC files', () => {
  test("sends exactly the bytes of the provider's file", async () => {
    const content = Buffer.from(Array.from({ length: 70_000 }, (_, index) => index % 256));
    world.provider.answerWith(file(content, 'image/jpeg'));
    const answer = await world.fetchFile(await world.tokenOf());
    expect(answer.status).toBe(200);
    expect(Buffer.from(await answer.arrayBuffer()).equals(content)).toBe(true);
    expect(world.provider.requests.map(({ url }) => url)).toEqual([
      `/resources/inspections/${inspectionId}/resources/${providerDocumentId}`,
    ]);
  });

  test('sends headers against caching and against treating the file as a page of this server', async () => {
    world.provider.answerWith(file('content', 'image/png'));
    const { headers } = await world.fetchFile(await world.tokenOf());
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'private, no-store',
      'content-length': '7',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
  });

  test.each([
    ['image/png', 'image/png', 'inline', 'png'],
    ['IMAGE/JPEG; charset=x', 'image/jpeg', 'inline', 'jpg'],
    ['application/pdf', 'application/pdf', 'inline', 'pdf'],
    ['image/heic', 'image/heic', 'attachment', 'heic'],
    ['image/svg+xml', 'application/octet-stream', 'attachment', 'bin'],
    ['text/html', 'application/octet-stream', 'attachment', 'bin'],
    ['constructor', 'application/octet-stream', 'attachment', 'bin'],
    [undefined, 'application/octet-stream', 'attachment', 'bin'],
  ])('sends a file of the type %s as %s, %s', async (given, type, disposition, extension) => {
    world.provider.answerWith(file('<script>alert(1)</script>', given));
    const { headers } = await world.fetchFile(await world.tokenOf());
    expect([headers.get('content-type'), headers.get('content-disposition')]).toEqual([
      type,
      `${disposition}; filename="kyc-document-${document}.${extension}"`,
    ]);
  });

  test('does not request the contents from the provider on HEAD', async () => {
    world.provider.answerWith(stall('begin'));
    const answer = await world.fetchFile(await world.tokenOf(), document, { method: 'HEAD' });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
    await closed(world.provider.requests[0]);
  });

  test('accepts the id of a file in upper case', async () => {
    world.provider.answerWith(file('content'));
    const token = await world.tokenOf(document.toUpperCase());
    expect((await world.fetchFile(token)).status).toBe(200);
    expect((await world.fetchFile(token, document.toUpperCase())).status).toBe(200);
  });
});

describe('the token in the address of a KYC file', () => {
  const tokens = (lifetimeSeconds: number, type = 'kyc-document+jwt') =>
    world.auth.purposeTokens({ type, lifetimeSeconds });
  const issued = async (lifetimeSeconds: number, type?: string, more: object = {}) =>
    (await tokens(lifetimeSeconds, type).issue({ ...claims, ...more })).token;

  test('is accepted with valid claims', async () => {
    world.provider.answerWith(file('content'));
    expect((await world.fetchFile(await issued(300))).status).toBe(200);
  });

  const wrong: Readonly<Record<string, () => Promise<string>>> = {
    'that is not a token': async () => 'nonsense',
    'that has expired': () => issued(-60),
    'of another type': () => issued(300, 'wallet+jwt'),
    'for another document': () => world.tokenOf(otherDocument),
    'whose signature was changed': async () => {
      const [header, payload, signature = ''] = (await issued(300)).split('.');
      const changed = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
      return [header, payload, changed].join('.');
    },
    'whose document id was changed': async () => {
      const [header, , signature] = (await world.tokenOf(otherDocument)).split('.');
      const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
      return [header, payload, signature].join('.');
    },
    'without a signature': async () => {
      const [, payload] = (await issued(300)).split('.');
      const header = Buffer.from('{"alg":"none","typ":"kyc-document+jwt"}').toString('base64url');
      return `${header}.${payload}.`;
    },
    'that lacks a claim': async () =>
      (await tokens(300).issue({ sub: holder, role: 'user', documentId: document })).token,
    'with an inspection to which the document does not belong': () =>
      issued(300, undefined, { inspectionId: 'another' }),
    'of a role that the person does not have': () => issued(300, undefined, { role: 'compliance' }),
    'of an unknown person': () => issued(300, undefined, { sub: 'nobody' }),
    'with which people sign in': () => world.issuer.tokenFor(holder),
    'that the platform issued for a wallet': async () => {
      const headers = { Authorization: `Bearer ${await world.issuer.tokenFor(holder)}` };
      const path = '/auth/wallet-provider-jwt';
      const answer = await world.server.fetch(path, { method: 'POST', headers });
      return ((await answer.json()) as { readonly token: string }).token;
    },
  };

  test.each(Object.keys(wrong))('is refused when the address has a token %s', async (which) => {
    world.provider.answerWith(file('content'));
    const token = (await wrong[which]?.()) ?? '';
    const answer = await world.fetchFile(token);
    expect(await problemOf(answer)).toEqual(problem(401, 'invalid-token'));
    expect(world.provider.requests).toEqual([]);
  });

  test.each(['', '?token=', '?token[]=x', '?other=x'])(
    'is required: %j is refused',
    async (query) => {
      const answer = await world.server.fetch(`/kyc/documents/${document}/file${query}`);
      expect(await problemOf(answer)).toEqual(problem(401, 'unauthenticated'));
    },
  );

  test('is refused when it is sent twice', async () => {
    const token = await world.tokenOf();
    const path = `/kyc/documents/${document}/file?token=${token}&token=${token}`;
    expect((await world.server.fetch(path)).status).toBe(401);
  });

  test('is required also from a person who is signed in', async () => {
    const headers = { Authorization: `Bearer ${await world.issuer.tokenFor(holder)}` };
    const answer = await world.server.fetch(`/kyc/documents/${document}/file`, { headers });
    expect(answer.status).toBe(401);
  });

  test('is no credential for any other endpoint', async () => {
    const headers = { Authorization: `Bearer ${await world.tokenOf()}` };
    const session = await world.server.fetch('/auth/session', { headers });
    const token = await world.server.fetch(`/kyc/documents/${document}/token`, {
      method: 'POST',
      headers,
    });
    const data = await world.server.fetch('/v1/graphql', {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: '{"query":"{ user { id } }"}',
    });
    expect([session.status, token.status]).toEqual([401, 401]);
    expect(await data.json()).toMatchObject({ errors: [{ extensions: { code: 'invalid-jwt' } }] });
  });

  test('is refused when its person is disabled', async () => {
    const person = 'local|dogwood-investor';
    const id = '91000000-0000-4000-8000-000000000401';
    world.provider.answerWith(file('content'));
    const token = await world.tokenOf(id, person);
    expect((await world.fetchFile(token, id)).status).toBe(200);
    await world.sql(`update public."user" set status = 'disabled' where id = '${person}'`);
    expect((await world.fetchFile(token, id)).status).toBe(401);
  });

  test('is refused when its person no longer has its role', async () => {
    world.provider.answerWith(file('content'));
    const token = await world.tokenOf(document, officer);
    expect((await world.fetchFile(token)).status).toBe(200);
    await world.sql(
      `delete from public.user_role where user_id = '${officer}' and role = 'compliance'`,
    );
    expect((await world.fetchFile(token)).status).toBe(401);
  });

  test('does not appear in the log', async () => {
    world.provider.answerWith(status(500));
    const token = await world.tokenOf();
    await hasty.fetchFile(token);
    await hasty.fetchFile(`${token}x`);
    await hasty.log.lineWith('"status":401');
    expect(hasty.log.text).toContain('a KYC file was not sent completely');
    expect(hasty.log.text).not.toContain(token.slice(-40));
    expect(hasty.log.text).not.toContain('the secret key of tests');
  });
});

describe('the endpoint of KYC files, with a provider', () => {
  test.each([
    ['does not have the file', status(404), problem(404, 'not-found')],
    ['refuses the request', status(403), problem(502, 'provider-error')],
    ['answers with a server error', status(500), problem(502, 'provider-error')],
    ['sends more than the maximum', file(Buffer.alloc(100_001)), problem(502, 'provider-error')],
    ['does not answer', silence, problem(504, 'provider-timeout')],
  ])(
    "that %s, answers with an error without the text of the provider's answer",
    async (_case, answer, expected) => {
      world.provider.answerWith(answer);
      const given = await hasty.fetchFile(await world.tokenOf());
      const text = await given.clone().text();
      expect(await problemOf(given)).toEqual(expected);
      expect(text).not.toContain('the words of the provider');
    },
  );

  test.each([
    ['closes the connection in the middle of the file', breakOff('begin')],
    ['stops sending in the middle of the file', stall('begin')],
    ['sends more than the maximum without declaring it', pour(1_000_000)],
  ])('that %s, ends its answer before it is complete', async (_case, answer) => {
    world.provider.answerWith(answer);
    const given = await hasty.fetchFile(await world.tokenOf());
    expect(given.status).toBe(200);
    await expect(given.arrayBuffer()).rejects.toThrow();
    await hasty.log.lineWith('a KYC file was not sent completely');
  });

  test('that is not configured, answers with an error', async () => {
    const without = await startFileServer(world);
    const answer = await without.fetchFile(await world.tokenOf());
    expect(await problemOf(answer)).toEqual(problem(503, 'kyc-not-configured'));
    await without.stop();
  });

  test('stops reading from the provider after its client disconnects', async () => {
    world.provider.answerWith(stall('begin'));
    const leaving = new AbortController();
    const token = await world.tokenOf();
    const answer = await world.fetchFile(token, document, { signal: leaving.signal });
    const gone = closed(world.provider.requests[0]);
    leaving.abort();
    await expect(answer.arrayBuffer()).rejects.toThrow();
    await gone;
  });

  test('stops waiting for the provider when its client disconnects before the answer', async () => {
    const { promise: reached, resolve } = Promise.withResolvers<void>();
    world.provider.answerWith(() => resolve());
    const leaving = new AbortController();
    const token = await world.tokenOf();
    const answer = world.fetchFile(token, document, { signal: leaving.signal });
    await reached;
    const gone = closed(world.provider.requests[0]);
    leaving.abort();
    await expect(answer).rejects.toThrow();
    await gone;
  });
});
