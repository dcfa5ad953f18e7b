import { parseArgs } from 'node:util';
import manifest from '../package.json' with { type: 'json' };
import { type Command, commands, didYouMean } from '../permissions/index.ts';
import { type Described, helpOf, overview } from './cli-help.ts';
import { makeCommandContext, writeLine } from './command-context.ts';
import { type Config, loadConfig } from './config.ts';
import { ProcessError } from './errors.ts';
import { reportFailure } from './failure.ts';
import { makeLogger } from './log.ts';
import { migrateCommand } from './migrate-command.ts';
import { serveOptions } from './serve-options.ts';

type Run = (
  options: Readonly<Record<string, unknown>>,
  positionals: readonly string[],
  config: Config,
) => Promise<number>;

interface Mounted extends Described {
  readonly run: Run;
}

const serve: Mounted = {
  name: 'serve',
  summary: 'serve GraphQL over HTTP',
  options: serveOptions,
  // Loaded when wanted: the other commands need no GraphQL server and start faster without.
  run: async (options, positionals, config) =>
    (await import('./main.ts')).serve(options, positionals, config),
};

const mounted: readonly Mounted[] = [serve, ...[migrateCommand, ...commands].map(mount)];

let logLevel = 'info';
try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.exitCode = reportFailure(error, logLevel);
}

async function main(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    const topic = mounted.find((command) => command.name === rest[0]);
    writeLine(process.stdout, topic ? helpOf(topic) : overview(mounted));
    return name === undefined ? 2 : 0;
  }
  if (name === '--version' || name === '-v') {
    writeLine(process.stdout, manifest.version);
    return 0;
  }
  return runCommand(commandNamed(name), rest);
}

async function runCommand(command: Mounted, args: readonly string[]): Promise<number> {
  const { values, positionals } = parse(command, args);
  if (values.help === true) {
    writeLine(process.stdout, helpOf(command));
    return 0;
  }
  const { config, warnings } = loadConfig();
  logLevel = config.logLevel;
  for (const warning of warnings) writeLine(process.stderr, `rowgate: warning: ${warning}`);
  return command.run(values, positionals, config);
}

function commandNamed(name: string): Mounted {
  const found = mounted.find((command) => command.name === name);
  if (found) return found;
  const near = didYouMean(
    name,
    mounted.map((command) => command.name),
  );
  throw new ProcessError('RG_USAGE', `there is no command "${name}"`, {
    hint: near ?? 'rowgate --help lists them',
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

function mount(command: Command): Mounted {
  const run: Run = async (options, positionals, config) => {
    const logger = makeLogger(config, process.stderr);
    const open = makeCommandContext(config, logger);
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
