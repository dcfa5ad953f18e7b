import { userInfo } from 'node:os';
import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import type pino from 'pino';
import type { CommandContext } from '../../permissions/index.ts';
import type { Application, ApplicationContext, ConfiguredApplication } from '../application.ts';
import { type Terminal, writeLine } from '../cli/command-context.ts';
import type { Config } from '../config/config.ts';
import { connect } from '../db/connection.ts';
import type { DatabaseAccess } from '../db/open-database.ts';
import { searchPathOf } from '../graphql/search-path.ts';
import type { JobsContext } from '../schedules/commands/jobs-context.ts';
import { version } from '../version.ts';

/** The context of all commands: of the compiler, of the services and of the application. */
export interface MountedContext extends ApplicationContext<unknown>, JobsContext {
  /** Absent when the metadata folder names no application. */
  readonly application: Application | undefined;
}

/** The context of a running command. */
export interface OpenContext {
  readonly context: MountedContext;
  /** Closes the database, if the command has used it. */
  close(): Promise<void>;
}

/** The parts that differ between programs. */
export interface CommandParts {
  /** Opens the database when a command first uses it. */
  open(options: OpenOptions): Promise<DatabaseAccess>;
  /** Finds listed operations that roles cannot run. Absent when the program has no GraphQL. */
  readonly findUnrunnableWith?: (
    config: Config,
    ownerUrl: () => Promise<string>,
  ) => NonNullable<CommandContext['findUnrunnable']>;
  /** Opens GraphQL inside a transaction, for tests. Absent when the program has no GraphQL. */
  readonly openGraphqlWith?: (
    config: Config,
    ownerUrl: () => Promise<string>,
  ) => NonNullable<CommandContext['openGraphql']>;
}

export interface OpenOptions {
  readonly config: Config;
  readonly application: Application | undefined;
  readonly logger: pino.Logger;
  /** Prints a line to the terminal. */
  readonly announce: (line: string) => void;
}

export interface CommandContextOptions extends CommandParts {
  readonly config: Config;
  /** The application of the metadata folder, if it names one. */
  readonly application?: ConfiguredApplication | undefined;
  readonly logger: pino.Logger;
  /** Default: the streams of the process. */
  readonly terminal?: Terminal;
  /** Returns the signal of an interruption. Default: one that never aborts. */
  readonly interruption?: CommandContext['interruption'];
}

/** Makes the context of a command. The database is opened on first use. */
export function makeCommandContext({
  config,
  application: configured,
  logger,
  terminal: { stdin = process.stdin, stdout, stderr } = process,
  open,
  findUnrunnableWith,
  openGraphqlWith,
  interruption = () => new AbortController().signal,
}: CommandContextOptions): OpenContext {
  let opened: Promise<DatabaseAccess> | undefined;
  const database = () => {
    const announce = (line: string) => writeLine(stderr, `rowgate: ${line}`);
    opened ??= open({ config, application: configured?.application, logger, announce });
    return opened;
  };
  const ownerUrl = async () => (await database()).ownerUrl();
  return {
    context: {
      rolePrefix: config.rolePrefix,
      headerPrefix: config.headerPrefix,
      inferFunctionPermissions: config.inferFunctionPermissions,
      authenticatedVariables: configured?.application.sessionVariables ?? [],
      applicationSchemas: configured?.application.schemas ?? [],
      actor: config.actor ?? userName(),
      version,
      hasOwnerUrl: config.database.kind === 'given' && config.database.ownerUrl !== undefined,
      ownerUrl,
      connectOwner: async () => connect((await database()).ownerUrl()),
      gatewayLogin: async () => (await database()).login('gateway'),
      sidecarLogin: async () => (await database()).login('sidecar'),
      ...(findUnrunnableWith && { findUnrunnable: findUnrunnableWith(config, ownerUrl) }),
      requestSearchPath: searchPathOf,
      ...(openGraphqlWith && { openGraphql: openGraphqlWith(config, ownerUrl) }),
      config,
      application: configured?.application,
      settings: configured?.settings,
      openJobs: async (services) => {
        if (!configured) return { jobs: [], close: async () => {} };
        const { application, settings } = configured;
        return application.openJobs({ config, settings, ...services });
      },
      interruption,
      readInput: () => text(stdin),
      print: (line) => writeLine(stdout, line),
      printError: (line) => writeLine(stderr, line),
      confirm: process.stdin.isTTY && process.stdout.isTTY ? ask : undefined,
    },
    close: async () => {
      await (await opened?.catch(() => undefined))?.close();
    },
  };
}

/** Returns the user of the operating system. Containers may run as a user without a name. */
function userName(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}

async function ask(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}
