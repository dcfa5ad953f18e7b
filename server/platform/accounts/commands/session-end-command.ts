import type { ServerCommand } from '../../../cli/command-context.ts';
import { ProcessError } from '../../../errors.ts';
import { endSessions } from '../sessions/session-table.ts';
import { refuseUnknownUser } from '../users/user-table.ts';
import { readUserOption, userOption } from './user-option.ts';
import { withPlatform } from './with-platform.ts';

/** `rowgate session end` ends one session or all sessions of a user. */
export const sessionEndCommand: ServerCommand = {
  name: 'session end',
  summary: 'end the sessions of a user at once, or one of them',
  options: {
    ...userOption,
    session: { type: 'string', help: 'id as session list shows it; default: all' },
  },
  run: async (options, _positionals, context) => {
    const user = readUserOption(options, 'session end');
    const id = readId(options.session);
    const ended = await withPlatform(context, async (owner) => {
      await refuseUnknownUser(owner, user);
      return endSessions(owner, user, id ?? '');
    });
    if (id !== undefined && ended === 0) {
      throw new ProcessError('RG_USAGE', `the user has no session ${id}`, {
        hint: `rowgate session list --user '${user}' shows the ids`,
      });
    }
    context.print(ended === 1 ? 'ended 1 session' : `ended ${ended} sessions`);
    return 0;
  },
};

function readId(given: unknown): string | undefined {
  if (given === undefined) return undefined;
  if (/^[0-9a-f]{6,64}$/.test(String(given))) return String(given);
  throw new ProcessError('RG_USAGE', '--session must be an id of a session', {
    hint: 'rowgate session list shows the ids; at least their first six characters are needed',
    exitCode: 2,
  });
}
