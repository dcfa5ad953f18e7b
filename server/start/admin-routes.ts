import { makeAdminAccess } from '../admin/admin-access.ts';
import type { AdminScope } from '../admin/admin-endpoint.ts';
import { type AdminOptions, makeAdminEndpoints, makeAdminScope } from '../admin/admin-endpoints.ts';
import type { AdminSignIn } from '../admin/admin-person.ts';
import { type HealthSources, makeHealthEndpoints } from '../admin/health/health-endpoints.ts';
import { applicationSignIn } from '../console/application-sign-in.ts';
import { makeConsoleEndpoints } from '../console/console-endpoints.ts';
import { ConsoleSessions } from '../console/console-session.ts';
import type { ConsoleSection } from '../console/sections/section.ts';
import type { Endpoint } from '../http/endpoint/define-endpoint.ts';

/** The parts of the console that the application adds. */
export interface ConsoleParts {
  readonly sections: readonly ConsoleSection[];
  readonly signIn: AdminSignIn | undefined;
}

interface AdminRouteOptions extends AdminOptions {
  /** The state of this process. Absent: no endpoint shows it. */
  readonly health?: HealthSources | undefined;
  /** Absent: the gateway runs without an application, or this process does not open it. */
  readonly application?: ConsoleParts | undefined;
}

/** Makes the endpoints for admins, and those of the console if it is on. */
export function makeAdminRoutes(
  secret: string,
  { health, application, ...options }: AdminRouteOptions,
): readonly Endpoint[] {
  const { console, baseUrl } = options.config;
  const forAdmins = (scope: AdminScope) => [
    ...makeAdminEndpoints(scope),
    ...(health ? makeHealthEndpoints(scope, health) : []),
  ];
  if (!console) return forAdmins(makeAdminScope(options));
  const { sections, signIn } = application ?? { sections: [], signIn: undefined };
  const sessions = new ConsoleSessions({ adminSecret: secret, baseUrl, signIn });
  const scope = makeAdminScope({ ...options, sessions });
  const others = signIn && applicationSignIn(signIn);
  const signInAccess = makeAdminAccess({ ...options, sessions: others });
  const ofConsole = makeConsoleEndpoints({ scope, signInAccess, sessions, signIn, sections });
  return [...forAdmins(scope), ...ofConsole];
}
