import { secretCheck } from '../../caller/secret-check.ts';
import type { WrongSecrets } from '../../caller/wrong-secrets.ts';
import { Refusal } from '../../http/answers/problem.ts';
import type { Access } from '../../http/endpoint/access.ts';
import { inHeader, type SecurityScheme } from '../../http/endpoint/security-scheme.ts';

/** The header with the secret that authenticates calls from the platform itself. */
export const platformTokenHeader = 'x-platform-api-token';

const platformTokenScheme: SecurityScheme = {
  name: 'platformToken',
  object: inHeader(
    platformTokenHeader,
    "The platform's admin secret; event triggers and schedules send it.",
  ),
  isLimited: true,
};

/**
 * Makes the access check for endpoints that only the platform itself may call. The checks of providers are in
 * callbacks/receive/sender-proof.ts.
 * @param wrong counts wrong secrets and refuses too many of them; absent: wrong secrets are not counted
 * @throws Refusal 401
 */
export function makePlatformAccess(
  secrets: readonly string[],
  wrong?: WrongSecrets,
): Access<undefined> {
  const isSecret = secretCheck(secrets);
  return {
    schemes: [platformTokenScheme],
    admit: async (request) => {
      const given = request.get(platformTokenHeader);
      if (given !== undefined && isSecret(given)) return undefined;
      if (given !== undefined) await wrong?.count(request);
      throw unauthorized();
    },
  };
}

function unauthorized(): Refusal {
  const detail = `the header ${platformTokenHeader} must carry the platform's admin secret`;
  return new Refusal({ status: 401, code: 'unauthenticated', detail });
}
