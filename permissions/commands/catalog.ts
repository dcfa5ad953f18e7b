import { writeFile } from 'node:fs/promises';
import { inspectCatalog } from '../catalog/inspect-catalog.ts';
import { CommandError } from '../errors.ts';
import type { Command, ExitCode } from './context/command.ts';
import { withSnapshot } from './context/connection.ts';

/** `rowgate catalog`: what check needs to know of a database, for checks where there is none. */
export const catalog: Command = {
  name: 'catalog',
  summary:
    'write down the tables and types of the database, for check --catalog where there is none',
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
