import { explainRefusal, refusalIn } from '../../permissions/index.ts';
import type { Application } from '../application.ts';
import type { ServerCommand } from '../cli/command-context.ts';
import type { Mounted } from '../cli/command-line.ts';
import { Interruption } from '../cli/interruption.ts';
import { makeLogger } from '../log/log.ts';
import {
  type CommandParts,
  type MountedContext,
  makeCommandContext,
} from './make-command-context.ts';

/** Gives a command its context, and closes the database when the command ends or a signal arrives. */
export function mountCommand(
  command: ServerCommand<MountedContext>,
  parts: CommandParts,
): Mounted<Application> {
  const run: Mounted<Application>['run'] = async (options, positionals, configured, terminal) => {
    const logger = makeLogger(configured.config, terminal.stderr);
    const { receive, ...interruption } = interruptionOf(() => open.close());
    const open = makeCommandContext({ ...configured, ...parts, ...interruption, logger, terminal });
    process.on('SIGINT', receive).on('SIGTERM', receive);
    try {
      return await command.run(options, positionals, open.context);
    } catch (error) {
      throw await explained(error, open.context);
    } finally {
      await open.close();
      process.off('SIGINT', receive).off('SIGTERM', receive);
    }
  };
  return { ...command, run };
}

/** Receives the signals of a command. A signal that ends the process first closes the database. */
function interruptionOf(close: () => Promise<void>) {
  const made = new Interruption((signal) => {
    // The same signal again ends the process at once.
    process.off(signal, made.receive);
    close().finally(() => process.exit(signal === 'SIGINT' ? 130 : 143));
  });
  return { receive: made.receive, interruption: () => made.expect() };
}

/** Explains an error about a privilege that the login of the command lacks. Returns any other error unchanged. */
async function explained(error: unknown, context: MountedContext): Promise<unknown> {
  if (!(error instanceof Error) || !refusalIn(error)) return error;
  const client = await context.connectOwner().catch(() => undefined);
  if (!client) return error;
  try {
    return await explainRefusal(client, error);
  } catch {
    return error;
  } finally {
    await client.end();
  }
}
