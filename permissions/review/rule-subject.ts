import type { Report } from '../diagnostics.ts';
import { rootColumns } from '../expressions/dependencies.ts';
import type { BoolExp } from '../types/expressions.ts';
import type { Model, RoleModel, TablePermissions } from '../types/model.ts';
import type { Reference } from '../types/rules.ts';
import type { TableModel } from '../types/tables.ts';
import type { RowComparer } from './row-comparer.ts';

/** The rules of one role on one table, and the report for findings about them. */
export interface RuleSubject {
  readonly model: Model;
  readonly role: RoleModel;
  readonly table: TableModel;
  readonly rules: TablePermissions;
  readonly rows: RowComparer;
  readonly report: Report;
  /**
   * Returns whether a finding is new. An inheriting role has the rules of its parents at the same places, so that its
   * findings about them would repeat the findings about the parents.
   */
  readonly isNew: (...key: readonly unknown[]) => boolean;
}

/**
 * Returns the conditions on the foreign keys of a written row: each key is null or refers to a row that the role sees.
 * Undefined if one of them cannot be expressed as a condition on the written row.
 */
export function referenceConditions(
  references: readonly Reference[],
  table: TableModel,
): readonly BoolExp[] | undefined {
  const conditions = references.map(({ relationship: key, filter }) => {
    // Named by its columns, because the name of a constraint says less in examples and differs for each table.
    const relationship = { ...key, name: key.columns.map(({ local }) => local).join(' and ') };
    const absent = key.columns.flatMap(({ local }): readonly BoolExp[] => {
      const type = table.columns.get(local)?.type;
      const column = type && ({ scope: 'row', column: local, type } as const);
      return column ? [{ kind: 'isNull', column, negated: false }] : [];
    });
    if (!filter) return { kind: 'or', items: absent } as const;
    if (rootColumns(filter).size > 0) return undefined;
    return {
      kind: 'or',
      items: [...absent, { kind: 'related', relationship, item: filter }],
    } as const;
  });
  const known = conditions.filter((one) => one !== undefined);
  return known.length === conditions.length ? known : undefined;
}
