import type { Report } from '../diagnostics.ts';
import type { LoadedModel } from '../model/load-model.ts';

/**
 * Reports tables that rules offer for subscriptions by name, although their changes are not reported. How often clients
 * subscribe is known only to the server, which counts the fetches for `rowgate live stats`.
 */
export function notLive({ model: { tables, roles } }: LoadedModel, report: Report): void {
  for (const { key, schema, name, kind, live, position } of tables.values()) {
    if (kind !== 'table' || live) continue;
    const watching = [...roles.values()].filter(
      (role) => (role.tables.get(key)?.select?.subscriptionFields ?? []).length > 0,
    );
    if (watching.length === 0) continue;
    report.notice(
      'RG_NOT_LIVE',
      position,
      `subscription_root_fields let ${watching.map((role) => role.name).join(', ')} watch ${schema}.${name}, which is not live`,
      'write live: true in this file; until then each subscription is fetched every few seconds, and streams do not exist',
    );
  }
}
