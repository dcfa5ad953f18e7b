import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { makeLogger } from '../../../../../server/log/log.ts';
import { createDatabase, type TestDatabase } from '../../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../../support/http.ts';
import { LogCapture } from '../../../../support/log-capture.ts';
import { paths, type Sender, secrets, signed } from './support/callback-world.ts';
import { cardPayload, custodyPayload, kycPayload, logRecord } from './support/payloads.ts';
import { cardHeader, hexDigest } from './support/signatures.ts';

const metricsToken = 'metrics-token-of-the-test-of-refusals';

let database: TestDatabase;
let server: TestServer;
const lines = new LogCapture();
beforeAll(async () => {
  database = await createDatabase({ from: 'applied' });
  server = await serve({
    ROWGATE_CUSTODY_WEBHOOK_SECRET: secrets.custody,
    ROWGATE_CARD_WEBHOOK_SECRET: secrets.card,
    ROWGATE_IDP_LOG_ALLOWLIST: '203.0.113.7',
  });
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

function serve(environment: Readonly<Record<string, string>>): Promise<TestServer> {
  return startTestServer({
    database,
    graphql: false,
    rest: true,
    logger: makeLogger({ logLevel: 'debug', headerPrefix: 'X-Gql-' }, lines),
    environment: { ROWGATE_METRICS_TOKEN: metricsToken, ...environment },
  });
}

interface Sent {
  readonly status: number;
  readonly signatures: readonly string[];
}

async function post(
  sender: Sender,
  body: Buffer,
  headers: Readonly<Record<string, string>> = signed(sender, body),
): Promise<Sent> {
  const { status } = await server.fetch(paths[sender], {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: new Uint8Array(body),
  });
  return { status, signatures: Object.values(headers) };
}

async function counted(provider: string, reason: string): Promise<number> {
  const response = await server.fetch('/metrics', {
    headers: { Authorization: `Bearer ${metricsToken}` },
  });
  const name = `rowgate_callback_refusals_total{provider="${provider}",reason="${reason}"} `;
  const line = (await response.text()).split('\n').find((one) => one.startsWith(name));
  return Number(line?.slice(name.length));
}

const bytes = (payload: object) => Buffer.from(JSON.stringify(payload));
const custody = bytes(custodyPayload({ note: 'what-the-body-says' }));
const card = bytes(cardPayload());

const refusals: readonly (readonly [string, Sender, string, number, () => Promise<Sent>])[] = [
  ['no configured secret', 'kyc', 'not_configured', 401, () => post('kyc', bytes(kycPayload()))],
  ['no signature', 'custody', 'signature', 401, () => post('custody', custody, {})],
  [
    'a wrong signature',
    'custody',
    'signature',
    401,
    () =>
      post('custody', custody, {
        'X-Signature-SHA256': hexDigest('sha256', 'another-secret-of-tests', custody),
      }),
  ],
  [
    'a signature that is too old',
    'card',
    'timestamp',
    401,
    () => post('card', card, { 'X-Card-Signature': cardHeader(secrets.card, card, -310) }),
  ],
  [
    'a wrong signature that is also too old',
    'card',
    'signature',
    401,
    () => post('card', card, { 'X-Card-Signature': cardHeader('another-secret', card, -310) }),
  ],
  [
    'an address that is not listed',
    'identity',
    'address',
    401,
    () => post('identity', bytes(logRecord('x', 's'))),
  ],
  ['a body that is not JSON', 'custody', 'malformed', 400, () => post('custody', Buffer.from('{'))],
  [
    'a body without the required fields',
    'custody',
    'malformed',
    400,
    () => post('custody', bytes({ what: 'what-the-body-says' })),
  ],
  [
    'a body that is too large',
    'custody',
    'oversized',
    413,
    () => post('custody', Buffer.from(custody.toString().padEnd(1024 * 1024 + 1))),
  ],
  [
    'a body of another content type',
    'card',
    'media_type',
    415,
    () => post('card', card, { ...signed('card', card), 'Content-Type': 'text/plain' }),
  ],
];

describe('a refused callback is logged and counted with the reason:', () => {
  afterEach(() => lines.forget());

  test.each(refusals)(
    '%s, in a callback of the provider %s',
    async (_name, provider, reason, status, send) => {
      const before = await counted(provider, reason);
      lines.forget();
      const sent = await send();
      expect(sent.status).toBe(status);
      expect(await lines.lineWith('a callback was refused')).toMatchObject({
        level: 'warn',
        provider,
        reason,
        address: expect.stringContaining('127.0.0.1'),
        requestId: expect.any(String),
      });
      expect(await counted(provider, reason)).toBe(before + 1);
      const [line = ''] = lines.text.split('\n').filter((one) => one.includes('was refused'));
      expect(line).not.toContain('what-the-body-says');
      for (const secret of [...Object.values(secrets), ...sent.signatures]) {
        expect(line).not.toContain(secret);
      }
    },
  );

  test('an accepted callback is neither logged nor counted as refused', async () => {
    const before = await counted('custody', 'signature');
    expect((await post('custody', custody)).status).toBe(202);
    expect(lines.text).not.toContain('was refused');
    expect(await counted('custody', 'signature')).toBe(before);
  });
});

describe('the log at the start of a server with callback endpoints', () => {
  let other: TestServer | undefined;
  afterEach(async () => {
    await other?.stop();
    lines.forget();
  });

  test('has one line with the unconfigured providers and the settings that they need', async () => {
    lines.forget();
    other = await serve({ ROWGATE_CUSTODY_WEBHOOK_SECRET: secrets.custody });
    const line = await lines.lineWith('are refused until');
    expect(line).toMatchObject({
      level: 'warn',
      providers: ['card', 'kyc', 'identity'],
      msg: 'callbacks of card, kyc, identity are refused until ROWGATE_CARD_WEBHOOK_SECRET, ROWGATE_KYC_WEBHOOK_SECRET, ROWGATE_IDP_LOG_ALLOWLIST are set',
    });
    expect(lines.text.split('are refused until')).toHaveLength(2);
  });

  test('has no such line when all providers are configured', async () => {
    lines.forget();
    other = await serve({
      ROWGATE_CUSTODY_WEBHOOK_SECRET: secrets.custody,
      ROWGATE_CARD_WEBHOOK_SECRET: secrets.card,
      ROWGATE_KYC_WEBHOOK_SECRET: secrets.kyc,
      ROWGATE_IDP_LOG_ALLOWLIST: '127.0.0.1',
    });
    expect(lines.text).not.toContain('are refused until');
  });
});
