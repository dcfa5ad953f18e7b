import { writeRecorded } from '../../apply/history/recorded-folder.ts';
import { CommandError } from '../../errors.ts';
import type { Command } from '../context/command.ts';
import { recordedApply } from './recorded-apply.ts';

/** `rowgate history export` writes the metadata files of an apply. */
export const historyExport: Command = {
  name: 'history export',
  summary: 'write the metadata files of an apply to a new folder',
  positionals: [{ name: 'number', help: 'the number of an apply in rowgate history' }],
  options: { out: { type: 'string', help: 'the folder to write; it must be empty or not exist' } },
  run: async ({ out }, [number = ''], context) => {
    if (typeof out !== 'string') {
      throw new CommandError('RG_USAGE', 'history export lacks --out', { exitCode: 2 });
    }
    const { files } = await recordedApply(number, context);
    const { writingFolder } = await import('../../import/write-folder.ts');
    await writingFolder(out, async (draft) => {
      await writeRecorded(files, draft);
      return { keep: true, result: undefined };
    });
    context.print(`wrote ${Object.keys(files).length} files to ${out}`);
    context.print(
      'the section authentication of rowgate.yaml is not recorded: copy it from your own file',
    );
    return 0;
  },
};
