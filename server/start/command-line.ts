import { parseArgs } from 'node:util';
import { commands, didYouMean, metadataOption, namedApplication } from '../../permissions/index.ts';
import type { Application, ConfiguredApplication } from '../application.ts';
import { loadApplication } from '../applications.ts';
import { type ServerCommand, type Terminal, writeLine } from '../cli/command-context.ts';
import { reportFailure } from '../cli/failure.ts';
import { type Described, groupOverview, helpOf, overview } from '../cli/help.ts';
import type { Config, LoadedConfig, SettingsReader } from '../config/config.ts';
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
import { jobsHistoryCommand } from '../schedules/commands/jobs-history-command.ts';
import { jobsListCommand } from '../schedules/commands/jobs-list-command.ts';
import { jobsRunCommand } from '../schedules/commands/jobs-run-command.ts';
import { version } from '../version.ts';
import { exportSdlCommand } from './export-sdl-command.ts';
import { type MountedContext, makeCommandContext } from './make-command-context.ts';
import { migrateCommand } from './migrate-command.ts';

/** The process that a command line runs in, as far as commands see it. */
export interface Surroundings extends Terminal {
  /** Throws RG_CONFIG (exit 2). */
  readonly loadConfig: (application?: SettingsReader<unknown>) => LoadedConfig<unknown>;
}

/** The configuration of a command, and the application of its metadata folder. */
interface Configuration {
  readonly config: Config;
  readonly application: ConfiguredApplication | undefined;
}

type Run = (
  options: Readonly<Record<string, unknown>>,
  positionals: readonly string[],
  configuration: Configuration,
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
  run: async (options, positionals, { config, application }) =>
    (await import('./serve-command.ts')).serve(options, positionals, config, application),
};

/** Every command, in the order of the help. */
function mountAll(application: Application | undefined): readonly Mounted[] {
  return [
    serve,
    ...[migrateCommand, ...commands, exportSdlCommand].map(mount),
    ...[eventsListCommand, eventsShowCommand, eventsRedeliverCommand, eventsStatsCommand].map(
      mount,
    ),
    ...[jobsListCommand, jobsHistoryCommand, jobsRunCommand].map(mount),
    ...[mailListCommand, mailShowCommand, mailRetryCommand].map(mount),
    ...(application?.commands ?? []).map((command) => mount(withMetadata(command))),
  ];
}

/** The metadata folder names the application of a command, whether or not the command reads more of it. */
function withMetadata(command: ServerCommand<MountedContext>): ServerCommand<MountedContext> {
  return { ...command, options: { ...metadataOption, ...command.options } };
}

/** Runs the command that the words after `rowgate` name, and reports failures as well. Returns the exit code. */
export async function runCommandLine(
  args: readonly string[],
  surroundings: Surroundings,
): Promise<number> {
  const { stdout, stderr } = surroundings;
  let logLevel = 'info';
  const readConfig = (application: Application | undefined) => {
    const { config, settings, warnings } = surroundings.loadConfig(application);
    logLevel = config.logLevel;
    for (const warning of warnings) writeLine(stderr, `rowgate: warning: ${warning}`);
    return { config, application: application && { application, settings } };
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
  readConfig: (application: Application | undefined) => Configuration,
): Promise<number> {
  const { stdout } = terminal;
  const [name, ...rest] = args;
  if (name === '--version' || name === '-v') {
    writeLine(stdout, version);
    return 0;
  }
  const named = await namedApplication(metadataFolderOf(args));
  const application = named && (await loadApplication(named));
  const mounted = mountAll(application);
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    writeLine(stdout, helpFor(rest, mounted));
    return name === undefined ? 2 : 0;
  }
  const found = commandAt(args, mounted);
  if (found) return runCommand(found, terminal, () => readConfig(application));
  const group = groupNamed(name, mounted);
  const [second = '--help'] = rest;
  if (group.length === 0 || !second.startsWith('-')) throw unknownCommand(name, rest, mounted);
  writeLine(stdout, groupOverview(name, group));
  return rest.length === 0 ? 2 : 0;
}

/** Read ahead of the other options: the folder decides which commands there are. */
function metadataFolderOf(args: readonly string[]): string {
  const at = args.findIndex((one) => one === '--metadata' || one.startsWith('--metadata='));
  const [option = '', next] = at < 0 ? [] : args.slice(at, at + 2);
  const value = option === '--metadata' ? next : option.slice('--metadata='.length);
  return value || 'metadata';
}

function helpFor(topic: readonly string[], mounted: readonly Mounted[]): string {
  const [group = ''] = topic;
  const found = commandAt(topic, mounted);
  if (found) return helpOf(found.command);
  const members = groupNamed(group, mounted);
  return members.length > 0 ? groupOverview(group, members) : overview(mounted);
}

/** Names have one word or two; the rest are options and arguments. */
function commandAt(words: readonly string[], mounted: readonly Mounted[]): Found | undefined {
  for (const length of [2, 1]) {
    const name = words.slice(0, length).join(' ');
    const command = mounted.find((one) => one.name === name);
    if (command) return { command, rest: words.slice(length) };
  }
  return undefined;
}

function groupNamed(word: string, mounted: readonly Mounted[]): readonly Mounted[] {
  return mounted.filter((command) => command.name.startsWith(`${word} `));
}

async function runCommand(
  { command, rest }: Found,
  terminal: Terminal,
  readConfig: () => Configuration,
): Promise<number> {
  const { values, positionals } = parse(command, rest);
  if (values.help === true) {
    writeLine(terminal.stdout, helpOf(command));
    return 0;
  }
  refuseMiscounted(command, positionals);
  return command.run(values, positionals, readConfig(), terminal);
}

function unknownCommand(
  word: string,
  rest: readonly string[],
  mounted: readonly Mounted[],
): ProcessError {
  const group = groupNamed(word, mounted).length > 0;
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

function mount(command: ServerCommand<MountedContext>): Mounted {
  const run: Run = async (options, positionals, { config, application }, terminal) => {
    const logger = makeLogger(config, terminal.stderr);
    const open = makeCommandContext({ config, application, logger, terminal });
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
