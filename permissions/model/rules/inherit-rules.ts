import type { Position, Report } from '../../diagnostics.ts';
import { meaningOf } from '../../expressions/combine.ts';
import type { TablePermissions } from '../../types/model.ts';
import type { TableRules } from '../../types/rules.ts';
import type { TableModel } from '../../types/tables.ts';
import { mergeSelects } from './merge-select.ts';

/** A role that another one inherits from, and what it may do with one table. */
export interface Parent {
  readonly role: string;
  readonly rules: TablePermissions;
}

/** The role that inherits. */
export interface InheritingRole {
  readonly name: string;
  readonly position: Position;
}

type Command = 'insert' | 'update' | 'delete';

/**
 * The rules of a role on a table: its own, and for each command without one what its parents may do. Reading adds up;
 * writing is inherited only where all parents that may have the same rule, else it is refused and reported.
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

/** The role that writes a key decides which rows the key may lead to. */
function withoutReferences(rule: Rule): Rule {
  return 'references' in rule ? { ...rule, references: [] } : rule;
}

/** In the same order, whatever the order in which presets are written. */
function canonical(rule: Rule | undefined): Rule | undefined {
  if (!rule || !('presets' in rule)) return rule;
  const presets = rule.presets.toSorted((a, b) => (a.column < b.column ? -1 : 1));
  return { ...rule, presets };
}

function placeOf({ position }: Rule): string {
  return `${position.file}:${position.line}`;
}
