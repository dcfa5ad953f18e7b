import { type Static, type TSchema, Type } from 'typebox';
import type { ApiAnswer } from '../../../http/endpoint/api-operation.ts';
import type { User } from '../user.ts';

const exactly = { additionalProperties: false } as const;
const id = Type.String({ description: 'The id at the identity provider' });
const email = Type.String();
const roles = Type.Array(Type.String(), { description: 'Names for X-Gql-Role' });
const expiresAt = Type.String({ format: 'date-time', description: 'When it expires, in UTC' });

/** The answer of the token exchange. */
export const exchangedSession = Type.Object(
  { user: Type.Object({ id, email, roles }, exactly), expiresAt },
  { title: 'ExchangedSession', ...exactly },
);
export type ExchangedSession = Static<typeof exchangedSession>;

/** The answer about a session. */
export const session = Type.Object(
  {
    user: Type.Object({ id, email, roles, organizationId: Type.String() }, exactly),
    expiresAt,
  },
  { title: 'Session', ...exactly },
);
export type Session = Static<typeof session>;

/** The answer after a session has ended. */
export const destroyedSession = Type.Object(
  { message: Type.String(), success: Type.Boolean() },
  { title: 'DestroyedSession', ...exactly },
);
export type DestroyedSession = Static<typeof destroyedSession>;

/** The answer after a logout, with the URL that ends the session at the identity provider. */
export const loggedOut = Type.Object(
  {
    message: Type.String(),
    success: Type.Boolean(),
    logoutUrl: Type.String({ format: 'uri' }),
  },
  { title: 'LoggedOut', ...exactly },
);
export type LoggedOut = Static<typeof loggedOut>;

/** Describes an answer in JSON. */
export function json(description: string, schema: TSchema): ApiAnswer {
  return { description, content: { 'application/json': schema } };
}

/** Selects the fields of a person that clients receive. */
export function personOf({ id, email, roles }: User): ExchangedSession['user'] {
  return { id, email, roles: [...roles] };
}
