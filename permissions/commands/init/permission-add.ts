import type { Command } from '../context/command.ts';
import { printMistakes } from '../context/findings.ts';
import { metadataOption } from '../context/options.ts';

/** `rowgate permission add` adds a rule that opens no row yet to the file of a table. */
export const permissionAdd: Command = {
  name: 'permission add',
  summary: 'add a rule to the file of a table; it lists the columns and opens no row yet',
  positionals: [
    { name: 'role', help: 'a role of roles.yaml' },
    { name: 'table', help: 'a table that has a file, e.g. invoice, or billing.invoice' },
    { name: 'command', help: 'select, insert, update or delete' },
  ],
  options: { ...metadataOption },
  run: (options, [role = '', table = '', command = ''], context) =>
    printMistakes(context, false, async () => {
      const { runPermissionAdd } = await import('./run-permission-add.ts');
      return runPermissionAdd({ role, table, command }, String(options.metadata), context);
    }),
};
