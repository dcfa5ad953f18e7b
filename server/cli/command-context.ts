import type { Command, CommandContext } from '../../permissions/index.ts';
import type { Config } from '../config/config.ts';
import type { ServerLogin } from '../db/logins/logins.ts';
import { errorCode } from '../errors.ts';

/** What commands of the server get beside the context of the compiler's commands. */
export interface ServerContext extends CommandContext {
  /** Of the owner; for what opens connections by itself. */
  ownerUrl(): Promise<string>;
  /** The login of the services; `migrate` makes it and grants it its privileges. */
  sidecarLogin(): Promise<ServerLogin>;
  readonly config: Config;
}

/** A command of the compiler, of a service or of an application. */
export interface ServerCommand<Context = ServerContext> extends Omit<Command, 'run'> {
  run(
    options: Readonly<Record<string, unknown>>,
    positionals: readonly string[],
    context: Context,
  ): ReturnType<Command['run']>;
}

/** Where commands write. */
export interface Terminal {
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
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
