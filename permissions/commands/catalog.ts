import { writeFile } from 'node:fs/promises';
import { inspectCatalog } from '../catalog/inspect-catalog.ts';
import { CommandError } from '../errors.ts';
import type { Command, ExitCode } from './context/command.ts';
import { withSnapshot } from './context/connection.ts';

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
      if (typeof options.out === 'string') await write(options.out, text);
      else context.print(text.trimEnd());
      return 0;
    }),
};

async function write(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (cause) {
    const reason = (cause as { code?: string }).code;
    throw new CommandError('RG_CATALOG', `${file} cannot be written: ${reason}`, {
      exitCode: 2,
      cause,
    });
  }
}
