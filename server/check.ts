import { commands } from '../permissions/index.ts';
import type { Application } from './application.ts';
import { ignoreClosedPipes } from './cli/command-context.ts';
import { type Program, runCommandLine } from './cli/command-line.ts';
import { loadConfig, metadataFolder } from './config/config.ts';
import { openDatabase } from './db/open-database.ts';
import { ProcessError } from './errors.ts';
import type { CommandParts } from './start/make-command-context.ts';
import { mountCommand } from './start/mount-command.ts';

/** The program `rowgate-check`: the commands that check and apply rules, without a server. */
const rowgateCheck: Program<Application> = {
  loadApplication({ name, position: { file, line, column } }) {
    const problem = `${file}:${line}:${column}: rowgate-check has no application "${name}"`;
    const hint = 'run the command with the package rowgate, which contains the application';
    throw new ProcessError('RG_CONFIG', problem, { hint, exitCode: 2 });
  },
  mountAll: () => commands.map((command) => mountCommand(command, { open: openGiven })),
};

const openGiven: CommandParts['open'] = async ({ config, logger }) => {
  if (config.database.kind === 'given') return openDatabase(config, logger);
  throw new ProcessError('RG_CONFIG', 'DATABASE_URL is not set', {
    hint: 'set it to the URL of the login that owns the tables; rowgate-check contains no Postgres',
    exitCode: 2,
  });
};

const { stdout, stderr } = process;
ignoreClosedPipes(stdout, stderr);
const metadata = metadataFolder();
const surroundings = { stdout, stderr, metadata, loadConfig };
process.exitCode = await runCommandLine(rowgateCheck, process.argv.slice(2), surroundings);
