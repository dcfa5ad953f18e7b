import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import type pino from 'pino';
import type { Command, CommandContext } from '../../permissions/index.ts';
import { actionSource } from '../actions/action-source.ts';
import type { Config } from '../config/config.ts';
import { connect, withConnection } from '../db/connection.ts';
import type { ServerLogin } from '../db/logins/logins.ts';
import { type DatabaseAccess, openDatabase } from '../db/open-database.ts';
import { migrateEverything } from '../db/preparation.ts';
import { errorCode } from '../errors.ts';
import { authenticatedVariables } from '../platform/accounts/person-caller.ts';

/** What commands of the server need besides. */
export interface ServerContext extends CommandContext {
  /** Of the owner; for what opens connections by itself. */
  ownerUrl(): Promise<string>;
  /** Who keeps sessions and keys; `migrate` makes it and gives it its rights. */
  sidecarLogin(): Promise<ServerLogin>;
  readonly config: Config;
}

/** A command of the compiler, or one that lives here. */
export interface ServerCommand extends Omit<Command, 'run'> {
  run(
    options: Readonly<Record<string, unknown>>,
    positionals: readonly string[],
    context: ServerContext,
  ): ReturnType<Command['run']>;
}

/** Where commands write. */
export interface Terminal {
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
}

/** What a command runs in, and how its use of the database ends. */
export interface OpenContext {
  readonly context: ServerContext;
  close(): Promise<void>;
}

/** The world as a command of the compiler sees it; the database is opened on first use. */
export function makeCommandContext(
  config: Config,
  logger: pino.Logger,
  { stdout, stderr }: Terminal = process,
): OpenContext {
  let opened: Promise<DatabaseAccess> | undefined;
  const database = () => {
    opened ??= openForCommand(config, logger);
    return opened;
  };
  return {
    context: {
      rolePrefix: config.rolePrefix,
      headerPrefix: config.headerPrefix,
      inferFunctionPermissions: config.inferFunctionPermissions,
      authenticatedVariables,
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

/** Rowgate's own database has the platform's tables from the start, whichever command comes first. */
async function openForCommand(config: Config, logger: pino.Logger): Promise<DatabaseAccess> {
  const database = await openDatabase(config, logger);
  if (!database.embedded) return database;
  try {
    await withConnection(database.ownerUrl(), migrateEverything);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/**
 * Lets a command do its work to the end though nobody reads any more what it says, as in `rowgate jobs list | head -1`.
 * Once for a process; that a stream cannot be written for any other reason still ends it.
 */
export function outliveReaders(...streams: readonly NodeJS.WriteStream[]): void {
  for (const stream of streams) {
    stream.on('error', (error) => {
      if (errorCode(error) !== 'EPIPE') throw error;
    });
  }
}

/** Writes one line; after `outliveReaders` also where the reader of a pipe has gone. */
export function writeLine(stream: NodeJS.WritableStream, line: string): void {
  stream.write(`${line}\n`);
}

async function ask(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}
