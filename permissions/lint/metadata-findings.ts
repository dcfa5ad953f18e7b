import { type Diagnostic, Report } from '../diagnostics.ts';
import { filterColumns } from '../expressions/dependencies.ts';
import { conjuncts } from '../expressions/visit.ts';
import type { LoadedModel } from '../model/load-model.ts';
import type { RoleModel, TablePermissions } from '../types/model.ts';
import type { InsertRule, UpdateRule } from '../types/rules.ts';
import type { Relationship, TableModel } from '../types/tables.ts';
import { cascades } from './metadata/cascades.ts';
import { doubtfulConditions } from './metadata/doubtful-conditions.ts';
import { enumWriters } from './metadata/enum-writers.ts';
import { partitionPresets } from './metadata/partition-presets.ts';
import { slowPaths } from './metadata/slow-paths.ts';

interface Subject {
  readonly loaded: LoadedModel;
  readonly role: RoleModel;
  readonly table: TableModel;
  readonly rules: TablePermissions;
  readonly report: Report;
}

/**
 * Returns findings about rules that compile but may be mistakes: slow filters, filters that show more than expected,
 * references to rows that a role does not see, hidden keys, roles that may write enum tables, cascades, and presets
 * without effect.
 */
export function metadataFindings(loaded: LoadedModel): readonly Diagnostic[] {
  const report = new Report();
  for (const role of loaded.model.roles.values()) {
    if (role.name === 'admin') continue;
    for (const [key, rules] of role.tables) {
      const table = loaded.model.tables.get(key);
      if (!table) continue;
      const subject = { loaded, role, table, rules, report };
      filters(subject);
      slowPaths({ ...subject, model: loaded.model, catalog: loaded.catalog });
      hiddenKeys(subject);
      movingRows(subject);
      doubtfulConditions({ ...subject, model: loaded.model });
      unseenReferences(subject);
      enumWriters(subject);
      cascades(subject);
      partitionPresets(subject);
    }
  }
  return report.diagnostics;
}

function nameOf(table: TableModel): string {
  return `${table.schema}.${table.name}`;
}

function filters({ loaded, role, table, rules, report }: Subject): void {
  // A view has no indexes of its own, and this lint does not check the indexes of the tables below the view.
  if (table.view) return;
  const indexed = loaded.catalog.tables.get(table.key)?.indexed ?? [];
  const filter = rules.select?.filter;
  const position = rules.select?.position;
  const compared = (filter ? conjuncts(filter) : []).flatMap((part) => {
    if (part.kind === 'compare') {
      const { column, operator } = part;
      return 'field' in column ? [] : [{ column: column.column, operator }];
    }
    if (part.kind !== 'related') return [];
    return part.relationship.columns.map((pair) => ({ column: pair.local, operator: pair.equals }));
  });
  for (const { column, operator } of compared) {
    if (!operator.leakproof) {
      report.warning(
        'RG_NOT_LEAKPROOF',
        position,
        `the filter of ${role.name} on ${nameOf(table)} compares "${column}" by an operator that Postgres does not trust with an index`,
        'compare by =, <, > on text, numbers without fraction, uuid or time where the table is large',
      );
    }
  }
  if (compared.length > 0 && !compared.some(({ column }) => indexed.includes(column))) {
    const [first] = compared;
    report.warning(
      'RG_UNINDEXED',
      position,
      `no index of ${nameOf(table)} begins with a column that the filter of ${role.name} compares`,
      `create index on "${table.schema}"."${table.name}" ("${first?.column}")`,
    );
  }
}

function hiddenKeys({ role, table, rules, report }: Subject): void {
  for (const column of rules.hiddenKeys) {
    report.warning(
      'RG_HIDDEN_KEY',
      rules.select?.position,
      `column "${column}" of ${nameOf(table)} is hidden from ${role.name} in GraphQL, readable in SQL`,
      'a relationship or computed field needs it; set strict_keys to withhold both',
    );
  }
}

function movingRows(subject: Subject): void {
  const { role, table, rules, report } = subject;
  const { update } = rules;
  if (!update || update.check || !mayMove(update, subject)) return;
  report.warning(
    'RG_UPDATE_CHECK',
    update.position,
    `${role.name} may change columns that its update filter on ${nameOf(table)} compares, and there is no check`,
    'the filter serves as the check; write a check to limit the changed rows',
  );
}

/**
 * Returns whether a role may change a column that its update filter compares. Clients change a computed column by
 * writing the columns that it is computed from. They cannot change an identity column that Postgres always generates.
 */
function mayMove(update: UpdateRule, { table, loaded }: Subject): boolean {
  const changed = [...update.columns, ...update.presets.map(({ column }) => column)];
  const found = loaded.catalog.tables.get(table.key)?.columns ?? [];
  const isFixed = (name: string) => found.some((one) => one.name === name && !one.computed);
  return filterColumns(update.filter).some(
    (name) =>
      changed.includes(name) ||
      (table.columns.get(name)?.generated === true && (table.view || !isFixed(name))),
  );
}

function unseenReferences({ role, table, rules, report }: Subject): void {
  for (const rule of [rules.insert, rules.update]) {
    for (const { relationship, filter } of rule?.references ?? []) {
      if (filter || (rule === rules.insert && staysNull(relationship, rules.insert, table)))
        continue;
      report.warning(
        'RG_REFERENCE_HIDDEN',
        rule?.position,
        `${role.name} may write "${relationship.columns.map((pair) => pair.local).join('", "')}" of ${nameOf(table)} but sees no row of ${relationship.table}, so that only null is accepted`,
        'give the role a select rule there, or fill the column by set',
      );
    }
  }
}

/**
 * Returns whether new rows never contain the key: the rule cannot set one of the key's columns, so that column stays
 * null.
 */
function staysNull(
  { columns }: Relationship,
  rule: InsertRule | undefined,
  table: TableModel,
): boolean {
  const filled = [...(rule?.columns ?? []), ...(rule?.presets ?? []).map((one) => one.column)];
  return columns.some(({ local }) => {
    const column = table.columns.get(local);
    return column && !column.notNull && !column.hasDefault && !filled.includes(local);
  });
}
