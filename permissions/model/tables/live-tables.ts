import type { Catalog } from '../../catalog/catalog.ts';
import type { CatalogColumn, CatalogTable } from '../../catalog/types.ts';
import type { Report } from '../../diagnostics.ts';
import { conjuncts } from '../../expressions/visit.ts';
import type { RawLive } from '../../metadata/schemas/tables/live.ts';
import type { RawName } from '../../metadata/yaml/node.ts';
import type { BoolExp } from '../../types/expressions.ts';
import type { RoleModel } from '../../types/model.ts';
import type { TableKey } from '../../types/names.ts';
import type { ColumnModel, LiveTable, TableModel } from '../../types/tables.ts';
import { reportUnknownColumns } from './graphql-names.ts';
import type { TrackedTable } from './tables.ts';

interface Scope {
  readonly roles: ReadonlyMap<string, RoleModel>;
  readonly catalog: Catalog;
  readonly report: Report;
}

type Live = NonNullable<RawLive>;

/** Default lists are as long as written ones may be. */
const maxColumns = 6;

/**
 * Adds the settings of live tables. The defaults depend on the rules of all roles, so the rules are resolved before.
 * Reports tables and columns that cannot be live.
 */
export function withLive(
  tables: ReadonlyMap<TableKey, TableModel>,
  tracked: readonly TrackedTable[],
  scope: Scope,
): ReadonlyMap<TableKey, TableModel> {
  const made = new Map(tables);
  for (const one of tracked) {
    const table = tables.get(one.key);
    const { live: raw } = one.raw;
    if (!table || !raw || isUnfit(one.catalog, raw, scope)) continue;
    const live = {
      keys: keysOf(table, one, raw, scope),
      cursors: cursorsOf(table, one, raw, scope),
    };
    made.set(one.key, { ...table, live });
  }
  return made;
}

/** Reports a view, and a table whose rows may be in a foreign table. No trigger sees all changes of their rows. */
function isUnfit(table: CatalogTable, { position }: Live, { catalog, report }: Scope): boolean {
  const label = `${table.schema}.${table.name}`;
  if (table.view) {
    const message = `${label} is a view, whose changes no trigger can record`;
    report.error('RG_LIVE', position, message, 'make the tables below it live');
    return true;
  }
  const below = table.descendants.flatMap((key) => catalog.tables.get(key) ?? []);
  const foreign = below.find(({ kind }) => kind === 'f');
  if (!foreign) return false;
  const message = `${foreign.schema}.${foreign.name}, below ${label}, is a foreign table, whose changes no trigger can record`;
  report.error('RG_LIVE', position, message, 'detach it, or leave "live" out');
  return true;
}

function keysOf(
  table: TableModel,
  { key, catalog: found }: TrackedTable,
  { keys }: Live,
  { roles, catalog, report }: Scope,
): LiveTable['keys'] {
  const canBeKey = (column: CatalogColumn) =>
    !column.virtual && hasCanonicalText(column, table.columns.get(column.name), catalog);
  if (keys) {
    reportUnknownColumns(found, keys, report);
    for (const [name, column] of existing(keys, found)) {
      if (canBeKey(column)) continue;
      const message = `column "${name.name}" of ${table.schema}.${table.name} cannot be a key: ${keyProblem(column)}`;
      report.error('RG_LIVE', name.position, message, keyHint);
    }
    return keys.map(({ name }) => name);
  }
  const compared = [...roles.values()].flatMap((role) => {
    const select = role.tables.get(key)?.select;
    return select ? comparedColumns(select.filter) : [];
  });
  const useful = (name: string) => table.primaryKey.includes(name) || compared.includes(name);
  return primaryKeyFirst(table, found.columns)
    .filter((column) => useful(column.name) && canBeKey(column))
    .map(({ name }) => name)
    .slice(0, maxColumns);
}

const keyProblem = ({ virtual }: CatalogColumn) =>
  virtual ? 'triggers do not see its values' : 'equal values may have different texts';

const keyHint =
  'keys are stored columns of type boolean, smallint, integer, bigint, uuid, text, varchar or an enum, with a collation that tells all texts apart';

/** Returns the columns that every row of a filter must have equal to a session variable. */
function comparedColumns(filter: BoolExp): readonly string[] {
  return conjuncts(filter).flatMap((part) => {
    if (part.kind !== 'compare' || part.operand.kind !== 'variable') return [];
    const { column, operator, quantifier } = part;
    const isEquality = operator.schema === 'pg_catalog' && operator.symbol === '=';
    if (!isEquality || quantifier === 'all' || 'field' in column) return [];
    return column.scope === 'row' ? [column.column] : [];
  });
}

const canonicalTypes = new Set(['bool', 'int2', 'int4', 'int8', 'uuid', 'text', 'varchar']);

/** Returns whether two values of the column are equal exactly if their texts are. */
function hasCanonicalText(
  { type }: CatalogColumn,
  model: ColumnModel | undefined,
  catalog: Catalog,
): boolean {
  const { schema, name, kind } = catalog.base(catalog.type(type));
  if (kind === 'e') return true;
  return schema === 'pg_catalog' && canonicalTypes.has(name) && model?.nondeterministic !== true;
}

function cursorsOf(
  table: TableModel,
  { catalog: found }: TrackedTable,
  { cursors, position }: Live,
  { catalog, report }: Scope,
): LiveTable['cursors'] {
  const { primaryKey } = table;
  const label = `${table.schema}.${table.name}`;
  const typeOf = ({ type }: CatalogColumn) => catalog.base(catalog.type(type));
  const isOf = (column: CatalogColumn, names: ReadonlySet<string>) => {
    const { schema, name } = typeOf(column);
    return schema === 'pg_catalog' && names.has(name);
  };
  if (cursors) {
    if (primaryKey.length === 0 && cursors.length > 0) {
      const message = `${label} has no primary key, by which streams tell rows apart`;
      report.error('RG_LIVE', position, message, 'add one, or leave "cursors" out');
    }
    reportUnknownColumns(found, cursors, report);
    for (const [name, column] of existing(cursors, found)) {
      if (primaryKey.includes(column.name)) continue;
      if (column.notNull && !column.virtual && isOf(column, cursorTypes)) continue;
      const message = `column "${name.name}" of ${label} cannot be a cursor`;
      report.error('RG_LIVE', name.position, message, cursorHint);
    }
    return cursors.map(({ name }) => name);
  }
  if (primaryKey.length === 0) return [];
  return primaryKeyFirst(table, found.columns)
    .filter((column) => {
      if (primaryKey.includes(column.name)) return true;
      return column.notNull && !column.virtual && isOf(column, timestamps);
    })
    .map(({ name }) => name)
    .slice(0, maxColumns);
}

const timestamps = new Set(['timestamptz', 'timestamp']);
const cursorTypes = new Set([...timestamps, 'date', 'int2', 'int4', 'int8']);
const cursorHint =
  'cursors are columns of the primary key, or stored columns that are not null, of type timestamptz, timestamp, date, smallint, integer or bigint';

function existing(
  names: readonly RawName[],
  { columns }: CatalogTable,
): readonly (readonly [RawName, CatalogColumn])[] {
  return names.flatMap((name) => {
    const column = columns.find((one) => one.name === name.name);
    return column ? [[name, column] as const] : [];
  });
}

function primaryKeyFirst(
  { primaryKey }: TableModel,
  columns: readonly CatalogColumn[],
): readonly CatalogColumn[] {
  const place = ({ name }: CatalogColumn) => {
    const index = primaryKey.indexOf(name);
    return index < 0 ? primaryKey.length : index;
  };
  return columns.toSorted((a, b) => place(a) - place(b));
}
