import { createHash } from 'node:crypto';
import { cp, mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { migrate } from '../../../../../permissions/index.ts';
import {
  migrateEverything,
  migrateScopes,
  refuseUnprepared,
} from '../../../../../server/db/preparation.ts';
import { createDatabase, type TestDatabase } from '../../../../support/database.ts';
import { query } from '../../../../support/query.ts';
import { cardPayload, custodyPayload } from './support/payloads.ts';

const platform = fileURLToPath(new URL('../../../../../sql/platform/', import.meta.url));
const hour = (n: number) => `2026-03-10T${String(n).padStart(2, '0')}:00:00Z`;
const balance = (reported: number | string) =>
  custodyPayload({ type: 'balance', hash: '', transfer: '', state: '', balance: reported });

/** As the version before stored them: by the digest of the body. */
const old: readonly (readonly [string, string, string, string, string | null])[] = [
  ['card', hour(1), JSON.stringify(cardPayload()), 'done', null],
  // The same payment in another spelling, which that version took for another one.
  ['card', hour(2), JSON.stringify(cardPayload(), null, 2), 'done', null],
  ['custody', hour(3), JSON.stringify(balance(411000)), 'done', null],
  ['custody', hour(4), JSON.stringify(balance(420000)), 'done', null],
  [
    'custody',
    hour(5),
    JSON.stringify(custodyPayload({ walletId: 'cw-missing', amount: '1' })),
    'ignored',
    'no wallet has this walletId',
  ],
  [
    'custody',
    hour(6),
    JSON.stringify(custodyPayload({ type: 'airdrop' })),
    'ignored',
    'the type is not known',
  ],
  ['custody', hour(7), '{', 'malformed', 'the body is not valid JSON'],
  // Amounts and times that Postgres cannot take in, which that version stored all the same.
  ['custody', hour(8), JSON.stringify(balance(`0.${'1'.repeat(16_384)}`)), 'failed', null],
  ['custody', hour(9), JSON.stringify(custodyPayload({ amount: '1e999999' })), 'failed', null],
  ['custody', hour(10), JSON.stringify(balance('many')), 'failed', null],
  ['card', hour(11), JSON.stringify(cardPayload({ timestamp: 'noon' })), 'failed', null],
];

let database: TestDatabase;
/** How a worker of this version ends on the tables of the version before. */
let started: Promise<void>;
beforeAll(async () => {
  database = await createDatabase();
  const before = await mkdtemp(path.join(inject('scratch'), 'before-'));
  await cp(platform, before, { recursive: true, filter: (file) => !/00(4[2-9]|5\d)_/.test(file) });
  const owner = await database.connectOwner();
  await migrateScopes(owner, ['gateway']);
  await migrate(owner, before, 'platform');
  for (const [provider, received, body, state, note] of old) {
    const key = createHash('sha256').update(body).digest('hex');
    const payload = state === 'malformed' ? null : body;
    await owner.query(
      `insert into rowgate_webhooks.inbox (provider, event_key, received_at, body, payload, state, note)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [provider, key, received, Buffer.from(body), payload, state, note],
    );
  }
  started = refuseUnprepared(owner, new Set(['worker']));
  await started.catch(() => {});
  await migrateEverything(owner);
});
afterAll(() => database.drop());

const takeIn = (provider: string, payload: object) =>
  query(
    database.superuserUrl,
    `select duplicate, wake from rowgate_webhooks.take_in('${provider}', 'digest', convert_to('${JSON.stringify(payload)}', 'UTF8'), null)`,
  );

test('a worker does not start on tables of the version before', async () => {
  await expect(started).rejects.toMatchObject({
    code: 'RG_NOT_PREPARED',
    message: expect.stringContaining('older than this program'),
  });
});

test('callbacks that came in before keep their order, and those of unknown wallets are unmatched', async () => {
  expect(
    await query(
      database.superuserUrl,
      `select arrival::integer, state, awaits, split_part(event_key, ':', 1) ~ '^[0-9a-f]{64}$' as is_digest
       from rowgate_webhooks.inbox where received_at <= '${hour(7)}' order by received_at`,
    ),
  ).toEqual([
    { arrival: 1, state: 'done', awaits: null, is_digest: false },
    { arrival: 2, state: 'done', awaits: null, is_digest: true },
    { arrival: 3, state: 'done', awaits: null, is_digest: false },
    { arrival: 4, state: 'done', awaits: null, is_digest: false },
    { arrival: 5, state: 'unmatched', awaits: 'wallet/cw-missing', is_digest: false },
    { arrival: 6, state: 'ignored', awaits: null, is_digest: false },
    { arrival: 7, state: 'malformed', awaits: null, is_digest: true },
  ]);
});

test('callbacks whose amount or time cannot be taken in keep the digest of their body as their key', async () => {
  const keys = `select event_key = encode(sha256(body), 'hex') as is_kept, state
    from rowgate_webhooks.inbox where received_at > '${hour(7)}' order by received_at`;
  expect(await query(database.superuserUrl, keys)).toEqual(
    Array.from({ length: 4 }, () => ({ is_kept: true, state: 'failed' })),
  );
});

test('a payment that was booked before is a duplicate, in any spelling', async () => {
  expect(await takeIn('card', cardPayload({ amount: '25.50' }))).toEqual([
    { duplicate: true, wake: false },
  ]);
});

test('the last balance that came in before is a duplicate, and another one counts', async () => {
  expect(await takeIn('custody', balance(420000))).toEqual([{ duplicate: true, wake: false }]);
  expect(await takeIn('custody', balance(411000))).toEqual([{ duplicate: false, wake: true }]);
});
