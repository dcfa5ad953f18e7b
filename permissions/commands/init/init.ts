import type { Command } from '../context/command.ts';
import { printMistakes } from '../context/findings.ts';
import { defaultMetadata } from '../context/options.ts';

/** `rowgate init` writes a metadata folder from the database. It never changes a file that exists. */
export const init: Command = {
  name: 'init',
  summary: 'write a metadata folder from the tables of the database; nothing is open yet',
  options: {
    out: {
      type: 'string',
      default: defaultMetadata,
      help: 'the folder to write (default: ROWGATE_METADATA, or metadata)',
    },
    schema: {
      type: 'string',
      multiple: true,
      help: 'a schema whose tables are written; default all',
    },
    table: {
      type: 'string',
      multiple: true,
      help: 'a table or view that is written; default all tables',
    },
    role: { type: 'string', help: 'the role of the examples (default user)' },
  },
  run: (options, _positionals, context) =>
    printMistakes(context, false, async () => {
      // Loaded on demand, because most commands do not read YAML.
      const { runInit } = await import('./run-init.ts');
      return runInit(options, context);
    }),
};
