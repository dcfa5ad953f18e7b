import type { Command, CommandContext } from '../../permissions/index.ts';
import type { Config } from '../config/config.ts';
import type { ServerLogin } from '../db/logins/logins.ts';
import { errorCode } from '../errors.ts';

/** The context of the server's commands. It extends the context of the compiler's commands. */
export interface ServerContext extends CommandContext {
  /** Returns the owner's database URL, for code that opens connections itself. */
  ownerUrl(): Promise<string>;
  /**
   * Returns the sidecar login, with which the server reads and writes its own tables. `rowgate migrate` creates it and
   * grants its privileges.
   */
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

/** The output streams of commands. */
export interface Terminal {
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  /** The input of commands that read one; default: that of the process. */
  readonly stdin?: NodeJS.ReadableStream;
}

/**
 * Ignores write errors that occur because the reader of a pipe has ended, as in `rowgate jobs list | head -1`. The
 * command then finishes its work. Any other write error still ends the process. Call once per process.
 */
export function ignoreClosedPipes(...streams: readonly NodeJS.WriteStream[]): void {
  for (const stream of streams) {
    stream.on('error', (error) => {
      if (errorCode(error) !== 'EPIPE') throw error;
    });
  }
}

/** Writes one line. After `ignoreClosedPipes`, the call does not fail when the reader of a pipe has ended. */
export function writeLine(stream: NodeJS.WritableStream, line: string): void {
  stream.write(`${line}\n`);
}
