import type { Position, Report } from '../../diagnostics.ts';
import { meaningOf } from '../../expressions/combine.ts';
import type { TablePermissions } from '../../types/model.ts';
import type { TableRules } from '../../types/rules.ts';
import type { TableModel } from '../../types/tables.ts';
import { mergeSelects } from './merge-select.ts';

/** A parent, which is a role that another role inherits from, with its permissions on one table. */
export interface Parent {
  readonly role: string;
  readonly rules: TablePermissions;
}

/** The role that inherits, and its position in roles.yaml for findings. */
export interface InheritingRole {
  readonly name: string;
  readonly position: Position;
}

type Command = 'insert' | 'update' | 'delete';

/**
 * Returns the rules of an inheriting role on a table. For each command, the role's own rule takes precedence. Without
 * an own rule, the role inherits: select rules of its parents are merged, and a write rule is inherited only if all
 * parents with a rule have the same rule. When the parents' rules differ, the role gets no rule for the command, which
 * is reported.
 */
export function inheritRules(
  inheritingRole: InheritingRole,
  own: TableRules | undefined,
  parents: readonly Parent[],
  table: TableModel,
  report: Report,
): TableRules {
  const selects = parents.flatMap(({ rules }) => rules.select ?? []);
  const written = <C extends Command>(command: C) =>
    own?.[command] ?? inheritWrite(command, { inheritingRole, parents, table, report });
  return {
    select: own?.select ?? mergeSelects(selects, table),
    insert: written('insert'),
    update: written('update'),
    delete: written('delete'),
  };
}

interface Inheritance {
  readonly inheritingRole: InheritingRole;
  readonly parents: readonly Parent[];
  readonly table: TableModel;
  readonly report: Report;
}

function inheritWrite<C extends Command>(
  command: C,
  { inheritingRole, parents, table, report }: Inheritance,
): TableRules[C] {
  const all = parents.flatMap(({ role, rules }) => {
    const rule = rules[command];
    return rule ? [{ role, rule: withoutReferences(rule) }] : [];
  });
  const [first, ...more] = all;
  const other = more.find(
    ({ rule }) => meaningOf(canonical(rule)) !== meaningOf(canonical(first?.rule)),
  );
  if (!first || !other) return first?.rule as TableRules[C];
  report.warning(
    'RG_INHERITED_CONFLICT',
    inheritingRole.position,
    `role "${inheritingRole.name}" may not ${command} on ${table.schema}.${table.name}: the rules of "${first.role}" (${placeOf(first.rule)}) and of "${other.role}" (${placeOf(other.rule)}) differ`,
    `make them equal, or write a rule of its own for "${inheritingRole.name}"`,
  );
  return undefined as TableRules[C];
}

type Rule = NonNullable<TableRules[Command]>;

/**
 * Removes the conditions on foreign keys from an inherited rule. A later step adds new conditions from the rows that
 * the inheriting role itself sees.
 */
function withoutReferences(rule: Rule): Rule {
  return 'references' in rule ? { ...rule, references: [] } : rule;
}

/** Sorts the presets of a rule for a comparison, because their order has no meaning. */
function canonical(rule: Rule | undefined): Rule | undefined {
  if (!rule || !('presets' in rule)) return rule;
  const presets = rule.presets.toSorted((a, b) => (a.column < b.column ? -1 : 1));
  return { ...rule, presets };
}

function placeOf({ position }: Rule): string {
  return `${position.file}:${position.line}`;
}
