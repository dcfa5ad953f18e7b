import { dropLogin } from '../../login/drop-login.ts';
import type { Command } from '../context/command.ts';
import { withOwner } from '../context/connection.ts';

/** `rowgate login drop` removes a login that `rowgate login create` made, and no other login. */
export const loginDrop: Command = {
  name: 'login drop',
  summary: 'remove a login that login create made, with its variables',
  positionals: [{ name: 'name', help: 'name of the login' }],
  options: {},
  run: async (_options, [name = ''], context) => {
    await withOwner(context, (client) => dropLogin(client, name));
    context.print(`removed login ${name}`);
    return 0;
  },
};
