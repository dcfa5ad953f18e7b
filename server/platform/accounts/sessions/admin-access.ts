import type { Access } from '../../../http/endpoint/access.ts';
import { apiKeyScheme, bearerScheme, sessionScheme } from '../security-schemes.ts';
import type { Admin, ApiKeyCaller } from '../user.ts';
import { notAdmin } from './sign-in-refusals.ts';
import type { SignedIn } from './signed-in-access.ts';

export interface AdminAccessOptions {
  readonly signedIn: Access<SignedIn>;
  /** The access check for keys with the scope `admin`. */
  readonly apiKey: Access<ApiKeyCaller>;
}

/**
 * Makes the access check for signed-in platform admins and for API keys with the scope `admin`. Only one credential is
 * checked, in this order: the header Authorization, X-API-Key, the session cookie.
 */
export function makeAdminAccess({ signedIn, apiKey }: AdminAccessOptions): Access<Admin> {
  return {
    schemes: [sessionScheme, bearerScheme, apiKeyScheme],
    admit: async (request) => {
      const { authorization, 'x-api-key': key } = request.headers;
      if (authorization === undefined && key !== undefined) {
        return { kind: 'apiKey', key: await apiKey.admit(request) };
      }
      const { user } = await signedIn.admit(request);
      if (user.isPlatformAdmin) return { kind: 'user', user };
      throw notAdmin();
    },
  };
}
