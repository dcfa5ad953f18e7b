import { writeFile } from 'node:fs/promises';
import { CommandError } from '../../errors.ts';
import type { CommandContext } from './command.ts';

/**
 * Writes the result of a command to the file of `--out`, or else to standard output.
 * @throws CommandError RG_USAGE (exit 2)
 */
export async function printOrWrite(
  text: string,
  out: unknown,
  context: CommandContext,
): Promise<void> {
  if (typeof out !== 'string') {
    context.print(text.trimEnd());
    return;
  }
  try {
    await writeFile(out, text);
  } catch (cause) {
    const reason = (cause as { code?: string }).code;
    throw new CommandError('RG_USAGE', `${out} cannot be written: ${reason}`, {
      exitCode: 2,
      cause,
    });
  }
}
