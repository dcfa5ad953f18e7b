import { insertedRows } from '../diff/compare/written-rows.ts';
import { tableLabel } from '../init/table-label.ts';
import type { LoadedModel } from '../model/load-model.ts';
import { label } from '../objects/state/state-object.ts';
import { listed } from '../text/listed.ts';
import { type Operation, operations } from '../types/rules.ts';
import type { RuleSubject } from './rule-subject.ts';

/** The roles and tables that declare `all_rows`. */
export interface AllRowsDeclared {
  readonly roles: ReadonlySet<string>;
  /** Tables by `schema.name`. */
  readonly tables: ReadonlySet<string>;
  /** Whether any role or table writes the key, even as `false`. */
  readonly isUsed: boolean;
}

export function allRowsDeclared({ raw: { roles, tables } }: LoadedModel): AllRowsDeclared {
  return {
    roles: new Set(roles.filter(({ allRows }) => allRows).map(({ name }) => name)),
    tables: new Set(tables.filter(({ allRows }) => allRows).map(label)),
    isUsed: [...roles, ...tables].some(({ allRows }) => allRows !== undefined),
  };
}

/** A role and a table with rules that let every row through without a declaration. */
export interface UndeclaredRules {
  readonly subject: RuleSubject;
  /** At least one. */
  readonly commands: readonly Operation[];
}

/** Returns the rules of a role on a table that let every row through; undefined if they are declared or none do. */
export function undeclaredRules(
  subject: RuleSubject,
  declared: AllRowsDeclared,
): UndeclaredRules | undefined {
  const { role, table, rules, isNew } = subject;
  if (declared.roles.has(role.name)) return undefined;
  const commands = openCommands(subject).filter(
    (command) => !(command === 'select' && declared.tables.has(label(table))),
  );
  const places = operations.map((command) => rules[command]?.position);
  if (commands.length === 0 || !isNew('all', ...places)) return undefined;
  return { subject, commands };
}

/** Returns the commands whose rule lets every row through. */
function openCommands({ table, rules, rows }: RuleSubject): readonly Operation[] {
  const { select, insert, update, delete: removal } = rules;
  const inserted = insert?.references.length === 0 ? insertedRows(insert, table, []) : undefined;
  const conditions = [
    ['select', select?.filter],
    ['insert', inserted],
    ['update', update?.filter],
    ['delete', removal?.filter],
  ] as const;
  return conditions.flatMap(([command, condition]) =>
    condition && rows.passesAll(table.key, condition) ? [command] : [],
  );
}

/** Reports rules that let every row through. Until a project declares any, one notice stands for all of them. */
export function reportAllRows(
  found: readonly UndeclaredRules[],
  { isUsed }: AllRowsDeclared,
  { raw }: LoadedModel,
): void {
  if (isUsed) for (const one of found) reportRules(one);
  else summarize(found, raw);
}

const verbs: Readonly<Record<Operation, string>> = {
  ...{ select: 'see', insert: 'insert', update: 'update', delete: 'delete' },
};

function reportRules({ subject, commands }: UndeclaredRules): void {
  const { role, table, rules, report } = subject;
  const [first] = commands;
  report.warning(
    'RG_ALL_ROWS',
    first && rules[first]?.position,
    `${role.name} may ${listed(commands.map((one) => verbs[one]))} any row of ${label(table)}`,
    commands.every((one) => one === 'select')
      ? 'write a condition; or declare all_rows: true for the role in roles.yaml, or for the table if every role may see its rows'
      : 'write a condition; or declare all_rows: true for the role in roles.yaml',
  );
}

/** The number of roles, and of tables of a role, that the notice names. */
const maxNamed = 3;

function summarize(found: readonly UndeclaredRules[], { roles }: LoadedModel['raw']): void {
  const [first] = found;
  if (!first) return;
  const tables = Map.groupBy(found, ({ subject }) => subject.role.name);
  const names = [...tables].map(([role, rules]) => {
    const labels = rules.map(({ subject }) => tableLabel(subject.table));
    return `${role} (${shortened(labels)})`;
  });
  const name = first.subject.role.name;
  first.subject.report.notice(
    'RG_ALL_ROWS',
    roles.find((one) => one.name === name)?.position,
    `rules let every row through for ${shortened(names)}`,
    'declare all_rows: true for the roles and tables for which that is intended; check then warns of all others',
  );
}

function shortened(names: readonly string[]): string {
  if (names.length <= maxNamed) return listed(names);
  return `${names.slice(0, maxNamed).join(', ')} and ${names.length - maxNamed} more`;
}
