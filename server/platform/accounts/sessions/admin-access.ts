import type { Access } from '../../../http/access.ts';
import { Refusal } from '../../../http/problem.ts';
import type { Admin, ApiKeyHolder } from '../user.ts';
import type { SignedIn } from './signed-in-access.ts';

export interface AdminAccessOptions {
  readonly signedIn: Access<SignedIn>;
  /** For keys of scope `admin`. */
  readonly apiKey: Access<ApiKeyHolder>;
}

/**
 * For platform admins who have signed in and for keys of scope `admin`. A header Authorization decides alone; an
 * X-API-Key does where there is none, whatever the cookies.
 */
export function makeAdminAccess({ signedIn, apiKey }: AdminAccessOptions): Access<Admin> {
  return {
    schemes: ['session', 'bearer', 'apiKey'],
    admit: async (request) => {
      const { authorization, 'x-api-key': key } = request.headers;
      if (authorization === undefined && key !== undefined) {
        return { kind: 'apiKey', key: await apiKey.admit(request) };
      }
      const { user } = await signedIn.admit(request);
      if (user.isPlatformAdmin) return { kind: 'user', user };
      throw new Refusal({
        status: 403,
        code: 'not-admin',
        detail: 'this is for admins of the platform',
      });
    },
  };
}
