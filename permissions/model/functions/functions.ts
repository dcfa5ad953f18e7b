import { tableKey } from '../../catalog/catalog.ts';
import type { CatalogFunction } from '../../catalog/types.ts';
import type { Scope } from '../../expressions/resolve/scope.ts';
import type { RawFunction } from '../../metadata/schemas/function.ts';
import type { RawFunctionField } from '../../metadata/schemas/tables/graphql-names.ts';
import { graphqlName } from '../../text/names.ts';
import { didYouMean } from '../../text/nearest.ts';
import type { FunctionModel } from '../../types/functions.ts';
import type { TableKey } from '../../types/names.ts';
import type { TableModel } from '../../types/tables.ts';
import { validGraphqlName } from '../valid-graphql-name.ts';
import {
  argumentProblem,
  type FunctionProblem,
  makeArgument,
  rightsProblem,
  sessionProblem,
  variablesIn,
  viewProblem,
} from './function-arguments.ts';

type FunctionScope = Pick<Scope, 'catalog' | 'report' | 'headerPrefix' | 'tables'>;

/** A function that the metadata names, with its metadata file. */
export interface TrackedFunction {
  readonly raw: RawFunction;
  readonly model: FunctionModel;
}

/**
 * Resolves the functions that are root fields, in the order of their files. Reports functions that cannot be root
 * fields.
 */
export function makeFunctions(
  raws: readonly RawFunction[],
  scope: FunctionScope,
): readonly TrackedFunction[] {
  const first = new Map<TableKey, RawFunction>();
  return raws.flatMap((raw) => {
    const { schema, table: name, position } = raw.function;
    const key = tableKey(schema, name);
    const other = first.get(key);
    if (other) {
      const message = `the function "${schema}.${name}" is described in ${other.file} too`;
      scope.report.error('RG_DUPLICATE_FUNCTION', position, message, 'keep one file a function');
      return [];
    }
    first.set(key, raw);
    const found = findFunction(raw, scope);
    return found ? [{ raw, model: makeFunction(raw, found, scope) }] : [];
  });
}

/** A database function that can be a root field, because it returns rows of a table of the metadata. */
interface FoundFunction {
  readonly found: CatalogFunction;
  /** The table whose rows the function returns. */
  readonly table: TableModel;
  readonly rights: FunctionModel['rights'];
}

function findFunction(raw: RawFunction, scope: FunctionScope): FoundFunction | undefined {
  const { catalog, report } = scope;
  const { schema, table: name, position } = raw.function;
  const [found, ...more] = catalog.data.functions.filter(
    (one) => one.schema === schema && one.name === name,
  );
  if (!found) {
    const known = catalog.data.functions.map((one) => `${one.schema}.${one.name}`);
    const hint = didYouMean(`${schema}.${name}`, known);
    report.error('RG_UNKNOWN_FUNCTION', position, `${schema}.${name} is no function`, hint);
    return undefined;
  }
  const checked = more.length > 0 ? overloaded(more.length + 1) : checkFunction(found, raw, scope);
  if ('table' in checked) return checked;
  const what = `${schema}.${name} cannot be a root field: ${checked.message}`;
  report.error('RG_UNSUPPORTED_FUNCTION', position, what, checked.hint);
  return undefined;
}

function overloaded(count: number): FunctionProblem {
  const message = `${count} functions have that name`;
  return { message, hint: 'give each of them a name of its own' };
}

function checkFunction(
  found: CatalogFunction,
  raw: RawFunction,
  scope: FunctionScope,
): FoundFunction | FunctionProblem {
  const { catalog, tables } = scope;
  const { rights = { of: 'caller', position: raw.function.position } } = raw;
  const key = catalog.tableOf(catalog.type(found.result));
  const table = key === undefined ? undefined : tables.get(key);
  if (!table) return resultProblem(found, key, catalog);
  const given = { session: raw.sessionArgument?.name };
  return (
    rightsProblem(found, rights) ??
    viewProblem(found, rights.of, catalog, tables) ??
    argumentProblem(found, given, catalog) ??
    sessionProblem(found, given, catalog) ?? { found, table, rights: rights.of }
  );
}

function resultProblem(
  { result }: CatalogFunction,
  key: TableKey | undefined,
  catalog: FunctionScope['catalog'],
): FunctionProblem {
  const { schema, name } = catalog.type(result);
  return key === undefined
    ? {
        message: `it gives ${schema}.${name}, which is no table`,
        hint: 'let it return rows of a table',
      }
    : {
        message: `it gives rows of ${schema}.${name}, which the metadata does not have`,
        hint: 'add a file for that table, with or without rules',
      };
}

function makeFunction(
  raw: RawFunction,
  { found, table, rights }: FoundFunction,
  { catalog, report, headerPrefix }: FunctionScope,
): FunctionModel {
  const { schema, name, definer, pinned, returnsSet, volatility } = found;
  const isVolatile = volatility === 'v';
  const prefix = schema === 'public' ? '' : `${schema}_`;
  const own = validGraphqlName(raw.graphql.name, report) ?? graphqlName(`${prefix}${name}`);
  const { function: single, functionAggregate: aggregate, description } = raw.graphql;
  const defaults = described(found, table, isVolatile);
  const text = (field: RawFunctionField, fallback: string) =>
    (field.description ?? fallback) || undefined;
  return {
    key: tableKey(schema, name),
    name: own,
    function: { schema, name },
    rootFields: {
      function: validGraphqlName(single.name, report) ?? own,
      function_aggregate: validGraphqlName(aggregate.name, report) ?? `${own}_aggregate`,
    },
    rootDescriptions: {
      function: text(single, description ?? (found.comment || defaults.rows)),
      function_aggregate: text(aggregate, defaults.aggregate),
    },
    exposedAs: raw.exposedAs ?? (isVolatile ? 'mutation' : 'query'),
    rights,
    isVolatile,
    definer,
    pinned,
    variables: raw.sessionArgument ? variablesIn(found, headerPrefix) : [],
    arguments: found.arguments.map((one) =>
      makeArgument(one, one.name === raw.sessionArgument?.name ? 'session' : 'client', catalog),
    ),
    result: { kind: 'rows', table: table.key },
    returnsSet,
    position: raw.function.position,
  };
}

function described(
  { schema, name }: CatalogFunction,
  table: TableModel,
  isVolatile: boolean,
): { readonly rows: string; readonly aggregate: string } {
  const label = (one: { readonly schema: string; readonly name: string }) =>
    `"${one.schema === 'public' ? '' : `${one.schema}.`}${one.name}"`;
  const call = `execute ${isVolatile ? 'VOLATILE ' : ''}function ${label({ schema, name })}`;
  return {
    rows: `${call} which returns ${label(table)}`,
    aggregate: `${call} and query aggregates on result of table type ${label(table)}`,
  };
}
