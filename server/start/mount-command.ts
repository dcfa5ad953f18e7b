import type { Application } from '../application.ts';
import type { ServerCommand } from '../cli/command-context.ts';
import type { Mounted } from '../cli/command-line.ts';
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
    const open = makeCommandContext({ ...configured, ...parts, logger, terminal });
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
