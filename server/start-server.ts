import type { Server } from 'node:http';
import type pino from 'pino';
import { resolveAdminSecret } from './admin-secret.ts';
import { makeApp, type Phase } from './app.ts';
import { Closers } from './closers.ts';
import type { Config } from './config.ts';
import { withConnection } from './db/connection.ts';
import { type GatewayLogin, refuseUnusableLogin } from './db/gateway-login.ts';
import { type DatabaseAccess, openDatabase } from './db/open-database.ts';
import { prepareEmbedded, refuseUnprepared } from './db/preparation.ts';
import { errorMessage } from './errors.ts';
import { type Gateway, openGateway } from './gateway.ts';
import { drain, listen, portOf } from './listen.ts';
import type { ServeSettings } from './serve-options.ts';

const drainTimeoutMs = 30_000;

/** A server that answers requests. */
export interface RunningServer {
  /** Root of its URLs, e.g. `http://127.0.0.1:5678`. */
  readonly url: string;
  /** File with the generated admin secret; absent where it is configured. */
  readonly adminSecretFile: string | undefined;
  /** Finishes the requests that run, then lets go of everything. Safe to call again. */
  stop(): Promise<void>;
}

/**
 * Brings the gateway up: listens, opens the database and prepares it where it is the embedded one,
 * loads the metadata, answers. Throws ProcessError or MetadataError, and nothing is left running then.
 */
export async function startServer(
  config: Config,
  settings: ServeSettings,
  logger: pino.Logger,
): Promise<RunningServer> {
  const adminSecret = await resolveAdminSecret(config);
  const closers = new Closers();
  let phase: Phase = 'starting';
  let gateway: Gateway | undefined;
  const app = makeApp({
    logger,
    phase: () => phase,
    unreadiness: async () => (await gateway?.unreadiness()) ?? [],
    routes: () => gateway?.router ?? ((_request, _response, next) => next()),
  });
  // First of all, so that a taken port is told before anything is started for nothing.
  const server = await listen(app, config.host, config.port);
  closers.add(() => finishRequests(server, logger));
  try {
    const { database, login } = await prepareDatabase(config, settings, logger, closers);
    const { metadata } = settings;
    const { value } = adminSecret;
    gateway = await openGateway({ config, database, login, metadata, logger, adminSecret: value });
    closers.add(gateway.close);
  } catch (error) {
    await closers.close().catch((failure: unknown) => logger.warn(errorMessage(failure)));
    throw error;
  }
  phase = 'serving';
  return {
    url:
      config.port === 0 ? `${config.baseUrl.replace(/:0$/, '')}:${portOf(server)}` : config.baseUrl,
    adminSecretFile: adminSecret.file,
    stop: async () => {
      phase = 'draining';
      await finishRequests(server, logger);
      await closers.close();
    },
  };
}

async function prepareDatabase(
  config: Config,
  settings: ServeSettings,
  logger: pino.Logger,
  closers: Closers,
): Promise<{ readonly database: DatabaseAccess; readonly login: GatewayLogin }> {
  const database = await openDatabase(config, logger);
  closers.add(database.close);
  const login = await database.gatewayLogin();
  if (database.embedded) {
    const { metadata } = settings;
    await prepareEmbedded(database.ownerUrl(), login, { config, metadata, logger });
  } else {
    // A login that Rowgate makes is there only after the first apply; the owner can tell that.
    const askable = login.password === undefined ? login.url : database.ownerUrl();
    await withConnection(askable, (client) => refuseUnprepared(client, settings.platform));
    await refuseUnusableLogin(login);
  }
  return { database, login };
}
async function finishRequests(server: Server, logger: pino.Logger): Promise<void> {
  if (!server.listening) return;
  const complete = await drain(server, drainTimeoutMs);
  if (!complete) logger.warn('requests that took too long were cut off');
}
