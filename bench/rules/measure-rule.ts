import pg from 'pg';
import type { Model } from '../../permissions/index.ts';
import { tableAccess } from '../../permissions/role-view.ts';
import type { Variables } from './data.ts';
import { byHand, columns, type Source, uses } from './shapes.ts';

/** The cost of one execution. */
export interface Cost {
  /** Pages that the statement read, from the cache of Postgres or from outside. */
  readonly pages: number;
  readonly milliseconds: number;
}

/** A role, a use and the variables of a caller. */
export interface Case {
  readonly role: string;
  readonly use: string;
  readonly variables: Variables;
}

/** Returns the relations from which the gateway reads invoices for a role. */
export function sourceOf(model: Model, name: string): Source {
  const role = model.roles.get(name);
  const table = model.tables.get('public.invoice');
  const rules = role?.tables.get('public.invoice');
  if (!role || !table || !rules) throw new Error(`no role ${name} reads invoices`);
  const { rows = table, keyRows, entryCheck } = tableAccess(role, table, rules, model.tables);
  const relation = (one: { readonly schema: string; readonly name: string }) =>
    `${pg.escapeIdentifier(one.schema)}.${pg.escapeIdentifier(one.name)}`;
  return {
    rows: relation(rows),
    byKey: relation(keyRows ?? rows),
    columns,
    condition: entryCheck ? `exists (select from ${relation(entryCheck)})` : 'true',
  };
}

/** Runs the statement of the gateway. @param gateway a connection of the gateway login */
export async function costOfRole(
  gateway: pg.ClientBase,
  { role, use, variables }: Case,
  source: Source,
  prefix: string,
): Promise<Cost> {
  const settings = [
    ...Object.entries(variables).map(([name, value]) => [`gql.${name}`, value]),
    ['search_path', 'pg_catalog'],
    ['role', prefix + role],
  ];
  const calls = settings.map(
    (pair) => `set_config(${pair.map((text) => pg.escapeLiteral(text ?? '')).join()}, true)`,
  );
  return explained(gateway, `select ${calls.join()}`, use, source, variables);
}

/** Runs the statement with the filter by hand. @param owner a connection of the owner of the tables */
export function costByHand(owner: pg.ClientBase, { role, use, variables }: Case): Promise<Cost> {
  return explained(owner, `select 1`, use, byHand(role), variables);
}

/**
 * The generic plan, because the gateway and an endpoint prepare a statement once for all callers. It runs twice, and the
 * lower cost counts: an execution also reads pages of the catalog when the session has lost its copy of them.
 */
async function explained(
  client: pg.ClientBase,
  settings: string,
  use: string,
  source: Source,
  { user_id, org_id, org_ids }: Variables,
): Promise<Cost> {
  const values = [user_id, org_id, org_ids, key].map((text) => pg.escapeLiteral(text));
  await client.query(`begin read only; set local plan_cache_mode = force_generic_plan; ${settings};
    prepare measured (uuid, int, int[], int) as ${uses[use]?.(source)}`);
  try {
    const text = `explain (analyze, buffers, timing off, format json) execute measured (${values.join()})`;
    const costs = [await costOf(client, text), await costOf(client, text)];
    return {
      pages: Math.min(...costs.map(({ pages }) => pages)),
      milliseconds: Math.min(...costs.map(({ milliseconds }) => milliseconds)),
    };
  } finally {
    await client.query('rollback; deallocate measured');
  }
}

async function costOf(client: pg.ClientBase, explain: string): Promise<Cost> {
  const { rows } = await client.query<{ 'QUERY PLAN': [Explained] }>(explain);
  const [found] = rows[0]?.['QUERY PLAN'] ?? [];
  if (!found) throw new Error('explain returned nothing');
  const { Plan: plan, 'Execution Time': milliseconds } = found;
  return { pages: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'], milliseconds };
}

/** An invoice of organization 78. */
const key = '76';

interface Explained {
  readonly Plan: { readonly 'Shared Hit Blocks': number; readonly 'Shared Read Blocks': number };
  readonly 'Execution Time': number;
}
