import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import type pg from 'pg';
import pino from 'pino';
import { makeApp } from '../../../../../../server/http/app.ts';
import { mountEndpoints } from '../../../../../../server/http/endpoint/mount.ts';
import { makeLogger } from '../../../../../../server/log/log.ts';
import { type Auth, openAuth } from '../../../../../../server/platform/accounts/open-auth.ts';
import { documentTokenPurpose } from '../../../../../../server/platform/documents/kyc/document-token.ts';
import { makeFileEndpoint } from '../../../../../../server/platform/documents/kyc/kyc-file-endpoint.ts';
import { makeKycProvider } from '../../../../../../server/platform/documents/kyc/kyc-provider.ts';
import { LogCapture } from '../../../../../support/log-capture.ts';
import { openTestPool } from '../../../../../support/sidecar-pool.ts';
import { makeWorld, type World } from '../../../accounts/support/world.ts';
import { document, holder } from './ids.ts';
import { startTestProvider, type TestProvider } from './test-provider.ts';

const secretKey = 'the secret key of tests';
const appToken = 'app-token';

/** A server with the endpoints of KYC files, and a file provider whose answers the test sets. */
export interface KycWorld extends World {
  readonly provider: TestProvider;
  /** Issues tokens for any purpose and lifetime, signed with the keys of the server. */
  readonly auth: Auth;
  /** Connections of the sidecar login. */
  readonly pool: pg.Pool;
  /** Requests a token for a document as a person, and returns the answer. */
  issue(
    id?: string,
    person?: string,
    headers?: Readonly<Record<string, string>>,
    signal?: AbortSignal,
  ): Promise<Response>;
  /** Requests a token for a document as a person, and returns the token alone. */
  tokenOf(id?: string, person?: string): Promise<string>;
  fetchFile(token: string, id?: string, init?: RequestInit): Promise<Response>;
}

export async function makeKycWorld(): Promise<KycWorld> {
  const provider = await startTestProvider();
  const world = await makeWorld({
    ROWGATE_KYC_BASE_URL: provider.url,
    ROWGATE_KYC_APP_TOKEN: appToken,
    ROWGATE_KYC_SECRET_KEY: secretKey,
    ROWGATE_TOKEN_RATE: '10000',
    // The timeout is so long that only a cancellation can end a statement during a test.
    ROWGATE_STATEMENT_TIMEOUT_MS: '600000',
  });
  const pool = await openTestPool(world.server.config, world.database);
  const auth = await openSameKeys(world, pool);
  const { server, issuer } = world;
  const issue: KycWorld['issue'] = async (
    id = document,
    person = holder,
    headers = {},
    signal = undefined,
  ) => {
    const authorization = `Bearer ${await issuer.tokenFor(person)}`;
    return server.fetch(`/kyc/documents/${id}/token`, {
      method: 'POST',
      headers: { Authorization: authorization, ...headers },
      ...(signal && { signal }),
    });
  };
  return {
    ...world,
    provider,
    auth,
    pool,
    issue,
    tokenOf: async (id, person) => {
      const { token } = (await (await issue(id, person)).json()) as { readonly token: string };
      return token;
    },
    fetchFile: (token, id = document, init = {}) =>
      server.fetch(`/kyc/documents/${id}/file?token=${encodeURIComponent(token)}`, init),
    end: async () => {
      await auth.close();
      await pool.end();
      await world.end();
      await provider.stop();
    },
  };
}

async function openSameKeys({ server }: World, pool: pg.Pool): Promise<Auth> {
  return openAuth({
    config: { ...server.config, baseUrl: server.url },
    pool,
    secretKey: 's'.repeat(40),
    model: () => {
      throw new Error('nobody asks for rules here');
    },
    logger: pino({ level: 'silent' }),
  });
}

/** A server on its own port with nothing but the endpoint of KYC files. */
export interface FileServer {
  readonly log: LogCapture;
  fetchFile(token: string): Promise<Response>;
  stop(): Promise<void>;
}

/**
 * Starts a file server with short time limits for the provider. Without a URL, no provider is
 * configured.
 */
export async function startFileServer(
  { auth, pool, server }: KycWorld,
  baseUrl?: string,
): Promise<FileServer> {
  const log = new LogCapture();
  const logger = makeLogger({ ...server.config, logLevel: 'debug' }, log);
  const limits = { pauseMs: 1, headersMs: 1000, stallMs: 1000, bytes: 100_000 };
  const config = baseUrl && { baseUrl, appToken, secretKey };
  const endpoint = makeFileEndpoint({
    provider: config ? makeKycProvider(config, logger, limits) : undefined,
    tokens: auth.purposeTokens(documentTokenPurpose),
    pool,
    logger,
  });
  const routes = express.Router().use(mountEndpoints([endpoint], 0));
  const phase = () => 'serving' as const;
  const app = makeApp({ config: server.config, logger, phase, service: [], routes });
  const listening = app.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  return {
    log,
    fetchFile: (token) =>
      fetch(`http://127.0.0.1:${port}/kyc/documents/${document}/file?token=${token}`),
    stop: async () => {
      listening.close();
      listening.closeAllConnections();
    },
  };
}
