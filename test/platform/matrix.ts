import type { Model, RoleModel, TablePermissions } from '../../permissions/types/model.ts';
import type { SelectRule } from '../../permissions/types/rules.ts';
import type { TableModel } from '../../permissions/types/tables.ts';
import { conditionText, operandText } from './condition-text.ts';

/** A role with its group in roles.yaml, which the model does not contain. */
export interface GroupedRole {
  readonly name: string;
  readonly group: string | undefined;
}

const legend = `# Who may do what

Every role, every table, every operation, as the rules in \`metadata/\` resolve. \`UPDATE_GOLDEN=1\` rewrites this file
from them; a change of it is what a review of the rules looks at.

In the overviews: **s**elect (S with aggregates), **i**nsert, **u**pdate, **d**elete. \`$user_id\` is the session variable
X-Gql-User-Id. A name before parentheses is a relationship: some row along it must satisfy what stands inside. *Sees* names
the tables of which a written key must lead to a row that the role sees. What does not stand here is refused.`;

/** Returns the matrix of all rules as Markdown, by group and role. */
export function matrixText(model: Model, grouped: readonly GroupedRole[]): string {
  const groups = Map.groupBy(grouped, (role) => role.group ?? 'No group');
  const sections = [...groups].map(([group, roles]) =>
    groupText(model, group, rolesOf(model, roles)),
  );
  return `${[legend, ...sections].join('\n\n')}\n`;
}

function rolesOf(model: Model, grouped: readonly GroupedRole[]): readonly RoleModel[] {
  return grouped.flatMap(({ name }) => model.roles.get(name) ?? []);
}

function groupText(model: Model, group: string, roles: readonly RoleModel[]): string {
  const tables = [...model.tables.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  const overview = markdownTable(
    ['', ...roles.map((role) => role.name)],
    tables.map((table) => [
      table.name,
      ...roles.map((role) => letters(role.tables.get(table.key))),
    ]),
  );
  return [`## ${group}`, overview, ...roles.map((role) => roleText(role, tables))].join('\n\n');
}

function letters(rules: TablePermissions | undefined): string {
  const select = rules?.select && (rules.select.allowAggregations ? 'S' : 's');
  return [select, rules?.insert && 'i', rules?.update && 'u', rules?.delete && 'd'].join('');
}

function roleText(role: RoleModel, tables: readonly TableModel[]): string {
  const requires = role.requires.map((name) => `$${name}`).join(', ');
  const rows = tables.flatMap((table) => {
    const rules = role.tables.get(table.key);
    return rules ? ruleRows(table, rules) : [];
  });
  return [
    `### ${role.name}`,
    `${role.purpose}${requires === '' ? '' : `; requires ${requires}`}`,
    markdownTable(['table', 'may', 'rows', 'columns'], rows),
  ].join('\n\n');
}

type Row = readonly string[];

function ruleRows(table: TableModel, rules: TablePermissions): readonly Row[] {
  const { select, insert, update, delete: removal } = rules;
  const rows: Row[] = [];
  if (select) rows.push([selectText(select), filterText(select), readable(table, rules, select)]);
  if (insert) rows.push(['insert', checked('new', insert.check), writable(table, insert)]);
  if (update) {
    const becomes = update.check ? `; ${checked('becomes', update.check)}` : '';
    rows.push(['update', `${filterText(update)}${becomes}`, writable(table, update)]);
  }
  if (removal) rows.push(['delete', filterText(removal), '']);
  return rows.map((row) => [table.name, ...row]);
}

function selectText({ allowAggregations, limit }: SelectRule): string {
  const bounded = limit === undefined ? '' : `, ${limit} at most`;
  return `select${allowAggregations ? ' ∑' : ''}${bounded}`;
}

function filterText({ filter }: Pick<SelectRule, 'filter'>): string {
  return conditionText(filter) ?? 'all';
}

function checked(what: string, check: SelectRule['filter']): string {
  return `${what}: ${conditionText(check) ?? 'anything'}`;
}

function readable(table: TableModel, rules: TablePermissions, select: SelectRule): string {
  const keys = rules.hiddenKeys.length > 0 ? `; in SQL also ${rules.hiddenKeys.join(', ')}` : '';
  return `${columnsText(table, select.columns)}${keys}`;
}

type Write = NonNullable<TablePermissions['insert'] | TablePermissions['update']>;

function writable(table: TableModel, rule: Write): string {
  const presets = rule.presets.map((one) => `${one.column} := ${operandText(one.value)}`);
  const written = rule.references.filter(({ relationship }) =>
    relationship.columns.some(
      ({ local }) => local !== 'organization_id' && rule.columns.includes(local),
    ),
  );
  const seen = [...new Set(written.map((one) => tableName(one.relationship.table)))];
  return [
    columnsText(table, rule.columns),
    ...(presets.length > 0 ? [presets.join(', ')] : []),
    ...(seen.length > 0 ? [`sees ${seen.sort().join(', ')}`] : []),
  ].join('; ');
}

function tableName(key: string): string {
  return key.replace(/^public\./, '');
}

/**
 * Describes columns: all columns as their number, so that a new column changes the text, all except a few, or a list of
 * names.
 */
function columnsText(table: TableModel, columns: readonly string[]): string {
  const hidden = [...table.columns.keys()].filter((name) => !columns.includes(name));
  if (hidden.length === 0) return `all ${columns.length}`;
  return hidden.length < columns.length
    ? `all but ${hidden.join(', ')}`
    : columns.join(', ') || 'none';
}

function markdownTable(head: Row, rows: readonly Row[]): string {
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
