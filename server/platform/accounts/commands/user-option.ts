import { ProcessError } from '../../../errors.ts';

/** The option that selects a user. */
export const userOption = {
  user: { type: 'string', help: 'id of the user at the identity provider' },
} as const;

/** Reads the id of the user. @throws ProcessError RG_USAGE, exit 2, when it is missing */
export function readUserOption(
  { user }: Readonly<Record<string, unknown>>,
  command: string,
): string {
  if (typeof user === 'string' && user !== '') return user;
  throw new ProcessError('RG_USAGE', `${command} lacks --user`, {
    hint: `rowgate ${command} --help shows the options`,
    exitCode: 2,
  });
}
