import type { Server } from 'node:http';
import express, { type Router } from 'express';
import type pino from 'pino';
import type { Model } from '../../permissions/index.ts';
import type { ActionServices } from '../actions/action-source.ts';
import { missingVariables, refuseMissingVariables } from '../actions/missing-variables.ts';
import type { AdminGraphql } from '../admin/admin-endpoint.ts';
import type { ConfiguredApplication } from '../application.ts';
import {
  type Authenticator,
  adminSecretAuthenticator,
  unauthorizedAuthenticator,
} from '../caller/authenticate.ts';
import { pageOrigins } from '../caller/cross-site.ts';
import { openJwt } from '../caller/jwt/jwt-authenticator.ts';
import { makeMemoryRates } from '../caller/memory-rates.ts';
import { webhookAuthenticator } from '../caller/webhook/webhook-authenticator.ts';
import type { WrongSecrets } from '../caller/wrong-secrets.ts';
import { Closers } from '../closers.ts';
import {
  type AuthenticationConfig,
  addFileAuthentication,
} from '../config/authentication/authentication-config.ts';
import type { Config } from '../config/config.ts';
import type { Part, ServeSettings } from '../config/serve-options.ts';
import { type DatabaseAccess, openDatabase } from '../db/open-database.ts';
import { resolveAdminSecret, resolvePlatformSecrets, type Secret } from '../db/server-secrets.ts';
import { webhookServices } from '../delivery/resolve-webhook.ts';
import { deliveredItems, unsetVariables } from '../delivery/unset-variables.ts';
import { errorMessage, ProcessError } from '../errors.ts';
import { makeMetricsEndpoint } from '../events/metrics/metrics-endpoint.ts';
import { makeRegistry } from '../events/metrics/open-metrics.ts';
import { type DataApi, type Gateway, openGateway } from '../gateway/gateway.ts';
import { makeApp } from '../http/app.ts';
import { boundConnections } from '../http/connections/bound-connections.ts';
import { drain, listen, portOf } from '../http/connections/listen.ts';
import { asUpgradeRequest } from '../http/connections/upgrade-request.ts';
import { type DirectRoutes, makeListener } from '../http/direct.ts';
import type { Endpoint } from '../http/endpoint/define-endpoint.ts';
import { makeWrongSecrets } from '../http/security/count-wrong-secrets.ts';
import { makeServiceEndpoints, type Phase } from '../http/service-endpoints.ts';
import { makeAdminRoutes } from './admin-routes.ts';
import { adminSecretScheme, dataApiSchemes } from './data-api-schemes.ts';
import type { Services } from './open-services.ts';
import { prepareDatabase } from './prepare-database.ts';
import { makeRoutes } from './routes.ts';

const drainTimeoutMs = 30_000;

/** A started server. */
export interface RunningServer {
  /** The base URL, e.g. `http://127.0.0.1:5678`. */
  readonly url: string;
  /** The file with the generated admin secret; absent when the secret is configured. */
  readonly adminSecretFile: string | undefined;
  /** Finishes the running requests and releases all resources. Safe to call again. */
  stop(): Promise<void>;
}

/**
 * Starts the server: listens, opens the database, prepares it if it is embedded, loads the metadata, serves. After a
 * failure nothing keeps running.
 * @param application the application that the metadata folder names, if any
 * @throws ProcessError or MetadataError
 */
export async function startServer(
  fromEnvironment: Config,
  settings: ServeSettings,
  logger: pino.Logger,
  application?: ConfiguredApplication,
): Promise<RunningServer> {
  const given = await withFileAuthentication(fromEnvironment, settings.metadata);
  const adminSecret = await resolveAdminSecret(given);
  const closers = new Closers();
  const routes = express.Router();
  let phase: Phase = 'starting';
  let gateway: Gateway | undefined;
  let stopWorking = async () => {};
  const service = makeServiceEndpoints({
    phase: () => phase,
    unreadiness: async () => (await gateway?.unreadiness()) ?? [],
  });
  let direct: DirectRoutes | undefined;
  const app = makeApp({ config: given, logger, phase: () => phase, service, routes });
  const listener = makeListener({ app, direct: () => direct, config: given, logger });
  const sockets = () => gateway?.data?.sockets;
  // Listens first, so that a port in use is reported before any other part starts.
  const server = await listen(listener, given.host, given.port, {
    isMeant: (request) => phase !== 'starting' && sockets()?.isFor(request) === true,
    handle: (request, socket, head) =>
      sockets()?.open(asUpgradeRequest(app, request), socket, head),
  });
  boundConnections(server, given.maxConnections);
  closers.add(() => finishRequests(server, logger));
  const config = { ...given, baseUrl: reachableAt(given, server) };
  try {
    const starting = { config, settings, logger, application, adminSecret, service, closers };
    const serving = await serve(starting);
    gateway = serving.gateway;
    stopWorking = async () => serving.side?.stopWorking();
    routes.use(serving.routes);
    const { data } = gateway;
    direct = data && { handlerAt: data.handlerAt, readSession: serving.side?.session };
  } catch (error) {
    await closers.close().catch((failure: unknown) => logger.warn(errorMessage(failure)));
    throw error;
  }
  phase = 'serving';
  return {
    url: config.baseUrl,
    adminSecretFile: adminSecret.file,
    stop: async () => {
      await stopWorking().catch((error: unknown) => logger.warn(errorMessage(error)));
      phase = 'draining';
      gateway?.data?.subscriptions.drain();
      await Promise.all([sockets()?.drain(drainTimeoutMs), finishRequests(server, logger)]);
      await closers.close();
    },
  };
}

/** Adds the settings for authentication in the metadata folder to those from the environment. */
async function withFileAuthentication(config: Config, metadata: string): Promise<Config> {
  const { callers, events, headerPrefix } = config;
  const { authentication: environment } = callers;
  const { variable } = events;
  const given = { environment, metadata, headerPrefix, variable };
  return { ...config, callers: { ...callers, authentication: await addFileAuthentication(given) } };
}

/** Returns the base URL with the actual port when the configured port is 0. */
function reachableAt({ port, baseUrl }: Config, server: Server): string {
  return port === 0 ? `${baseUrl.replace(/:0$/, '')}:${portOf(server)}` : baseUrl;
}

interface Starting {
  readonly config: Config;
  readonly settings: ServeSettings;
  readonly logger: pino.Logger;
  readonly application: ConfiguredApplication | undefined;
  readonly adminSecret: Secret;
  readonly service: readonly Endpoint[];
  readonly closers: Closers;
}

interface Serving {
  readonly gateway: Gateway;
  readonly side: Services | undefined;
  readonly routes: Router;
}

async function serve(starting: Starting): Promise<Serving> {
  const { config, settings, logger, application, service, closers } = starting;
  const { metadata, parts } = settings;
  const database: DatabaseAccess = await openDatabase(config, logger, () => loadAhead(parts));
  closers.add(database.close);
  const preparing = { config, settings, application, logger };
  const { login, services } = await prepareDatabase(database, preparing);
  let gateway: Gateway | undefined;
  const model = () => {
    if (gateway) return gateway.model();
    throw new Error('the rules were used before they were loaded');
  };
  const registry = makeRegistry();
  let side: Services | undefined;
  if (services) {
    // Imported on demand, because a process that serves only GraphQL does not need it.
    const { openServices } = await import('./open-services.ts');
    const gatewayUrl = login.url;
    const opening = { config, application, login: services, gatewayUrl, parts, model, logger };
    const accessEnded = (person: string | undefined) =>
      void gateway?.data?.subscriptions.recheck(person);
    side = await openServices({ ...opening, accessEnded, registry });
    closers.add(side.close);
  }
  const wrongSecrets =
    side?.wrongSecrets ??
    makeWrongSecrets({
      ...{ rates: makeMemoryRates(), perMinute: config.callers.exchangeRate },
      logger,
    });
  const byAdminSecret = adminSecretAuthenticator(starting.adminSecret.value, wrongSecrets);
  const others = await authenticatorsOf(starting, side, wrongSecrets);
  const authenticators = [byAdminSecret, ...others];
  const onReload = async () => {
    for (const problem of missingVariables(model().actions.values(), config.events.variable)) {
      logger.error(problem);
    }
    warnOfUnsetVariables(model(), starting);
    await side?.refresh();
  };
  const rates = side?.rates;
  const actions = await actionServices(config, side, logger);
  const schemes = dataApiSchemes(config, side?.dataApiSchemes ?? []);
  const calling = { authenticators, schemes, rates, actions };
  const opening = { config, database, login, metadata, parts, ...calling, onReload, logger };
  gateway = await openGateway({ ...opening, readSession: side?.session, registry });
  closers.add(gateway.close);
  refuseMissingVariables(gateway.model().actions.values(), config.events.variable);
  warnOfUnsetVariables(gateway.model(), starting);
  await refuseWithoutSecret(gateway.model(), starting, actions);
  await side?.work();
  const { data } = gateway;
  const admin = data
    ? makeAdminRoutes(starting.adminSecret.value, {
        ...{ adminSecret: byAdminSecret, scheme: adminSecretScheme(config.headerPrefix) },
        findPeople: starting.application?.application.findPeople,
        ...{ model, registry: data.registry, graphql: adminGraphql(data) },
        ...{ ownerUrl: database.ownerUrl, config, closers, logger },
        health: {
          ...{ metrics: registry, unreadiness: gateway.unreadiness, drift: gateway.drift },
          recent: () => data.metrics.recent.intervals(),
        },
        application: side?.console,
      })
    : [];
  const metrics = makeMetricsEndpoint(registry, config.events.metricsTokens, wrongSecrets);
  return {
    gateway,
    side,
    routes: makeRoutes({ config, parts, service, side, gateway, admin, metrics }),
  };
}

function adminGraphql({ handlerAt, describe }: DataApi): AdminGraphql {
  const run = handlerAt('/v1/graphql');
  if (!run) throw new Error('the data API has no path /v1/graphql');
  return { run, describe };
}

/** Deliveries that need an unset variable fail. They are tried again later, so the worker starts nevertheless. */
function warnOfUnsetVariables(model: Model, { config, settings, logger }: Starting): void {
  if (!settings.parts.has('worker')) return;
  for (const problem of unsetVariables(deliveredItems(model), config.events.variable)) {
    logger.warn(problem);
  }
}

/**
 * Lists the authenticators that are tried after the admin secret, in their order: application, JWT, webhook, anonymous
 * role.
 * @throws ProcessError RG_CONFIG for settings without an effect
 */
async function authenticatorsOf(
  { config, application, closers, logger }: Starting,
  side: Services | undefined,
  wrongSecrets: WrongSecrets,
): Promise<readonly Authenticator[]> {
  const { unauthorizedRole, authentication } = config.callers;
  const { jwt, webhook } = authentication;
  const origins = pageOrigins(config.callers.appOrigins, config.baseUrl);
  const ofApplication = side?.authenticators ?? [];
  refuseWithoutEffect(config, application !== undefined);
  if (ofApplication.length > 0) refuseSharedHeader(jwt);
  const tokens = jwt.length > 0 ? await openJwt(jwt, { wrongSecrets, origins, logger }) : undefined;
  if (tokens) closers.add(tokens.close);
  const allowsAnonymous = unauthorizedRole !== undefined;
  return [
    ...ofApplication,
    ...(tokens ? [tokens.authenticator] : []),
    ...(webhook ? [webhookAuthenticator(webhook, { allowsAnonymous, origins, logger })] : []),
    ...(unauthorizedRole === undefined ? [] : [unauthorizedAuthenticator(unauthorizedRole)]),
    ...(tokens ? [tokens.refuseMissing] : []),
  ];
}

/**
 * Refuses settings of callers that have no effect.
 * @throws ProcessError RG_CONFIG
 */
function refuseWithoutEffect({ callers }: Config, hasApplication: boolean): void {
  if (hasApplication || !callers.namesIdentityProvider) return;
  throw new ProcessError('RG_CONFIG', 'ROWGATE_IDP_ISSUER has no effect without an application', {
    hint: 'set ROWGATE_JWT_SECRET to accept tokens of an issuer on a database of your own',
    exitCode: 2,
  });
}

/**
 * Refuses JWT settings that read the Authorization header while an application exists: the application reads Bearer
 * tokens in that header, and refuses tokens of other issuers.
 * @throws ProcessError RG_CONFIG
 */
function refuseSharedHeader(jwt: AuthenticationConfig['jwt']): void {
  if (!jwt.some(({ location }) => location.kind === 'authorization')) return;
  const problem = 'JWT authentication cannot use the header Authorization beside the application';
  throw new ProcessError('RG_CONFIG', `${problem}, which reads it itself`, {
    hint: 'set header to a cookie or a custom header, or remove the application',
    exitCode: 2,
  });
}

/** Makes the services for calls of action handlers. */
async function actionServices(
  config: Config,
  side: Services | undefined,
  logger: pino.Logger,
): Promise<ActionServices> {
  const [secret = ''] = await resolvePlatformSecrets(config).catch(() => []);
  return { webhooks: webhookServices(config, secret), pool: side?.pool, logger };
}

/**
 * Refuses rules with webhooks that are paths of this server when no platform secret exists to send to them.
 * @throws ProcessError RG_CONFIG when such a webhook is used without a secret
 */
async function refuseWithoutSecret(
  { actions, events, schedules }: Model,
  { config, settings: { parts } }: Starting,
  { webhooks }: ActionServices,
): Promise<void> {
  if (webhooks.platformSecret !== '') return;
  const delivered = parts.has('worker')
    ? [
        ...[...events.values()].map(({ webhook }) => webhook),
        ...[...schedules.values()].map(({ run }) => (run.kind === 'webhook' ? run.webhook : '')),
      ]
    : [];
  const called = [...[...actions.values()].map(({ handler }) => handler), ...delivered];
  if (called.some((one) => one.startsWith('/'))) await resolvePlatformSecrets(config);
}

/**
 * Imports modules while the embedded database starts, which saves time. A failed import is ignored; the later import of
 * the same module reports the failure.
 */
function loadAhead(parts: ReadonlySet<Part>): void {
  import('./open-services.ts').catch(() => {});
  if (parts.has('graphql')) import('../graphql/service.ts').catch(() => {});
}

async function finishRequests(server: Server, logger: pino.Logger): Promise<void> {
  if (!server.listening) return;
  const complete = await drain(server, drainTimeoutMs);
  if (!complete) logger.warn('requests that took too long were aborted');
}
