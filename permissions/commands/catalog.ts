import { inspectCatalog } from '../catalog/inspect-catalog.ts';
import type { Command, ExitCode } from './context/command.ts';
import { withSnapshot } from './context/connection.ts';
import { printOrWrite } from './context/print-or-write.ts';

/** `rowgate catalog` writes a description of the database, with which `rowgate check` works without a database. */
export const catalog: Command = {
  name: 'catalog',
  summary:
    'write the tables and types of the database to a file, for check --catalog without a database',
  options: { out: { type: 'string', help: 'the file to write (default: standard output)' } },
  run: (options, _positionals, context) =>
    withSnapshot<ExitCode>(context, async (client) => {
      const { writeCatalog } = await import('../catalog/write-catalog.ts');
      const text = writeCatalog(await inspectCatalog(client));
      await printOrWrite(text, options.out, context);
      return 0;
    }),
};
