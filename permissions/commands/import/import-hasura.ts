import { CommandError } from '../../errors.ts';
import type { Command } from '../context/command.ts';
import { jsonOption } from '../context/options.ts';

/** `rowgate import hasura`: Hasura's metadata as a folder of ours. Exit 3 where a permission cannot come over. */
export const importHasura: Command = {
  name: 'import hasura',
  summary: "make a metadata folder from Hasura's metadata and tell what does not come over",
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
    source: { type: 'string', help: "the database of Hasura's whose tables are wanted" },
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
    // Loaded when wanted: nothing else needs to know Hasura's files.
    const { runImport } = await import('./run-import.ts');
    return runImport(input, out, options, context);
  },
};
