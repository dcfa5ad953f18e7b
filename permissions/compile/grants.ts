import type { Catalog } from '../catalog/catalog.ts';
import { tableSchemas } from '../model/table-schemas.ts';
import type { Model, RoleModel, TableModel, TablePermissions } from '../model/types.ts';
import { ident, qualified, sql } from '../sql/sql-text.ts';
import type { DesiredObject } from '../state/types.ts';
import { type ApiFunctionName, apiFunction } from './api-functions.ts';
import { desired, grant, stateId } from './desired.ts';

/** The column and sequence grants of one role on one table. */
export function tableGrants(
  role: RoleModel,
  table: TableModel,
  rules: TablePermissions,
  catalog: Catalog,
): readonly DesiredObject[] {
  const to = role.postgresName;
  const { select, insert, update, delete: remove } = rules;
  const readable = select ? [...select.columns, ...rules.hiddenKeys] : rules.hiddenKeys;
  const made: DesiredObject[] = [];
  if (select && readable.length > 0)
    made.push(grant(table, to, 'SELECT', readable, select.position));
  if (insert && insert.columns.length > 0)
    made.push(grant(table, to, 'INSERT', insert.columns, insert.position));
  if (update && update.columns.length > 0)
    made.push(grant(table, to, 'UPDATE', update.columns, update.position));
  if (remove) made.push(grant(table, to, 'DELETE', undefined, remove.position));
  if (insert) {
    for (const sequence of catalog.tables.get(table.key)?.sequences ?? []) {
      made.push(
        grant(
          sequence,
          to,
          'USAGE',
          undefined,
          insert.position,
          sql`sequence ${qualified(sequence)}`,
        ),
      );
    }
  }
  return made;
}

/** USAGE on the schemas whose tables and types a role may name. */
export function schemaGrants(
  model: Model,
  role: RoleModel,
  open: ReadonlySet<string>,
): readonly DesiredObject[] {
  const schemas = new Set(['rowgate_api']);
  for (const key of role.tables.keys()) {
    const table = model.tables.get(key);
    if (!table) continue;
    for (const schema of tableSchemas(table)) schemas.add(schema);
  }
  // Open to everybody, and not ours to grant.
  for (const schema of ['pg_catalog', 'information_schema', ...open]) schemas.delete(schema);
  return [...schemas].map((schema) => schemaUsage(schema, role.postgresName));
}

export function schemaUsage(schema: string, role: string): DesiredObject {
  return desired({
    kind: 'schema',
    id: stateId.schema(schema, role),
    label: `grant usage on schema ${schema} to ${role}`,
    definition: 'USAGE',
    create: [sql`grant usage on schema ${ident(schema)} to ${ident(role)}`],
  });
}

export function executeGrant(name: ApiFunctionName, role: string): DesiredObject {
  const { signature, target } = apiFunction(name);
  return desired({
    kind: 'execute',
    id: stateId.execute('rowgate_api', signature, role),
    label: `grant execute on function rowgate_api.${signature} to ${role}`,
    definition: 'EXECUTE',
    create: [sql`grant execute on function ${target} to ${ident(role)}`],
  });
}
