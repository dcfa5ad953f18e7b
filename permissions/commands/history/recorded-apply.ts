import type { AppliedMetadata } from '../../apply/history/applied-metadata.ts';
import { readAppliedMetadata } from '../../apply/history/apply-history.ts';
import { CommandError } from '../../errors.ts';
import { quote } from '../../text/characters.ts';
import type { CommandContext } from '../context/command.ts';
import { withSnapshot } from '../context/connection.ts';

/**
 * Reads the metadata of the apply with a number of `rowgate history`.
 * @throws CommandError RG_USAGE if there is no such apply, or its metadata are not kept
 */
export async function recordedApply(
  number: string,
  context: CommandContext,
): Promise<AppliedMetadata> {
  const id = Number(/^[1-9]\d{0,14}$/.exec(number)?.[0]);
  const applied = Number.isNaN(id)
    ? undefined
    : await withSnapshot(context, (client) => readAppliedMetadata(client, id));
  if (applied) return applied;
  throw new CommandError('RG_USAGE', `no metadata are recorded of an apply ${quote(number)}`, {
    hint: 'rowgate history lists the applies; failed and very old ones have no metadata',
    exitCode: 2,
  });
}
