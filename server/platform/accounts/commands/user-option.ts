import { ProcessError } from '../../../errors.ts';

/** Names a person to a command. */
export const userOption = {
  user: { type: 'string', help: 'id of the user at the identity provider' },
} as const;

/** The id that was given. @throws ProcessError RG_USAGE, exit 2 */
export function readUserOption(
  { user }: Readonly<Record<string, unknown>>,
  command: string,
): string {
  if (typeof user === 'string' && user !== '') return user;
  throw new ProcessError('RG_USAGE', `${command} lacks --user`, {
    hint: `rowgate ${command} --help says what it takes`,
    exitCode: 2,
  });
}
