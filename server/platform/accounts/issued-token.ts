import { type Static, Type } from 'typebox';

export interface IssuedToken {
  readonly token: string;
  readonly expiresAt: Date;
}

/** The answer of endpoints that issue a token. */
export const issuedTokenSchema = Type.Object(
  {
    token: Type.String({ description: 'The token itself; it is not shown again' }),
    expiresAt: Type.String({ format: 'date-time', description: 'When it expires, in UTC' }),
  },
  { title: 'IssuedToken', additionalProperties: false },
);

/** Converts a token to the answer. */
export function issuedTokenBody({
  token,
  expiresAt,
}: IssuedToken): Static<typeof issuedTokenSchema> {
  return { token, expiresAt: expiresAt.toISOString() };
}
