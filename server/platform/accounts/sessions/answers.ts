import { type Static, type TSchema, Type } from 'typebox';
import type { ApiAnswer } from '../../../http/api-operation.ts';
import type { User } from '../user.ts';

const exactly = { additionalProperties: false } as const;
const id = Type.String({ description: 'The id at the identity provider' });
const email = Type.String();
const roles = Type.Array(Type.String(), { description: 'Names for X-Gql-Role' });
const expiresAt = Type.String({ format: 'date-time', description: 'When it ends, in UTC' });

/** What an exchange answers. */
export const exchangedSession = Type.Object(
  { user: Type.Object({ id, email, roles }, exactly), expiresAt },
  { title: 'ExchangedSession', ...exactly },
);
export type ExchangedSession = Static<typeof exchangedSession>;

/** What a session is. */
export const session = Type.Object(
  {
    user: Type.Object({ id, email, roles, organizationId: Type.String() }, exactly),
    expiresAt,
  },
  { title: 'Session', ...exactly },
);
export type Session = Static<typeof session>;

/** What became of a session. */
export const destroyedSession = Type.Object(
  { message: Type.String(), success: Type.Boolean() },
  { title: 'DestroyedSession', ...exactly },
);
export type DestroyedSession = Static<typeof destroyedSession>;

/** What became of a session, and where to end the one at the identity provider. */
export const loggedOut = Type.Object(
  {
    message: Type.String(),
    success: Type.Boolean(),
    logoutUrl: Type.String({ format: 'uri' }),
  },
  { title: 'LoggedOut', ...exactly },
);
export type LoggedOut = Static<typeof loggedOut>;

/** An answer of JSON. */
export function json(description: string, schema: TSchema): ApiAnswer {
  return { description, content: { 'application/json': schema } };
}

/** The person as the exchange tells of them. */
export function personOf({ id, email, roles }: User): ExchangedSession['user'] {
  return { id, email, roles: [...roles] };
}
