import type { Position } from '../diagnostics.ts';
import { passesEveryRow } from '../expressions/combine.ts';
import { describeCondition, describeRows, describeValue } from '../expressions/describe.ts';
import { inheritedFrom, type ParentRules } from '../model/rules/inherited-from.ts';
import type { BoolExp } from '../types/expressions.ts';
import type { Model, RoleModel } from '../types/model.ts';
import type { TableKey } from '../types/names.ts';
import type {
  DeleteRule,
  InsertRule,
  Operation,
  SelectRule,
  TableRules,
  UpdateRule,
} from '../types/rules.ts';
import type { TableModel } from '../types/tables.ts';

/** A column that a role may read or write, or a computed field that it may read. */
export interface MatrixColumn {
  /** The name; that of a computed field ends in `()`. */
  readonly name: string;
  /** The rows that show the column, in words. Absent: all rows that the role sees. */
  readonly rows?: string;
  /** Parents whose rule contains the column. Empty if the rule is the role's own. */
  readonly from: readonly string[];
}

/** The rights of one role for one operation on one table. */
export interface MatrixEntry {
  readonly role: string;
  readonly table: TableKey;
  readonly operation: Operation;
  /** The rows in words, e.g. `all rows`. For an insert: the rows that may be written. */
  readonly rows: string;
  /** The condition in words that an updated row must meet. */
  readonly check?: string;
  readonly columns: readonly MatrixColumn[];
  /** Columns that the rule sets itself, as `column = value`. */
  readonly presets: readonly string[];
  /** Whether the operation reaches all rows and all columns. */
  readonly isWhole: boolean;
  readonly aggregations: boolean;
  /** Maximum number of rows that one field returns. */
  readonly limit?: number;
  readonly backendOnly: boolean;
  /** Parents from which the role inherits the rule. Empty if the rule is the role's own. */
  readonly from: readonly string[];
  /** The place of the rule in the metadata; the first one if several rules were merged. */
  readonly position: Position;
}

/** The permissions of a model: roles and tables in the order of the model, without `admin`. */
export interface Matrix {
  readonly roles: readonly { readonly name: string; readonly inherits: readonly string[] }[];
  readonly tables: readonly { readonly key: TableKey; readonly columns: readonly string[] }[];
  readonly entries: readonly MatrixEntry[];
}

/** Restricts a matrix; absent members restrict nothing. */
export interface MatrixFilter {
  readonly roles?: readonly string[];
  readonly tables?: readonly TableKey[];
}

/** Builds the matrix of all roles and tables that the filter leaves. */
export function buildMatrix(model: Model, filter: MatrixFilter = {}): Matrix {
  const roles = [...model.roles.values()].filter(
    ({ name }) => name !== 'admin' && (filter.roles?.includes(name) ?? true),
  );
  const tables = [...model.tables.values()].filter(
    ({ key }) => filter.tables?.includes(key) ?? true,
  );
  const entries = tables.flatMap((table) => roles.flatMap((role) => entriesOf(model, role, table)));
  return {
    roles: roles.map(({ name, inherits }) => ({ name, inherits })),
    tables: tables.map(({ key, columns, computedFields }) => ({
      key,
      columns: [...columns.keys(), ...[...computedFields.keys()].map(markOf)],
    })),
    entries,
  };
}

function entriesOf(model: Model, role: RoleModel, table: TableModel): readonly MatrixEntry[] {
  const rules = role.tables.get(table.key);
  if (!rules) return [];
  const { headerPrefix } = model;
  const entry = <O extends Operation>(
    operation: O,
    detailsOf: (rule: NonNullable<TableRules[O]>, scope: Scope) => Details,
  ): readonly MatrixEntry[] => {
    const rule = rules[operation];
    if (!rule) return [];
    const from = inheritedFrom(role, table.key, operation, model);
    const scope = { table, headerPrefix, operation, from, computedRows: rules.computedRows };
    const { position } = rule;
    return [
      {
        ...{ role: role.name, table: table.key, operation, position },
        ...{
          from: from.map(({ name }) => name),
          presets: [],
          aggregations: false,
          backendOnly: false,
        },
        ...detailsOf(rule, scope),
      },
    ];
  };
  return [
    ...entry('select', selectDetails),
    ...entry('insert', insertDetails),
    ...entry('update', updateDetails),
    ...entry('delete', deleteDetails),
  ];
}

/** Facts that all details of an entry share. */
interface Scope {
  readonly table: TableModel;
  readonly headerPrefix: string;
  readonly operation: Operation;
  readonly from: readonly ParentRules[];
  /** Computed fields that return rows. */
  readonly computedRows: readonly string[];
}

type Details = Pick<MatrixEntry, 'rows' | 'columns' | 'isWhole'> & Partial<MatrixEntry>;

function selectDetails(rule: SelectRule, scope: Scope): Details {
  const columns = columnsOf(rule.columns, scope).map((column) => {
    const mask = rule.columnMasks.get(column.name);
    return mask ? { ...column, rows: describeRows(mask, scope.headerPrefix) } : column;
  });
  const shown = rowsAndColumns(rule.filter, columns, scope);
  return {
    ...{ ...shown, columns: [...columns, ...computedColumns(rule, scope)] },
    aggregations: rule.allowAggregations,
    ...(rule.limit === undefined ? {} : { limit: rule.limit }),
  };
}

/** Returns the computed fields that a role may read, those that return rows included. */
function computedColumns(
  { computedFields, fieldMasks }: SelectRule,
  { computedRows, from, headerPrefix }: Scope,
): readonly MatrixColumn[] {
  return [...computedFields, ...computedRows].map((name) => {
    const mask = fieldMasks.get(name);
    const parents = from.filter(
      ({ rules }) =>
        rules.select?.computedFields.includes(name) === true || rules.computedRows.includes(name),
    );
    return {
      ...{ name: markOf(name), from: parents.map((one) => one.name) },
      ...(mask && { rows: describeRows(mask, headerPrefix) }),
    };
  });
}

/** Marks the name of a computed field, which looks like the call that it is. */
function markOf(field: string): string {
  return `${field}()`;
}

function insertDetails(rule: InsertRule, scope: Scope): Details {
  return {
    ...rowsAndColumns(rule.check, columnsOf(rule.columns, scope), scope),
    ...written(rule, scope),
  };
}

function updateDetails(rule: UpdateRule, scope: Scope): Details {
  const check =
    rule.check && !passesEveryRow(rule.check)
      ? describeCondition(rule.check, scope.headerPrefix)
      : undefined;
  return {
    ...rowsAndColumns(rule.filter, columnsOf(rule.columns, scope), scope),
    ...written(rule, scope),
    ...(check === undefined ? {} : { check }),
  };
}

function deleteDetails({ filter, backendOnly }: DeleteRule, { headerPrefix }: Scope): Details {
  const isWhole = passesEveryRow(filter);
  return { rows: describeRows(filter, headerPrefix), columns: [], isWhole, backendOnly };
}

function rowsAndColumns(
  filter: BoolExp,
  columns: readonly MatrixColumn[],
  { table, headerPrefix }: Scope,
): Details {
  const isWhole =
    passesEveryRow(filter) &&
    columns.length === table.columns.size &&
    columns.every(({ rows }) => rows === undefined);
  return { rows: describeRows(filter, headerPrefix), columns, isWhole };
}

function written(rule: InsertRule | UpdateRule, { headerPrefix }: Scope): Partial<MatrixEntry> {
  const presets = rule.presets.map(
    ({ column, value }) => `${column} = ${describeValue(value, headerPrefix)}`,
  );
  return { presets, backendOnly: rule.backendOnly };
}

function columnsOf(names: readonly string[], { operation, from }: Scope): readonly MatrixColumn[] {
  return names.map((name) => ({
    name,
    from: from.filter(({ rules }) => hasColumn(rules[operation], name)).map((one) => one.name),
  }));
}

function hasColumn(rule: TableRules[Operation], column: string): boolean {
  return rule !== undefined && 'columns' in rule && rule.columns.includes(column);
}
