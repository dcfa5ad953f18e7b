import { makeAdminAccess } from '../admin/admin-access.ts';
import { type AdminOptions, makeAdminEndpoints, makeAdminScope } from '../admin/admin-endpoints.ts';
import { makeConsoleEndpoints } from '../console/console-endpoints.ts';
import { ConsoleSessions } from '../console/console-session.ts';
import type { Endpoint } from '../http/endpoint/define-endpoint.ts';

/** Makes the endpoints for admins, and those of the console if it is on. */
export function makeAdminRoutes(secret: string, options: AdminOptions): readonly Endpoint[] {
  const { console, baseUrl } = options.config;
  if (!console) return makeAdminEndpoints(makeAdminScope(options));
  const sessions = new ConsoleSessions({ adminSecret: secret, baseUrl });
  const scope = makeAdminScope({ ...options, sessions });
  const secretAccess = makeAdminAccess(options);
  return [...makeAdminEndpoints(scope), ...makeConsoleEndpoints({ scope, secretAccess, sessions })];
}
