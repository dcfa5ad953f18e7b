import type pg from 'pg';
import { tableAccess } from '../../access/table-access.ts';
import { Catalog } from '../../catalog/catalog.ts';
import { inspectCatalog } from '../../catalog/inspect-catalog.ts';
import { compileTable } from '../../compile/compile-table.ts';
import type { Position } from '../../diagnostics.ts';
import { CommandError } from '../../errors.ts';
import { buildMatrix, type MatrixEntry } from '../../matrix/build-matrix.ts';
import { schemasOpenToAll } from '../../plan/prepare.ts';
import { policyName } from '../../text/object-names.ts';
import type { Model, RoleModel } from '../../types/model.ts';
import type { Operation } from '../../types/rules.ts';
import type { TableModel } from '../../types/tables.ts';

/** A database object that enforces a rule. */
export interface RuleObject {
  readonly label: string;
  /** The statement that creates the object. */
  readonly sql: string;
}

/** How a rule of the metadata becomes SQL. */
export interface RuleExplanation {
  readonly position: Position;
  readonly entry: MatrixEntry;
  readonly objects: readonly RuleObject[];
}

/** The rule to explain. */
export interface RuleQuestion {
  readonly role: RoleModel;
  readonly table: TableModel;
  readonly operation: Operation;
}

/**
 * Explains one rule: its place, its meaning and the database objects that enforce it. Any login may read what that
 * needs.
 * @param catalog the catalog of the model; absent: it is read from the database
 * @throws CommandError RG_USAGE if the role has no such rule
 */
export async function explainRule(
  client: pg.ClientBase,
  { role, table, operation }: RuleQuestion,
  model: Model,
  catalog?: Catalog,
): Promise<RuleExplanation> {
  const { entries } = buildMatrix(model, { roles: [role.name], tables: [table.key] });
  const entry = entries.find((one) => one.operation === operation);
  if (!entry) {
    const others = entries.map((one) => one.operation).join(', ');
    const hint = others === '' ? 'it has no rule on the table' : `it has rules for ${others}`;
    const message = `role ${role.name} has no rule for ${operation} on ${table.key}`;
    throw new CommandError('RG_USAGE', message, { exitCode: 2, hint });
  }
  const known = catalog ?? new Catalog(await inspectCatalog(client));
  const openSchemas = await schemasOpenToAll(client);
  const compiled = compileTable({ model, role, table }, known, { openSchemas });
  const objects = objectsOf({ role, table, operation }, model, compiled);
  return { position: entry.position, entry, objects };
}

/** Returns the grant, the views, the policy and the preset trigger of a rule, and the views that the policy reads. */
function objectsOf(
  { role, table, operation }: RuleQuestion,
  model: Model,
  compiled: ReturnType<typeof compileTable>,
): readonly RuleObject[] {
  const { schema, name } = table;
  const relations = [table, ...viewsOf({ role, table, operation }, model)];
  const privilege = operation.toUpperCase();
  const ids = new Set([
    ...relations.map((one) => idOf('grant', one.schema, one.name, role.postgresName, privilege)),
    ...relations.map((one) => idOf('view', one.name)),
    idOf('policy', schema, name, policyName(role.name, operation)),
    ...(operation === 'insert' || operation === 'update'
      ? [idOf('trigger', schema, name, '!rowgate/preset')]
      : []),
  ]);
  const own = compiled.filter(({ id }) => ids.has(id));
  // A policy names the views that it reads. Their names are digests, which occur nowhere else.
  const text = own.map(({ create }) => create.map((one) => one.text).join('\n')).join('\n');
  const read = compiled.filter(
    ({ kind, id }) => kind === 'view' && !ids.has(id) && text.includes(`"${JSON.parse(id)[1]}"`),
  );
  return [...read, ...own].map(({ label, create }) => ({ label, sql: `${create[0]?.text};` }));
}

function viewsOf({ role, table, operation }: RuleQuestion, model: Model) {
  const rules = role.tables.get(table.key);
  if (!rules) return [];
  const { rows, keyRows, entryCheck, writes } = tableAccess(role, table, rules, model.tables);
  const views = operation === 'select' ? [rows, keyRows, entryCheck] : [writes.get(operation)];
  return views.flatMap((view) => view ?? []);
}

function idOf(...parts: readonly string[]): string {
  return JSON.stringify(parts);
}
