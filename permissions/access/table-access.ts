import type { ObjectName } from '../text/object-names.ts';
import { qualified, type SqlText } from '../text/sql-text.ts';
import type { Model, RoleModel, TablePermissions } from '../types/model.ts';
import type { TableKey } from '../types/names.ts';
import type { TableModel } from '../types/tables.ts';
import { type ComputedAccess, computedAccess } from './computed-fields.ts';
import { type FunctionAccess, functionAccess } from './owner-calls.ts';
import { entryCheck, joinColumns, keyRows, rowsView } from './rows.ts';
import { type UpsertAccess, upsertAccess } from './upserts.ts';
import { type ViewWrite, writeViews } from './writes.ts';

/** The access of one role to one table. It is decided once, so that the compiler, the lints and GraphQL agree. */
export interface TableAccess {
  readonly role: RoleModel;
  readonly table: TableModel;
  readonly rules: TablePermissions;
  /** The view through which the role reads rows. Undefined: the role reads the table directly, or not at all. */
  readonly rows: ObjectName | undefined;
  /** The view through which the role reads a single row by its key. Undefined: the role reads it as all other rows. */
  readonly keyRows: ObjectName | undefined;
  /** The view that is empty when the role sees no row of the table. Undefined: there is no such check. */
  readonly entryCheck: ObjectName | undefined;
  /**
   * Names of the extra columns of the rows view, by key column. Relationships join by an extra column in rows where the
   * role may not read the key itself.
   */
  readonly joinColumns: ReadonlyMap<string, string>;
  /** Computed fields that the role may select, by name. */
  readonly computed: ReadonlyMap<string, ComputedAccess>;
  /** The views through which the role writes, by purpose. Empty: the role writes the table directly. */
  readonly writes: ReadonlyMap<ViewWrite, ObjectName>;
  readonly upserts: UpsertAccess;
}

const known = new WeakMap<RoleModel, WeakMap<TablePermissions, TableAccess>>();

/** The compiler, the lints and GraphQL share the access of a role to a table. */
export function tableAccess(
  role: RoleModel,
  table: TableModel,
  rules: TablePermissions,
  tables: Model['tables'],
): TableAccess {
  const byRules = known.get(role) ?? new WeakMap<TablePermissions, TableAccess>();
  known.set(role, byRules);
  const found = byRules.get(rules);
  if (found?.table === table) return found;
  const made = makeAccess(role, table, rules, tables);
  byRules.set(rules, made);
  return made;
}

/** Prints the relation through which a role does an operation: a view, or the table. */
export function relationOf(
  access: Pick<TableAccess, 'rows' | 'writes'> | undefined,
  table: TableModel,
  operation: 'select' | Exclude<ViewWrite, 'return'>,
): SqlText {
  const view = operation === 'select' ? access?.rows : access?.writes.get(operation);
  return qualified(view ?? table);
}

function makeAccess(
  role: RoleModel,
  table: TableModel,
  rules: TablePermissions,
  tables: Model['tables'],
): TableAccess {
  return {
    role,
    table,
    rules,
    rows: rowsView(role, table),
    keyRows: keyRows(role, table),
    entryCheck: entryCheck(role, table),
    joinColumns: joinColumns(table, rules),
    computed: computedAccess(role, table, rules, tables),
    writes: writeViews(role, table, rules),
    upserts: upsertAccess(role, table, rules),
  };
}

/** The access of one role to all tables and functions. */
export interface RoleAccess {
  readonly role: RoleModel;
  readonly functions: readonly FunctionAccess[];
  /** The access to each table, in the order of the model's tables. */
  readonly tables: ReadonlyMap<TableKey, TableAccess>;
}

export function roleAccess(
  role: RoleModel,
  { tables, functions }: Pick<Model, 'tables' | 'functions'>,
): RoleAccess {
  const called = role.functions.flatMap((key) => functions.get(key) ?? []);
  const reached = [...tables.values()].flatMap((table) => {
    const rules = role.tables.get(table.key);
    return rules ? [[table.key, tableAccess(role, table, rules, tables)] as const] : [];
  });
  return {
    role,
    functions: called.map((one) => functionAccess(role, one, tables)),
    tables: new Map(reached),
  };
}
