import type pg from 'pg';
import { ProcessError } from '../../../../errors.ts';
import type { SigningKeys } from '../../signing/signing-keys.ts';
import { accessTokenType, localIssuer } from './local-tokens.ts';

export interface DevTokenOptions {
  /** The id of the person. */
  readonly user: string;
  /** The e-mail address; default: the address in the database. */
  readonly email: string | undefined;
  /** The name; default: the name in the database. */
  readonly name: string | undefined;
  readonly lifetimeSeconds: number;
}

interface Row {
  readonly email: string;
  readonly name: string | null;
  readonly status: string;
}

/**
 * Makes a token in the form of an identity provider's token, with a connection of the owner.
 * @throws ProcessError RG_USAGE, exit 1, for a disabled person, and for a new person without an e-mail address
 */
export async function makeDevToken(
  owner: pg.Client,
  keys: SigningKeys,
  { user, lifetimeSeconds, ...given }: DevTokenOptions,
): Promise<string> {
  const known = await findPerson(owner, user);
  if (known && known.status !== 'active') throw disabled(user);
  const email = given.email ?? known?.email;
  if (email === undefined) throw unknownUser(user);
  const name = given.name ?? known?.name;
  const claims = {
    iss: localIssuer,
    aud: localIssuer,
    sub: user,
    email,
    email_verified: true,
    ...(name && { name }),
  };
  const { token } = await keys.sign(claims, { type: accessTokenType, lifetimeSeconds });
  return token;
}

async function findPerson(owner: pg.Client, id: string): Promise<Row | undefined> {
  const { rows } = await owner.query<Row>(
    'select u.email, u.full_name as name, u.status from public."user" u where u.id = $1',
    [id],
  );
  return rows[0];
}

function disabled(user: string): ProcessError {
  return new ProcessError('RG_USAGE', `the user "${user}" is disabled`, {
    hint: 'set the status of the row in the table user to active first',
  });
}

function unknownUser(user: string): ProcessError {
  return new ProcessError('RG_USAGE', `there is no user "${user}"`, {
    hint: 'give the id of a row in the table user, or add --email for a new user',
  });
}
