import type pino from 'pino';
import type { ConfiguredApplication } from '../application.ts';
import { writeLine } from '../cli/command-context.ts';
import { echoMs } from '../cli/interruption.ts';
import type { Config } from '../config/config.ts';
import { parseServeOptions, type ServeSettings } from '../config/serve-options.ts';
import { embeddedReason } from '../db/open-database.ts';
import { asyncDestination } from '../log/async-destination.ts';
import { makeLogger } from '../log/log.ts';
import { type RunningServer, startServer } from './start-server.ts';

/**
 * `rowgate serve` answers requests until SIGTERM or SIGINT, then finishes the running requests. A second signal ends
 * the process immediately. Returns exit code 0. Throws the failures of `startServer`.
 */
export async function serve(
  options: Readonly<Record<string, unknown>>,
  positionals: readonly string[],
  config: Config,
  application: ConfiguredApplication | undefined,
): Promise<number> {
  const settings = parseServeOptions(options, positionals, application !== undefined);
  const logger = makeLogger(config, asyncDestination());
  const signal = firstSignal();
  const reason = embeddedReason(config);
  if (reason !== undefined) writeLine(process.stderr, `rowgate: ${reason}`);
  const server = await startServer(config, settings, logger, application);
  announce(server, { config, settings, logger, application });
  logger.info({ signal: await signal }, 'finishing running requests');
  await server.stop();
  logger.info('stopped');
  return 0;
}

function firstSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let first: number | undefined;
    const receive = (signal: NodeJS.Signals) => {
      if (first !== undefined && performance.now() - first > echoMs) process.exit(1);
      first ??= performance.now();
      resolve(signal);
    };
    process.on('SIGINT', receive).on('SIGTERM', receive);
  });
}

interface Announcing {
  readonly config: Config;
  readonly settings: ServeSettings;
  readonly application: ConfiguredApplication | undefined;
  readonly logger: pino.Logger;
}

/** Prints the URLs to standard error, because standard output contains only log lines. */
function announce(
  server: RunningServer,
  { config, settings, application: configured, logger }: Announcing,
): void {
  logger.info({ url: server.url }, 'serving');
  const { url } = server;
  const { application, settings: own } = configured ?? {};
  const announced = application?.announce({ config, settings: own, url, parts: settings.parts });
  const header = `${config.headerPrefix}Admin-Secret`;
  const { adminSecretFile: file } = server;
  const secret = file === undefined ? '$ROWGATE_ADMIN_SECRET' : `$(cat '${file}')`;
  const lines = [
    '',
    `  Rowgate serves GraphQL at ${server.url}/v1/graphql`,
    ...(config.console ? [`  Console:      ${server.url}/console`] : []),
    `  Described at: ${server.url}/docs`,
    ...(file === undefined ? [] : [`  Admin secret: ${file}`]),
    ...(announced ?? []).map(({ label, text }) => `  ${`${label}:`.padEnd(13)} ${text}`),
    '',
    '  Try it:',
    `  curl -s ${server.url}/v1/graphql -H "${header}: ${secret}" \\`,
    `    -H 'Content-Type: application/json' -d '{"query":"{ __schema { queryType { fields { name } } } }"}'`,
    '',
  ];
  writeLine(process.stderr, lines.join('\n'));
}
