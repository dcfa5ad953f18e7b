import type { ServerCommand } from '../../../cli/command-context.ts';
import { type ListedSession, listSessions } from '../sessions/session-table.ts';
import { refuseUnknownUser } from '../users/user-table.ts';
import { readUserOption, userOption } from './user-option.ts';
import { withPlatform } from './with-platform.ts';

/** `rowgate session list` shows the sessions of a user, without the ids that would give access to them. */
export const sessionListCommand: ServerCommand = {
  name: 'session list',
  summary: 'show the current sessions of a user',
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
  // The browser sends this text, and control characters in it could change the terminal.
  const agent = userAgent.replaceAll(/[^ -~]/g, '?');
  const from = agent === '' ? [] : [agent];
  return [id, `begun ${createdAt}`, `ends ${expiresAt}`, ...from].join('  ');
}
