import { CommandError } from '../../errors.ts';
import type { Command } from '../context/command.ts';
import { jsonOption } from '../context/options.ts';

/**
 * `rowgate import hasura` converts Hasura's metadata into a metadata folder. Exit code 3: a permission cannot be
 * imported.
 */
export const importHasura: Command = {
  name: 'import hasura',
  summary: "convert Hasura's metadata into a metadata folder and report what cannot be imported",
  positionals: [
    { name: 'metadata', help: 'metadata.json, or the folder that hasura metadata export writes' },
  ],
  options: {
    out: { type: 'string', help: 'the folder to write; empty, or not there yet' },
    'allow-partial': {
      type: 'boolean',
      default: false,
      help: 'write the folder though permissions are left out, and exit 0',
    },
    source: { type: 'string', help: 'the Hasura database whose tables are imported' },
    catalog: {
      type: 'string',
      help: 'look at a file that rowgate catalog wrote instead of the database',
    },
    ...jsonOption,
  },
  run: async (options, [input = ''], context) => {
    const { out } = options;
    if (typeof out !== 'string') {
      const hint = 'name the folder to write, as --out metadata';
      throw new CommandError('RG_USAGE', 'import hasura lacks --out', { hint, exitCode: 2 });
    }
    // The import is loaded late, because no other command reads Hasura's files.
    const { runImport } = await import('./run-import.ts');
    return runImport(input, out, options, context);
  },
};
