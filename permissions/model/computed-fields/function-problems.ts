import type { Catalog } from '../../catalog/catalog.ts';
import type { CatalogArgument, CatalogFunction } from '../../catalog/types.ts';
import type { RawComputedField } from '../../metadata/schemas/tables/table.ts';
import type { TableKey } from '../../types/names.ts';
import type { TableModel } from '../../types/tables.ts';
import {
  argumentProblem,
  type FunctionProblem,
  rightsProblem,
  sessionProblem,
} from '../functions/function-arguments.ts';

/**
 * Returns why a function cannot compute a field; undefined if the function is suitable. Accepts everything that Hasura
 * accepts, and further types.
 */
export function fieldFunctionProblem(
  found: CatalogFunction,
  table: TableModel,
  raw: RawComputedField,
  catalog: Catalog,
  tracked: { has(key: TableKey): boolean },
): FunctionProblem | undefined {
  const row = rowArgument(found, table, raw, catalog);
  const given = { session: raw.sessionArgument?.name, row };
  return (
    resultProblem(found, catalog, tracked) ??
    volatilityProblem(found) ??
    rightsProblem(found, raw.rights) ??
    argumentProblem(found, given, catalog) ??
    rowProblem(found, table, raw, catalog) ??
    sessionProblem(found, given, catalog)
  );
}

/** Returns the argument that takes the row: the one that the file names, or the first argument of the row's type. */
export function rowArgument(
  found: CatalogFunction,
  { key }: TableModel,
  { tableArgument }: RawComputedField,
  catalog: Catalog,
): CatalogArgument | undefined {
  return found.arguments.find(
    ({ name, type }) =>
      catalog.tableOf(catalog.type(type)) === key &&
      (!tableArgument || name === tableArgument.name),
  );
}

function volatilityProblem(found: CatalogFunction): FunctionProblem | undefined {
  if (found.volatility === 'v') {
    const hint = 'where it changes nothing, run: alter function … stable';
    return { message: 'it is volatile', hint };
  }
  return undefined;
}

function resultProblem(
  { result, returnsSet }: CatalogFunction,
  catalog: Catalog,
  tracked: { has(key: TableKey): boolean },
): FunctionProblem | undefined {
  const type = catalog.type(result);
  const key = catalog.tableOf(type);
  const label = `${type.schema}.${type.name}`;
  if (returnsSet) {
    if (key !== undefined && tracked.has(key)) return undefined;
    return key === undefined
      ? { message: 'it gives rows that are of no table', hint: 'let it return setof a table' }
      : {
          message: `it gives rows of ${label}, which the metadata does not have`,
          hint: 'add a file for that table, with or without rules',
        };
  }
  if (key !== undefined) {
    return { message: `it gives one row of ${label}`, hint: `let it return setof ${label}` };
  }
  if (['c', 'p'].includes(catalog.base(type).kind)) {
    return { message: `its result is of type ${label}`, hint: 'let it return a single value' };
  }
  return undefined;
}

function rowProblem(
  found: CatalogFunction,
  table: TableModel,
  raw: RawComputedField,
  catalog: Catalog,
): FunctionProblem | undefined {
  if (rowArgument(found, table, raw, catalog)) return undefined;
  const type = `${table.schema}.${table.name}`;
  const { tableArgument: named } = raw;
  if (!named) {
    const hint = `let it take an argument of type ${type}`;
    return { message: `no argument takes a row of ${type}`, hint };
  }
  const isThere = found.arguments.some(({ name }) => name === named.name);
  return isThere
    ? { message: `its argument "${named.name}" takes no row of ${type}` }
    : { message: `it has no argument "${named.name}"`, hint: 'see table_argument' };
}
