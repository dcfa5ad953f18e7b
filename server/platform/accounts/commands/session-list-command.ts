import type { ServerCommand } from '../../../cli/command-context.ts';
import { type ListedSession, listSessions } from '../sessions/session-table.ts';
import { refuseUnknownUser } from '../users/user-table.ts';
import { readUserOption, userOption } from './user-option.ts';
import { withPlatform } from './with-platform.ts';

/** `rowgate session list`: where somebody has signed in, and nothing by which others could use that. */
export const sessionListCommand: ServerCommand = {
  name: 'session list',
  summary: 'show the sessions of a user that go on',
  options: { ...userOption, json: { type: 'boolean', default: false, help: 'print JSON' } },
  run: async (options, _positionals, context) => {
    const user = readUserOption(options, 'session list');
    const sessions = await withPlatform(context, async (owner) => {
      await refuseUnknownUser(owner, user);
      return listSessions(owner, user);
    });
    if (options.json === true) context.print(JSON.stringify({ sessions }, null, 2));
    else if (sessions.length === 0) context.print('no sessions');
    else for (const session of sessions) context.print(line(session));
    return 0;
  },
};

function line({ id, createdAt, expiresAt, userAgent }: ListedSession): string {
  // What a stranger has sent is no good for a terminal as it is.
  const agent = userAgent.replaceAll(/[^ -~]/g, '?');
  const from = agent === '' ? [] : [agent];
  return [id, `begun ${createdAt}`, `ends ${expiresAt}`, ...from].join('  ');
}
