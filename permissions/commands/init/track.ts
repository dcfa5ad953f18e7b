import type { Command } from '../context/command.ts';
import { printMistakes } from '../context/findings.ts';
import { metadataOption } from '../context/options.ts';

/** `rowgate track` writes the file of one more table. */
export const track: Command = {
  name: 'track',
  summary: 'write the file of one more table or view; nothing of it is open yet',
  positionals: [{ name: 'table', help: 'e.g. invoice, or billing.invoice' }],
  options: { ...metadataOption },
  run: (options, [table = ''], context) =>
    printMistakes(context, false, async () => {
      const { runTrack } = await import('./run-track.ts');
      return runTrack(table, String(options.metadata), context);
    }),
};
