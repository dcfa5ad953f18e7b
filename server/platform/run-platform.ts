import type { ApplicationServices, RunningApplication, Working } from '../application.ts';
import { makeMemoryRates } from '../caller/memory-rates.ts';
import { type Closers, openWhole } from '../closers.ts';
import { makeWrongSecrets } from '../http/security/count-wrong-secrets.ts';
import { workMail } from '../mail/work-mail.ts';
import { type Auth, openAuth } from './accounts/open-auth.ts';
import { resolveSecretKey } from './accounts/secret-key.ts';
import type { PlatformConfig, PlatformSettings } from './config/platform-config.ts';
import { apiKeysSection } from './console/api-keys-section.ts';
import { makeCallbacksSection } from './console/callbacks-section.ts';
import { makePeopleSection } from './console/people-section.ts';
import { openDocuments } from './documents/open-documents.ts';
import { addQuoteMetrics } from './jobs/market/quote-metrics.ts';
import { reportNoSources } from './jobs/market/report-no-sources.ts';
import { openPlatformJobs } from './jobs/open-platform-jobs.ts';
import { RecentRefusals } from './webhooks/callbacks/receive/recent-refusals.ts';
import { reportUnconfigured } from './webhooks/callbacks/receive/report-unconfigured.ts';
import { openWebhooks, type Webhooks } from './webhooks/open-webhooks.ts';

type Services = Omit<ApplicationServices<PlatformSettings>, 'config' | 'settings'> & {
  readonly config: PlatformConfig;
};

/** Opens the platform. @throws ProcessError RG_CONFIG when a setting cannot be used */
export function runPlatform({
  config,
  settings,
  ...services
}: ApplicationServices<PlatformSettings>): Promise<RunningApplication> {
  return openWhole((closers) => open({ ...services, config: { ...settings, ...config } }, closers));
}

async function open(services: Services, closers: Closers): Promise<RunningApplication> {
  const { config, parts, logger, accessEnded = () => {} } = services;
  const auth = await openAccounts(services);
  if (auth) closers.add(auth.close);
  const servesRest = auth !== undefined && parts.has('rest');
  const documents = servesRest ? await openDocuments({ ...services, callers: auth }) : undefined;
  if (documents) closers.add(documents.close);
  const recent = new RecentRefusals();
  const webhooks = webhooksOf(services, auth, recent);
  if (parts.has('rest')) reportUnconfigured(config.callbacks, logger);
  if (services.queue) addQuoteMetrics(services);
  return {
    endpoints: [...(servesRest ? auth.endpoints : []), ...(documents?.endpoints ?? [])],
    webhookHandlers: webhooks?.endpoints ?? [],
    session: auth?.session,
    authenticators: auth?.authenticators ?? [],
    dataApiSchemes: auth?.dataApiSchemes ?? [],
    consoleSections: [
      makePeopleSection({ model: services.model, accessEnded }),
      apiKeysSection,
      makeCallbacksSection(recent),
    ],
    adminSignIn: auth?.consoleSignIn,
    rates: auth?.rates,
    work: () => work(services, webhooks),
    close: () => closers.close(),
  };
}

/**
 * Opens the accounts. Undefined in a process without endpoints and without the secret key, which accepts neither
 * sessions nor tokens.
 */
async function openAccounts(services: Services): Promise<Auth | undefined> {
  const { config, parts } = services;
  const isEmbedded = config.database.kind === 'embedded';
  const { secretKey: configured } = config.identity;
  if (!isEmbedded && !parts.has('rest') && configured === undefined) return undefined;
  const { value: secretKey } = await resolveSecretKey(config);
  return openAuth({ ...services, secretKey });
}

function webhooksOf(
  { queue, ...services }: Services,
  auth: Auth | undefined,
  recent: RecentRefusals,
): Webhooks | undefined {
  if (!queue) return undefined;
  const { config, logger } = services;
  const wrongSecrets = makeWrongSecrets({
    ...{ rates: auth?.rates ?? makeMemoryRates(), perMinute: config.callers.exchangeRate },
    logger,
  });
  return openWebhooks({ ...services, queue, wrongSecrets, recent });
}

/** Starts to process callbacks and to send mail, and opens the jobs. */
function work({ queue, ...services }: Services, webhooks?: Webhooks): Promise<Working> {
  if (!queue || !webhooks) throw new Error('a worker was opened without a queue');
  const { config } = services;
  return openWhole(async (closers) => {
    const callbacks = await webhooks.work();
    closers.add(callbacks.close);
    const { brand } = config.documents;
    await workMail({ ...services, queue, config: config.mail, brand });
    reportNoSources(config.jobs, services.logger);
    const { jobs, close } = await openPlatformJobs({ ...services, queue });
    closers.add(close);
    return { jobs, close: () => closers.close() };
  });
}
