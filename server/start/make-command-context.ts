import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import type pino from 'pino';
import { actionSource } from '../actions/action-source.ts';
import type { Application, ApplicationContext, ConfiguredApplication } from '../application.ts';
import { type Terminal, writeLine } from '../cli/command-context.ts';
import type { Config } from '../config/config.ts';
import { connect, withConnection } from '../db/connection.ts';
import { type DatabaseAccess, openDatabase } from '../db/open-database.ts';
import { migrateEverything } from '../db/preparation.ts';
import type { JobsContext } from '../schedules/commands/jobs-context.ts';

/** The context of every mounted command, of whatever service or application. */
export interface MountedContext extends ApplicationContext<unknown>, JobsContext {
  /** Absent where the metadata folder names none. */
  readonly application: Application | undefined;
}

/** What a command runs in, and how its use of the database ends. */
export interface OpenContext {
  readonly context: MountedContext;
  close(): Promise<void>;
}

export interface CommandContextOptions {
  readonly config: Config;
  /** The application of the metadata folder, if it names one. */
  readonly application?: ConfiguredApplication | undefined;
  readonly logger: pino.Logger;
  /** Default: that of the process. */
  readonly terminal?: Terminal;
}

/** Makes the context of a command; the database is opened on first use. */
export function makeCommandContext({
  config,
  application: configured,
  logger,
  terminal: { stdout, stderr } = process,
}: CommandContextOptions): OpenContext {
  let opened: Promise<DatabaseAccess> | undefined;
  const database = () => {
    opened ??= openForCommand(config, configured?.application, logger);
    return opened;
  };
  return {
    context: {
      rolePrefix: config.rolePrefix,
      headerPrefix: config.headerPrefix,
      inferFunctionPermissions: config.inferFunctionPermissions,
      authenticatedVariables: configured?.application.sessionVariables ?? [],
      hasOwnerUrl: config.database.kind === 'given' && config.database.ownerUrl !== undefined,
      ownerUrl: async () => (await database()).ownerUrl(),
      connectOwner: async () => connect((await database()).ownerUrl()),
      gatewayLogin: async () => (await database()).login('gateway'),
      sidecarLogin: async () => (await database()).login('sidecar'),
      findUnrunnable: async (model) => {
        // Loaded late: it brings all of PostGraphile along.
        const { findUnrunnable } = await import('../graphql/find-unrunnable.ts');
        const { findExtensionsOf } = await import('../postgraphile/prepare-dialect.ts');
        const url = (await database()).ownerUrl();
        const sources = [actionSource()];
        const found = await findUnrunnable(model, url, config.limits, findExtensionsOf(sources));
        const { graphile } = model;
        if (!graphile) return found;
        const { withoutRunnable } = await import('../postgraphile/without-runnable.ts');
        return withoutRunnable(found, { ...model, graphile }, url, config.limits, sources);
      },
      config,
      application: configured?.application,
      settings: configured?.settings,
      openJobs: async (services) => {
        if (!configured) return { jobs: [], close: async () => {} };
        const { application, settings } = configured;
        return application.openJobs({ config, settings, ...services });
      },
      readInput: () => text(process.stdin),
      print: (line) => writeLine(stdout, line),
      printError: (line) => writeLine(stderr, line),
      confirm: process.stdin.isTTY && process.stdout.isTTY ? ask : undefined,
    },
    close: async () => {
      await (await opened?.catch(() => undefined))?.close();
    },
  };
}

/** The embedded database has the tables of the application from the start, whichever command comes first. */
async function openForCommand(
  config: Config,
  application: Application | undefined,
  logger: pino.Logger,
): Promise<DatabaseAccess> {
  const database = await openDatabase(config, logger);
  if (!database.embedded) return database;
  try {
    await withConnection(database.ownerUrl(), (owner) => migrateEverything(owner, application));
    return database;
  } catch (error) {
    await database.close();
    throw error;
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
