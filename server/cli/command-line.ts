import { parseArgs } from 'node:util';
import { commands, didYouMean } from '../../permissions/index.ts';
import type { Config, loadConfig } from '../config/config.ts';
import { serveOptions } from '../config/serve-options.ts';
import { ProcessError } from '../errors.ts';
import { eventsListCommand } from '../events/commands/events-list-command.ts';
import { eventsRedeliverCommand } from '../events/commands/events-redeliver-command.ts';
import { eventsShowCommand } from '../events/commands/events-show-command.ts';
import { eventsStatsCommand } from '../events/commands/events-stats-command.ts';
import { makeLogger } from '../log/log.ts';
import { mailListCommand } from '../mail/commands/mail-list-command.ts';
import { mailRetryCommand } from '../mail/commands/mail-retry-command.ts';
import { mailShowCommand } from '../mail/commands/mail-show-command.ts';
import { apiKeyCreateCommand } from '../platform/accounts/commands/api-key-create-command.ts';
import { apiKeyListCommand } from '../platform/accounts/commands/api-key-list-command.ts';
import { apiKeyRevokeCommand } from '../platform/accounts/commands/api-key-revoke-command.ts';
import { devTokenCommand } from '../platform/accounts/commands/dev-token-command.ts';
import { rotateKeysCommand } from '../platform/accounts/commands/rotate-keys-command.ts';
import { sessionEndCommand } from '../platform/accounts/commands/session-end-command.ts';
import { sessionListCommand } from '../platform/accounts/commands/session-list-command.ts';
import { userSetAdminCommand } from '../platform/accounts/commands/user-set-admin-command.ts';
import { callbacksListCommand } from '../platform/webhooks/callbacks/commands/callbacks-list-command.ts';
import { callbacksRetryCommand } from '../platform/webhooks/callbacks/commands/callbacks-retry-command.ts';
import { callbacksShowCommand } from '../platform/webhooks/callbacks/commands/callbacks-show-command.ts';
import { jobsHistoryCommand } from '../schedules/commands/jobs-history-command.ts';
import { jobsListCommand } from '../schedules/commands/jobs-list-command.ts';
import { jobsRunCommand } from '../schedules/commands/jobs-run-command.ts';
import { version } from '../version.ts';
import {
  makeCommandContext,
  type ServerCommand,
  type Terminal,
  writeLine,
} from './command-context.ts';
import { exportSdlCommand } from './export-sdl-command.ts';
import { reportFailure } from './failure.ts';
import { type Described, groupOverview, helpOf, overview } from './help.ts';
import { migrateCommand } from './migrate-command.ts';

/** The process that a command line runs in, as far as commands see it. */
export interface Surroundings extends Terminal {
  /** Throws RG_CONFIG (exit 2). */
  readonly loadConfig: typeof loadConfig;
}

type Run = (
  options: Readonly<Record<string, unknown>>,
  positionals: readonly string[],
  config: Config,
  terminal: Terminal,
) => Promise<number>;

interface Mounted extends Described {
  readonly run: Run;
}

interface Found {
  readonly command: Mounted;
  readonly rest: readonly string[];
}

const serve: Mounted = {
  name: 'serve',
  summary: 'serve GraphQL over HTTP',
  options: serveOptions,
  // Loaded when wanted: the other commands need no GraphQL server and start faster without.
  run: async (options, positionals, config) =>
    (await import('../main.ts')).serve(options, positionals, config),
};

const mounted: readonly Mounted[] = [
  serve,
  ...[migrateCommand, ...commands, exportSdlCommand].map(mount),
  ...[apiKeyCreateCommand, apiKeyListCommand, apiKeyRevokeCommand].map(mount),
  ...[eventsListCommand, eventsShowCommand, eventsRedeliverCommand, eventsStatsCommand].map(mount),
  ...[rotateKeysCommand, devTokenCommand].map(mount),
  ...[sessionListCommand, sessionEndCommand, userSetAdminCommand].map(mount),
  ...[jobsListCommand, jobsHistoryCommand, jobsRunCommand].map(mount),
  ...[mailListCommand, mailShowCommand, mailRetryCommand].map(mount),
  ...[callbacksListCommand, callbacksShowCommand, callbacksRetryCommand].map(mount),
];

/** Runs what the words after `rowgate` ask for, and tells failures as well. Returns the exit code. */
export async function runCommandLine(
  args: readonly string[],
  surroundings: Surroundings,
): Promise<number> {
  const { stdout, stderr } = surroundings;
  let logLevel = 'info';
  const readConfig = () => {
    const { config, warnings } = surroundings.loadConfig();
    logLevel = config.logLevel;
    for (const warning of warnings) writeLine(stderr, `rowgate: warning: ${warning}`);
    return config;
  };
  try {
    return await run(args, { stdout, stderr }, readConfig);
  } catch (error) {
    return reportFailure(error, logLevel, stderr);
  }
}

async function run(
  args: readonly string[],
  terminal: Terminal,
  readConfig: () => Config,
): Promise<number> {
  const { stdout } = terminal;
  const [name, ...rest] = args;
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    writeLine(stdout, helpFor(rest));
    return name === undefined ? 2 : 0;
  }
  if (name === '--version' || name === '-v') {
    writeLine(stdout, version);
    return 0;
  }
  const found = commandAt(args);
  if (found) return runCommand(found, terminal, readConfig);
  const group = groupNamed(name);
  const [second = '--help'] = rest;
  if (group.length === 0 || !second.startsWith('-')) throw unknownCommand(name, rest);
  writeLine(stdout, groupOverview(name, group));
  return rest.length === 0 ? 2 : 0;
}

function helpFor(topic: readonly string[]): string {
  const [group = ''] = topic;
  const found = commandAt(topic);
  if (found) return helpOf(found.command);
  const members = groupNamed(group);
  return members.length > 0 ? groupOverview(group, members) : overview(mounted);
}

/** Names have one word or two; the rest are options and arguments. */
function commandAt(words: readonly string[]): Found | undefined {
  for (const length of [2, 1]) {
    const name = words.slice(0, length).join(' ');
    const command = mounted.find((one) => one.name === name);
    if (command) return { command, rest: words.slice(length) };
  }
  return undefined;
}

function groupNamed(word: string): readonly Mounted[] {
  return mounted.filter((command) => command.name.startsWith(`${word} `));
}

async function runCommand(
  { command, rest }: Found,
  terminal: Terminal,
  readConfig: () => Config,
): Promise<number> {
  const { values, positionals } = parse(command, rest);
  if (values.help === true) {
    writeLine(terminal.stdout, helpOf(command));
    return 0;
  }
  refuseMiscounted(command, positionals);
  return command.run(values, positionals, readConfig(), terminal);
}

function unknownCommand(word: string, rest: readonly string[]): ProcessError {
  const group = groupNamed(word).length > 0;
  const name = group ? `${word} ${rest[0]}` : word;
  const near = didYouMean(
    name,
    mounted.map((command) => command.name),
  );
  return new ProcessError('RG_USAGE', `there is no command "${name}"`, {
    hint: near ?? `rowgate ${group ? `${word} ` : ''}--help lists them`,
    exitCode: 2,
  });
}

function refuseMiscounted(
  { name, positionals: wanted = [] }: Mounted,
  given: readonly string[],
): void {
  const next = wanted[given.length];
  const missing = next?.optional === true ? undefined : next;
  if (missing === undefined && given.length <= wanted.length) return;
  const problem = missing
    ? `${name} lacks <${missing.name}>: ${missing.help}`
    : `${name} takes no argument "${given[wanted.length]}"`;
  throw new ProcessError('RG_USAGE', problem, {
    hint: `rowgate ${name} --help says what it takes`,
    exitCode: 2,
  });
}

function parse(command: Mounted, args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: { ...command.options, help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
    });
  } catch (error) {
    // Node's own sentence names the option and what is wrong with it.
    const problem = error instanceof Error ? error.message : String(error);
    throw new ProcessError('RG_USAGE', problem, {
      hint: `rowgate ${command.name} --help lists the options`,
      exitCode: 2,
      cause: error,
    });
  }
}

function mount(command: ServerCommand): Mounted {
  const run: Run = async (options, positionals, config, terminal) => {
    const logger = makeLogger(config, terminal.stderr);
    const open = makeCommandContext(config, logger, terminal);
    const interrupt = (signal: NodeJS.Signals) => {
      open.close().finally(() => process.exit(signal === 'SIGINT' ? 130 : 143));
    };
    process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
    try {
      return await command.run(options, positionals, open.context);
    } finally {
      await open.close();
      process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
    }
  };
  return { ...command, run };
}
