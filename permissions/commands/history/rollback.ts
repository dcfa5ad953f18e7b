import { withRecordedFolder } from '../../apply/history/recorded-folder.ts';
import { apply } from '../apply.ts';
import type { Command } from '../context/command.ts';
import { recordedApply } from './recorded-apply.ts';

const { metadata: _, ...options } = apply.options;

/** `rowgate rollback` applies the metadata of an earlier apply again, planned against the tables of today. */
export const rollback: Command = {
  name: 'rollback',
  summary: 'apply the rules of an earlier apply again',
  positionals: [{ name: 'number', help: 'the number of an apply in rowgate history' }],
  options,
  run: async (given, [number = ''], context) => {
    const applied = await recordedApply(number, context);
    const code = await withRecordedFolder(applied, (metadata) =>
      apply.run({ ...given, metadata }, [], context),
    );
    if (code === 0 && given.json !== true)
      context.print(
        `the database has the rules of apply ${number} again; rowgate history export ${number} writes its files for your metadata folder`,
      );
    return code;
  },
};
