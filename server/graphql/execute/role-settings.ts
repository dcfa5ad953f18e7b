import { sessionOf } from '../../caller/authenticate.ts';
import type { Share } from '../../db/requests/fairness/fair-shares.ts';
import type { RequestSettings } from '../../db/requests/request-settings.ts';
import type { RunnableOperation } from '../request/operation.ts';
import type { RequestCaller } from '../request/request-caller.ts';
import type { RoleView } from '../schema/view/role-view.ts';

/** Settings that all requests of a role share. */
export interface RoleSettings {
  readonly view: RoleView;
  /** All variables of the model. Each request sets every one of them. */
  readonly variableNames: readonly string[];
  /** Whether functions receive the session variables of the request. */
  readonly takesSession: boolean;
  readonly headerPrefix: string;
  readonly searchPath: string;
  readonly statementTimeoutMs: number;
}

/** Combines the settings of a role with those of one request. */
export function settingsOf(
  role: RoleSettings,
  { bytes }: RunnableOperation,
  { caller }: RequestCaller,
  share: Share,
): RequestSettings {
  const { view, variableNames: names, searchPath, statementTimeoutMs, headerPrefix } = role;
  const { postgresName, name } = view.role;
  const session = role.takesSession
    ? JSON.stringify(sessionOf(name, caller, headerPrefix))
    : undefined;
  const { variables: values } = caller;
  return {
    role: postgresName,
    searchPath,
    names,
    values,
    session,
    statementTimeoutMs,
    share,
    bytes,
  };
}
