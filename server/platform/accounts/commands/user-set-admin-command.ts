import type { ServerCommand } from '../../../cli/command-context.ts';
import { setPlatformAdmin } from '../users/user-table.ts';
import { withPlatform } from './with-platform.ts';

/** `rowgate user set-admin` makes a user an administrator of the platform, or removes this right. */
export const userSetAdminCommand: ServerCommand = {
  name: 'user set-admin',
  summary: 'make a user an admin of the platform, or with --off no longer one',
  positionals: [{ name: 'id', help: 'id of the user at the identity provider' }],
  options: { off: { type: 'boolean', default: false, help: 'take it away' } },
  run: async (options, [id = ''], context) => {
    const isAdmin = options.off !== true;
    await withPlatform(context, (owner) => setPlatformAdmin(owner, id, isAdmin));
    context.print(`${id} is ${isAdmin ? 'now' : 'no longer'} an admin of the platform`);
    return 0;
  },
};
