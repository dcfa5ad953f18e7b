import { join } from 'node:path';
import type { Command } from '../context/command.ts';

/** `rowgate schema` writes the JSON Schemas with which editors complete and check metadata files. */
export const schema: Command = {
  name: 'schema',
  summary: 'write a JSON Schema for each kind of metadata file, for editors',
  options: {
    out: {
      type: 'string',
      default: 'metadata/.schemas',
      help: 'the folder to write (default metadata/.schemas)',
    },
  },
  run: async (options, _positionals, context) => {
    const { schemaFiles } = await import('../../init/project-files.ts');
    const { schemaLine } = await import('../../metadata/schemas/editor-schemas.ts');
    const { replaceFile } = await import('../../init/write-new-files.ts');
    const out = String(options.out);
    for (const file of schemaFiles()) {
      await replaceFile(out, file);
      context.print(`wrote ${join(out, file.path)}`);
    }
    context.print('an editor finds the schema of a file by its first line, e.g.');
    context.print(`  ${schemaLine('tables/*.yaml').trimEnd()}`);
    return 0;
  },
};
