import { parseArgs } from 'node:util';
import {
  defaultMetadata,
  didYouMean,
  type NamedApplication,
  namedApplication,
} from '../../permissions/index.ts';
import type { Config, LoadedConfig, SettingsReader } from '../config/config.ts';
import { ProcessError } from '../errors.ts';
import { version } from '../version.ts';
import { type Terminal, writeLine } from './command-context.ts';
import { reportFailure } from './failure.ts';
import { type Described, groupOverview, helpOf, overview } from './help.ts';

/** A program with commands, such as `rowgate`. An `Application` adds settings and commands. */
export interface Program<Application extends SettingsReader<unknown>> {
  /** Loads the named application. @throws ProcessError RG_CONFIG when the program does not have it */
  loadApplication(named: NamedApplication): Promise<Application>;
  /** Lists all commands in the order of the help. */
  mountAll(application: Application | undefined): readonly Mounted<Application>[];
}

/** The terminal and the configuration of the process. Tests replace them. */
export interface Surroundings extends Terminal {
  /** The metadata folder of commands without `--metadata`; default `metadata`. */
  readonly metadata?: string;
  /** Reads the configuration. @throws ProcessError RG_CONFIG (exit 2) */
  readonly loadConfig: (application?: SettingsReader<unknown>) => LoadedConfig<unknown>;
}

/** The configuration of a command, and the application of its metadata folder. */
export interface Configuration<Application> {
  readonly config: Config;
  readonly application:
    | { readonly application: Application; readonly settings: unknown }
    | undefined;
}

/** A command together with everything that it needs to run. */
export interface Mounted<Application> extends Described {
  /** Runs the command and returns the exit code. */
  readonly run: (
    options: Readonly<Record<string, unknown>>,
    positionals: readonly string[],
    configuration: Configuration<Application>,
    terminal: Terminal,
  ) => Promise<number>;
}

interface Found<Application> {
  readonly command: Mounted<Application>;
  readonly rest: readonly string[];
}

/** Runs a command and reports its failure. Returns the exit code. @param args the words after the program's name */
export async function runCommandLine<Application extends SettingsReader<unknown>>(
  program: Program<Application>,
  args: readonly string[],
  surroundings: Surroundings,
): Promise<number> {
  const { stderr } = surroundings;
  let logLevel = 'info';
  const readConfig = (application: Application | undefined) => {
    const { config, settings, warnings } = surroundings.loadConfig(application);
    logLevel = config.logLevel;
    for (const warning of warnings) writeLine(stderr, `rowgate: warning: ${warning}`);
    return { config, application: application && { application, settings } };
  };
  try {
    const { metadata = defaultMetadata } = surroundings;
    return await run(program, args, { ...surroundings, metadata }, readConfig);
  } catch (error) {
    return reportFailure(error, logLevel, stderr);
  }
}

async function run<Application extends SettingsReader<unknown>>(
  program: Program<Application>,
  args: readonly string[],
  { metadata, ...terminal }: Terminal & Pick<Required<Surroundings>, 'metadata'>,
  readConfig: (application: Application | undefined) => Configuration<Application>,
): Promise<number> {
  const { stdout } = terminal;
  const [name, ...rest] = args;
  if (name === '--version' || name === '-v') {
    writeLine(stdout, version);
    return 0;
  }
  const named = await namedApplication(metadataFolderOf(args) ?? metadata);
  const application = named && (await program.loadApplication(named));
  const mounted = program.mountAll(application).map((command) => withFolder(command, metadata));
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

/** Reads the option `--metadata` before the others, because the folder decides which commands exist. */
function metadataFolderOf(args: readonly string[]): string | undefined {
  const at = args.findIndex((one) => one === '--metadata' || one.startsWith('--metadata='));
  const [option = '', next] = at < 0 ? [] : args.slice(at, at + 2);
  const value = option === '--metadata' ? next : option.slice('--metadata='.length);
  return value || undefined;
}

/** Replaces the default of options that name the metadata folder. */
function withFolder<A>(command: Mounted<A>, metadata: string): Mounted<A> {
  const options = Object.entries(command.options).map(([name, option]) => [
    name,
    option.default === defaultMetadata ? { ...option, default: metadata } : option,
  ]);
  return { ...command, options: Object.fromEntries(options) };
}

function helpFor<A>(topic: readonly string[], mounted: readonly Mounted<A>[]): string {
  const [group = ''] = topic;
  const found = commandAt(topic, mounted);
  if (found) return helpOf(found.command);
  const members = groupNamed(group, mounted);
  return members.length > 0 ? groupOverview(group, members) : overview(mounted);
}

/** Finds the command that the first words name. The longest matching name of one or two words takes precedence. */
function commandAt<A>(
  words: readonly string[],
  mounted: readonly Mounted<A>[],
): Found<A> | undefined {
  for (const length of [2, 1]) {
    const name = words.slice(0, length).join(' ');
    const command = mounted.find((one) => one.name === name);
    if (command) return { command, rest: words.slice(length) };
  }
  return undefined;
}

function groupNamed<A>(word: string, mounted: readonly Mounted<A>[]): readonly Mounted<A>[] {
  return mounted.filter((command) => command.name.startsWith(`${word} `));
}

async function runCommand<A>(
  { command, rest }: Found<A>,
  terminal: Terminal,
  readConfig: () => Configuration<A>,
): Promise<number> {
  const { values, positionals } = parse(command, rest);
  if (values.help === true) {
    writeLine(terminal.stdout, helpOf(command));
    return 0;
  }
  refuseMiscounted(command, positionals);
  return command.run(values, positionals, readConfig(), terminal);
}

function unknownCommand<A>(
  word: string,
  rest: readonly string[],
  mounted: readonly Mounted<A>[],
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
  { name, positionals: expected = [] }: Described,
  given: readonly string[],
): void {
  const next = expected[given.length];
  const missing = next?.optional === true ? undefined : next;
  if (missing === undefined && given.length <= expected.length) return;
  const problem = missing
    ? `${name} lacks <${missing.name}>: ${missing.help}`
    : `${name} takes no argument "${given[expected.length]}"`;
  throw new ProcessError('RG_USAGE', problem, {
    hint: `rowgate ${name} --help shows its arguments`,
    exitCode: 2,
  });
}

function parse(command: Described, args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: { ...command.options, help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
    });
  } catch (error) {
    // The message of Node's `parseArgs` names the option and the problem, so it is shown unchanged.
    const problem = error instanceof Error ? error.message : String(error);
    throw new ProcessError('RG_USAGE', problem, {
      hint: `rowgate ${command.name} --help lists the options`,
      exitCode: 2,
      cause: error,
    });
  }
}
