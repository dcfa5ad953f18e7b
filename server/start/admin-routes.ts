import { makeAdminAccess } from '../admin/admin-access.ts';
import type { AdminScope } from '../admin/admin-endpoint.ts';
import { type AdminOptions, makeAdminEndpoints, makeAdminScope } from '../admin/admin-endpoints.ts';
import { type ChangeSources, makeChangeEndpoints } from '../admin/change/change-endpoints.ts';
import { type HealthSources, makeHealthEndpoints } from '../admin/health/health-endpoints.ts';
import { makeConsoleEndpoints } from '../console/console-endpoints.ts';
import { ConsoleSessions } from '../console/console-session.ts';
import type { Endpoint } from '../http/endpoint/define-endpoint.ts';

interface AdminRouteOptions extends AdminOptions {
  /** The state of this process. Absent: no endpoint shows it. */
  readonly health?: HealthSources | undefined;
  /** What changing rules by the console needs. Absent: no endpoint does. */
  readonly change?: ChangeSources | undefined;
}

/** Makes the endpoints for admins, and those of the console if it is on. */
export function makeAdminRoutes(
  secret: string,
  { health, change, ...options }: AdminRouteOptions,
): readonly Endpoint[] {
  const { console, baseUrl } = options.config;
  const forAdmins = (scope: AdminScope) => [
    ...makeAdminEndpoints(scope),
    ...(health ? makeHealthEndpoints(scope, health) : []),
  ];
  if (!console) return forAdmins(makeAdminScope(options));
  const sessions = new ConsoleSessions({ adminSecret: secret, baseUrl });
  const scope = makeAdminScope({ ...options, sessions });
  const secretAccess = makeAdminAccess(options);
  return [
    ...forAdmins(scope),
    ...(change ? makeChangeEndpoints(scope, change, options.closers) : []),
    ...makeConsoleEndpoints({ scope, secretAccess, sessions }),
  ];
}
