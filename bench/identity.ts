/*
 * Measures `GET /auth/session` with a cookie and with a bearer token. Compares Rowgate with a minimum hand-written endpoint
 * on the same database, in turns. Takes half a minute.
 */
import { createHmac, createSign, generateKeyPairSync } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import pg from 'pg';
import { applyMetadata } from '../permissions/index.ts';
import { parseConfig } from '../server/config/config.ts';
import { resolveLogin } from '../server/db/logins/logins.ts';
import { prepareSidecarLogin } from '../server/db/logins/sidecar-login.ts';
import { migrateEverything } from '../server/db/preparation.ts';
import { platformGrants } from '../server/platform/grants.ts';
import { platform } from '../server/platform/open-platform.ts';
import { type Contender, startContender, stopContenders } from './contender.ts';
import type { IdentitySettings } from './contenders/identity-settings.ts';
import { type BenchCluster, startBenchCluster } from './database.ts';
import { LoadGenerator } from './load/load.ts';
import { ROUND_MS, runRounds } from './load/rounds.ts';
import { resultTable } from './load/table.ts';
import { askAll, type Target } from './load/target.ts';
import { httpTrial } from './load/trial.ts';
import { rounds } from './options.ts';

const metadata = path.resolve(import.meta.dirname, '../metadata');
const person = 'local|alder-member';
const audience = 'benchmark';
const cookieKey = 'benchmark-cookie-key-of-at-least-32-characters';
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const publicJwk = publicKey.export({ format: 'jwk' });
const header = { alg: 'RS256', typ: 'JWT', kid: 'bench' };

/** Starts an identity provider that only serves its key set. */
async function startProvider() {
  const server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ keys: [{ ...publicJwk, kid: header.kid, use: 'sig' }] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { issuer: `http://127.0.0.1:${port}/`, close: () => server.close() };
}

function signToken(issuer: string): string {
  const now = Math.floor(Date.now() / 1000);
  const times = { iat: now, nbf: now, exp: now + 3600 };
  const claims = { iss: issuer, aud: audience, sub: person, ...times };
  const parts = [header, claims].map((one) =>
    Buffer.from(JSON.stringify(one)).toString('base64url'),
  );
  const signature = createSign('sha256').update(parts.join('.')).sign(privateKey, 'base64url');
  return [...parts, signature].join('.');
}

/** Prepares the platform's tables, people and rules. Returns the settings of the contenders. */
async function prepare(cluster: BenchCluster, issuer: string): Promise<IdentitySettings> {
  const dataDir = path.join(cluster.folder, 'data');
  await mkdir(dataDir);
  const environment = {
    ...{ PORT: '0', NODE_ENV: 'production', ROWGATE_LOG_LEVEL: 'warn', ROWGATE_POOL_SIZE: '8' },
    ...{ DATABASE_URL: cluster.ownerUrl, ROWGATE_DATA_DIR: dataDir },
    ROWGATE_ADMIN_SECRET: 'benchmark-secret-of-at-least-32-characters',
    ROWGATE_SECRET_KEY: 'benchmark-key-of-at-least-32-characters',
    ROWGATE_PLATFORM_ADMIN_SECRET: 'benchmark-token-of-at-least-32-characters',
    // Simulates a proxy that terminates TLS, because the cookie requires https.
    ROWGATE_TRUST_PROXY: '1',
    ...{ ROWGATE_IDP_ISSUER: issuer, ROWGATE_IDP_AUDIENCE: audience },
    ROWGATE_IDP_JWKS_URL: `${issuer}jwks`,
  };
  const { config } = parseConfig(environment, '/');
  const owner = new pg.Client({ connectionString: cluster.ownerUrl });
  await owner.connect();
  try {
    await migrateEverything(owner, platform);
    const { name, password } = await resolveLogin(config, cluster.ownerUrl, 'gateway');
    await prepareSidecarLogin(
      owner,
      await resolveLogin(config, cluster.ownerUrl, 'sidecar'),
      platformGrants,
    );
    await applyMetadata(owner, { metadata, headerPrefix: 'X-Gql-', login: name, password });
  } finally {
    await owner.end();
  }
  const settings = { ownerUrl: cluster.ownerUrl, poolSize: 8, cookieKey, publicJwk };
  return { ...settings, environment, metadata, issuer, audience };
}

/** Returns the cookie of a new session, and one for the same session that the hand-written endpoint accepts. */
async function signIn(gateway: Contender, token: string, ownerUrl: string) {
  const response = await fetch(`http://127.0.0.1:${gateway.port}/auth/token-exchange`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'X-Forwarded-Proto': 'https' },
  });
  const cookie = response.headers.get('set-cookie')?.split(';')[0];
  if (response.status !== 200 || cookie === undefined) throw new Error(await response.text());
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  const { rows } = await owner.query('select sid from rowgate_auth.session');
  await owner.end();
  const { sid } = rows[0];
  const signature = createHmac('sha256', cookieKey).update(sid).digest('base64url');
  return { gateway: cookie, 'by-hand': `by-hand=${sid}.${signature}` };
}

const provider = await startProvider();
const cluster = await startBenchCluster();
const generator = new LoadGenerator();
const contenders: Contender[] = [];
try {
  const settings = await prepare(cluster, provider.issuer);
  const gateway = await startContender('identity-gateway', settings);
  contenders.push(gateway);
  const byHand = await startContender('identity-by-hand', settings);
  contenders.push(byHand);
  const token = signToken(provider.issuer);
  const cookies = await signIn(gateway, token, cluster.ownerUrl);
  const postgres = await cluster.postmaster();
  const asking = ({ name: contender, port, process }: Contender, headers: Target['headers']) => ({
    contender,
    processes: { server: process.pid, postgres },
    target: { port, path: '/auth/session', headers, exchanges: [{ opening: '{"user":{"id":' }] },
  });
  const operations = {
    'by cookie': [
      asking(gateway, { cookie: cookies.gateway }),
      asking(byHand, { cookie: cookies['by-hand'] }),
    ],
    'by Bearer token': [gateway, byHand].map((one) =>
      asking(one, { authorization: `Bearer ${token}` }),
    ),
  };
  const groups = Object.entries(operations).map(([operation, askings]) =>
    askings.map(({ contender, target, processes }) =>
      httpTrial({ operation, contender, connections: 16 }, target, processes, generator),
    ),
  );
  const answers = await Promise.all(
    Object.values(operations).flatMap((askings) => askings.map(({ target }) => askAll(target))),
  );
  if (new Set(answers.flat()).size !== 2)
    throw new Error(`the answers differ:\n${answers.join('\n')}`);
  console.log(`${rounds} rounds of ${ROUND_MS} ms, 16 connections each, node ${process.version}`);
  console.log(resultTable(await runRounds(groups)));
} finally {
  stopContenders(contenders);
  generator.stop();
  provider.close();
  await cluster.remove();
}
