import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Contender, startContender, stopContenders } from '../../../bench/contender.ts';
import { attacks, headersOf, post } from '../../../bench/hostile/attacks.ts';
import { startAttack } from '../../../bench/hostile/start-attack.ts';
import { PeakWatch } from '../../../bench/hostile/watch-peaks.ts';
import { applyMetadata } from '../../../permissions/index.ts';
import { withLogin } from '../../../server/db/url.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';

const bench = path.resolve(import.meta.dirname, '../../../bench');
const metadata = path.join(bench, 'metadata');
const secret = 'a-secret-of-at-least-32-characters!!';
const password = 'gateway-password-for-tests';
const poolSize = 10;
const normal = JSON.stringify({ query: '{ wallet(limit: 1, order_by: {id: asc}) { name } }' });

let database: TestDatabase;
let superuser: pg.Client;
let gateway: Contender;
let folder: string;
beforeAll(async () => {
  database = await createDatabase();
  const owner = await database.connectOwner();
  await owner.query(await readFile(path.join(bench, 'schema.sql'), 'utf8'));
  await applyMetadata(owner, { metadata, headerPrefix: 'X-Gql-', password });
  const login = `rowgate_${database.name}_gateway_login`;
  const gatewayUrl = withLogin(database.ownerUrl, login, password);
  folder = await mkdtemp(path.join(tmpdir(), 'rowgate-hostile-'));
  const logFile = path.join(folder, 'gateway.log');
  gateway = await startContender('gateway', { gatewayUrl, secret, metadata, poolSize, logFile });
  superuser = await database.connectSuperuser();
});
afterAll(async () => {
  stopContenders([gateway]);
  await rm(folder, { recursive: true });
  await database.drop();
});

describe('while one caller attacks, another caller of the same role gets answers', () => {
  test.each(attacks)('$name', async ({ name, meets, holds }) => {
    const watch = new PeakWatch(gateway, superuser);
    const attack = startAttack({ name, port: gateway.port, secret });
    onTestFinished(async () => {
      attack.kill();
      await watch.end();
    });
    await expect.poll(() => meets.filter((code) => !attack.met.has(code))).toEqual([]);
    await expect.poll(() => watch.peaks.connections).toBeGreaterThanOrEqual(holds);
    const answers = new Set<string>();
    for (let turn = 0; turn < 20; turn += 1) {
      answers.add(await post(gateway.port, headersOf(secret, 1), normal));
    }
    await attack.stop();
    const { connections, backendMiB, eventLoopMs } = await watch.end();
    expect([...answers]).toEqual(['{"data":{"wallet":[{"name":"Wallet 2"}]}}']);
    // The attacker may use half of the pool, and the other caller uses one further connection.
    expect(connections).toBeLessThanOrEqual(poolSize / 2 + 1);
    expect(backendMiB).toBeLessThan(256);
    expect(eventLoopMs).toBeLessThan(2000);
  });
});
