import type { Share } from '../../db/requests/fair-shares.ts';
import type { RequestSettings } from '../../db/requests/request-settings.ts';
import type { RunnableOperation } from '../request/operation.ts';
import type { RequestCaller } from '../request/request-caller.ts';
import type { RoleView } from '../schema/view/role-view.ts';

/** Settings that all requests of a role share. */
export interface RoleSettings {
  readonly view: RoleView;
  /** All variables of the model. Each request sets every one of them. */
  readonly variableNames: readonly string[];
  readonly searchPath: string;
  readonly statementTimeoutMs: number;
}

/** Combines the settings of a role with those of one request. */
export function settingsOf(
  { view, variableNames: names, searchPath, statementTimeoutMs }: RoleSettings,
  { bytes }: RunnableOperation,
  { caller }: RequestCaller,
  share: Share,
): RequestSettings {
  const { postgresName: role } = view.role;
  const { variables: values } = caller;
  return { role, searchPath, names, values, statementTimeoutMs, share, bytes };
}
