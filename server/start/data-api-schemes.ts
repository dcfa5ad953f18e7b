import type { TokenLocation } from '../config/authentication/jwt-config.ts';
import type { Config } from '../config/config.ts';
import {
  bearer,
  inCookie,
  inHeader,
  type SecurityScheme,
} from '../http/endpoint/security-scheme.ts';

/** Lists the ways in which callers of the data API authenticate, for the OpenAPI document. */
export function dataApiSchemes(
  { headerPrefix, callers }: Config,
  ofApplication: readonly SecurityScheme[],
): readonly SecurityScheme[] {
  const { jwt, webhook } = callers.authentication;
  return uniqueByName([
    adminSecretScheme(headerPrefix),
    ...ofApplication,
    ...jwt.map(({ location }) => tokenAt(location)),
    ...(webhook?.credentialHeaders ?? []).map(webhookCredential),
  ]);
}

/** Describes the admin secret, for the OpenAPI document. */
export function adminSecretScheme(headerPrefix: string): SecurityScheme {
  const description =
    'The admin secret. Its sender selects role and session variables with headers.';
  return { name: 'adminSecret', object: inHeader(`${headerPrefix}Admin-Secret`, description) };
}

function tokenAt(location: TokenLocation): SecurityScheme {
  const description = 'A JSON Web Token of a configured issuer, with the role in its claims.';
  if (location.kind === 'authorization') return { name: 'jwt', object: bearer(description, 'JWT') };
  const { kind, name } = location;
  const object = kind === 'cookie' ? inCookie(name, description) : inHeader(name, description);
  return { name: `jwt.${kind}.${name}`, object };
}

function webhookCredential(header: string): SecurityScheme {
  const description = 'A credential that the authentication webhook checks.';
  return { name: `webhook.${header}`, object: inHeader(header, description) };
}

function uniqueByName(schemes: readonly SecurityScheme[]): readonly SecurityScheme[] {
  return [...new Map(schemes.map((scheme) => [scheme.name, scheme])).values()];
}
