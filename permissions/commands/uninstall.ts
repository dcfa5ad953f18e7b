import { uninstall as remove } from '../apply/uninstall.ts';
import { defaultRolePrefix } from '../text/names.ts';
import type { Command } from './context/command.ts';
import { withOwner } from './context/connection.ts';
import { metadataOption, yesOption } from './context/options.ts';

/** `rowgate uninstall` removes everything that apply made in this database, including its roles. */
export const uninstall: Command = {
  name: 'uninstall',
  summary: 'remove what apply made in this database, its roles too; your tables and rows stay',
  options: { ...metadataOption, ...yesOption },
  run: async (options, _positionals, context) => {
    if (options.yes !== true) {
      const agreed = await context.confirm?.(
        'remove every policy, grant and role that Rowgate made here?',
      );
      if (!agreed) {
        context.printError('nothing was removed; pass --yes when there is no terminal');
        return 1;
      }
    }
    const { name } = await context.gatewayLogin();
    const done = await withOwner(context, (client) =>
      remove(client, {
        rolePrefix: context.rolePrefix ?? defaultRolePrefix(client.database ?? ''),
        login: name,
      }),
    );
    context.print(`removed ${done.roles.length} roles and all that they were given`);
    for (const { name, databases } of done.rolesKept) {
      context.print(
        `role ${name} stays without rights here: it still has privileges in ${databases.join(', ')}, and rowgate uninstall there drops it`,
      );
    }
    if (done.logins.length > 0) context.print(`removed logins ${done.logins.join(', ')}`);
    for (const name of done.loginsKept) {
      context.print(
        `login ${name} stays, without the rights of a role: it owns objects, has further rights, or was not created by Rowgate`,
      );
    }
    if (done.schemasKept) {
      context.print(
        'schemas rowgate and rowgate_api stay: column defaults, views or checks of yours read session variables',
      );
    }
    return 0;
  },
};
