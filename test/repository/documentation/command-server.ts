import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { runCommand } from '../../support/command-line.ts';

/** A command of an example, as `command-client.ts` sends it. */
export interface CommandCall {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** The standard input of the command. */
  readonly input: string;
}

/**
 * Runs the `rowgate` commands of shell examples in this process, because starting the program takes longer than most
 * commands. @param socket path of the Unix socket on which `command-client.ts` calls
 */
export async function serveCommands(socket: string): Promise<Server> {
  const server = createServer({ allowHalfOpen: true }, async (connection) => {
    const { args, cwd, environment, input } = JSON.parse(await text(connection)) as CommandCall;
    const ownFolder = process.cwd();
    process.chdir(cwd);
    const finished = await runCommand(args, environment, input).catch((error: unknown) => ({
      ...{ code: 70, stdout: '', stderr: `${String(error)}\n` },
    }));
    process.chdir(ownFolder);
    connection.end(JSON.stringify(finished));
  }).listen(socket);
  await once(server, 'listening');
  return server;
}
