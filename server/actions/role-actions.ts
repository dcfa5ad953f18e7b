import type pg from 'pg';
import type pino from 'pino';
import type { Action, Model, TableKey } from '../../permissions/index.ts';
import type { WebhookServices } from '../platform/delivery/resolve-webhook.ts';
import { actionContextOf } from './action-context.ts';
import { makeActionRunner } from './action-runner.ts';
import { actionRelationships, actionsPlugin } from './actions-plugin.ts';
import { actionRelationshipsPlugin } from './relationships-plugin.ts';

/** What actions of whatever rules are called with. */
export interface ActionServices {
  readonly webhooks: WebhookServices;
  /** Of the sidecar's login; absent: asynchronous actions are not available. */
  readonly pool: pg.Pool | undefined;
}

/** The actions of one role in PostGraphile's dialect. */
export interface RoleActions {
  /** In the order of the file. */
  readonly names: readonly string[];
  readonly plugins: readonly GraphileConfig.Plugin[];
  /** How long the handler of each root field may take. */
  readonly timeoutMs: ReadonlyMap<string, number>;
}

const none: RoleActions = { names: [], plugins: [], timeoutMs: new Map() };

/**
 * Makes what a role's schema needs for its actions. `reads` says whether the role may read columns of a table, without
 * which no relationship leads there.
 */
export function makeRoleActions(
  { actions, customTypes: types, headerPrefix }: Model,
  services: ActionServices | undefined,
  logger: pino.Logger,
): (role: string, reads: (table: TableKey, columns: readonly string[]) => boolean) => RoleActions {
  if (!services) return () => none;
  const runner = makeActionRunner({ ...services, types, headerPrefix, logger });
  return (role, reads) => {
    const offered = [...actions.values()].filter(({ roles }) => roles.has(role));
    if (offered.length === 0) return none;
    const relationships = actionRelationships(offered, types).filter(({ table, mapping }) =>
      reads(
        table,
        mapping.map(({ column }) => column),
      ),
    );
    const plugin = actionsPlugin(offered, {
      ...{ types, runner },
      callerOf: (context) => actionContextOf(context).caller,
      queryOf: (context) => actionContextOf(context).query,
      stopOf: (context) => actionContextOf(context).wanted,
    });
    return {
      names: offered.map(({ name }) => name),
      plugins: [plugin, actionRelationshipsPlugin(relationships)],
      timeoutMs: new Map(offered.map((action) => [action.name, waitOf(action)])),
    };
  };
}

function waitOf({ isAsynchronous, retry }: Action): number {
  return isAsynchronous ? 0 : retry.timeout * 1000;
}
