import type { RequestHandler } from 'express';
import type pino from 'pino';
import type { Model } from '../permissions/index.ts';
import { type Auth, openAuth } from './auth/open-auth.ts';
import { type Closers, openWhole } from './closers.ts';
import type { Config } from './config.ts';
import type { Authenticator } from './context.ts';
import { openSidecarPool } from './db/sidecar-pool.ts';
import { openDocuments } from './documents/open-documents.ts';
import { openQueue } from './platform/queue/open-queue.ts';
import type { Sidecar } from './prepare-database.ts';
import type { Endpoint } from './rest/endpoint.ts';
import type { Part } from './serve-options.ts';

export interface SidecarOptions {
  readonly config: Config;
  readonly sidecar: Sidecar;
  /** Of the login that serves the data API. */
  readonly gatewayUrl: string;
  readonly parts: ReadonlySet<Part>;
  /** The rules that are served at this moment. */
  readonly model: () => Model;
  readonly logger: pino.Logger;
}

/** All that is not the data API. */
export interface SidecarParts {
  /** Those of the part `rest`. */
  readonly endpoints: readonly Endpoint[];
  /** Reads the session of requests that bring its cookie; absent where sessions do not count. */
  readonly session: RequestHandler | undefined;
  /** For the data API. */
  readonly authenticators: readonly Authenticator[];
  /** Begins to deliver, to run schedules and to send, where this process is a worker; once the rules are loaded. */
  work(): Promise<void>;
  close(): Promise<void>;
}

/** @throws ProcessError RG_CONFIG where a setting cannot be used, RG_NOT_PREPARED where tables are missing */
export function openSidecar(options: SidecarOptions): Promise<SidecarParts> {
  return openWhole((closers) => open(options, closers));
}

async function open(options: SidecarOptions, closers: Closers): Promise<SidecarParts> {
  const { config, sidecar, parts, logger } = options;
  const pool = openSidecarPool(sidecar.url, { config, logger });
  closers.add(() => pool.end());
  const works = parts.has('worker');
  const queue =
    works || parts.has('rest')
      ? await openQueue({ url: sidecar.directUrl, works, logger })
      : undefined;
  if (queue) closers.add(queue.close);
  let auth: Auth | undefined;
  const endpoints: Endpoint[] = [];
  if (sidecar.secretKey !== undefined) {
    auth = await openAuth({ ...options, pool, secretKey: sidecar.secretKey });
    closers.add(auth.close);
    endpoints.push(...auth.endpoints);
  }
  if (auth && parts.has('rest')) {
    const documents = await openDocuments({ ...options, pool, callers: auth });
    closers.add(documents.close);
    endpoints.push(...documents.endpoints);
  }
  return {
    endpoints,
    session: auth?.session,
    authenticators: auth?.authenticators ?? [],
    work: async () => {},
    close: () => closers.close(),
  };
}
