import { tableAccess } from '../../access/table-access.ts';
import type { Position } from '../../diagnostics.ts';
import { CommandError } from '../../errors.ts';
import { buildMatrix, type MatrixEntry, type Operation } from '../../matrix/build-matrix.ts';
import type { DesiredObject } from '../../objects/state/state-object.ts';
import { policyName } from '../../text/object-names.ts';
import type { Model, RoleModel } from '../../types/model.ts';
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
 * Explains one rule: its place, its meaning and the database objects that enforce it.
 * @param desired the objects that the metadata needs in the database
 * @throws CommandError RG_USAGE if the role has no such rule
 */
export function explainRule(
  { role, table, operation }: RuleQuestion,
  model: Model,
  desired: readonly DesiredObject[],
): RuleExplanation {
  const { entries } = buildMatrix(model, { roles: [role.name], tables: [table.key] });
  const entry = entries.find((one) => one.operation === operation);
  if (!entry) {
    const others = entries.map((one) => one.operation).join(', ');
    const hint = others === '' ? 'it has no rule on the table' : `it has rules for ${others}`;
    const message = `role ${role.name} has no rule for ${operation} on ${table.key}`;
    throw new CommandError('RG_USAGE', message, { exitCode: 2, hint });
  }
  const objects = objectsOf({ role, table, operation }, model, desired);
  return { position: entry.position, entry, objects };
}

/** Returns the grant, the views, the policy and the preset trigger of a rule, and the views that the policy reads. */
function objectsOf(
  { role, table, operation }: RuleQuestion,
  model: Model,
  desired: readonly DesiredObject[],
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
  const own = desired.filter(({ id }) => ids.has(id));
  // A policy names the views that it reads. Their names are digests, which occur nowhere else.
  const text = own.map(({ create }) => create.map((one) => one.text).join('\n')).join('\n');
  const read = desired.filter(
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
