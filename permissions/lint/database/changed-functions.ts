import type { Catalog } from '../../catalog/catalog.ts';
import type { CatalogFunction } from '../../catalog/types.ts';
import { type NamedFunction, namedFunctions } from '../../model/functions/named-functions.ts';
import type { DatabaseRule } from '../inspection.ts';

/**
 * Reports user-defined functions whose rights, volatility or result type have changed since their rules were applied.
 * The rules were compiled for the earlier function and may be wrong for the changed one.
 */
export const changedFunctions: DatabaseRule = async ({ seen, report }) => {
  const { model, catalog } = seen.loaded;
  for (const { label, called, position } of namedFunctions(model)) {
    const { schema, name } = called.function;
    const found = catalog.data.functions.find((one) => isThat(one, called, catalog));
    const changes = found ? changesOf(called, found, catalog) : [];
    for (const change of changes) {
      report.error(
        'RG_FUNCTION',
        position,
        `${label} calls ${schema}.${name}, which ${change}`,
        'put it right, or apply the metadata again',
      );
    }
  }
};

type Called = NamedFunction['called'];

function isThat(one: CatalogFunction, called: Called, catalog: Catalog): boolean {
  const { schema, name } = called.function;
  if (one.schema !== schema || one.name !== name) return false;
  const types = one.arguments.map(({ type }) => catalog.typeName(catalog.type(type)));
  const expected = called.arguments.map(({ type }) => type);
  return (
    types.length === expected.length &&
    types.every((type, index) => isSame(type, expected[index] ?? { schema: '', name: '' }))
  );
}

function changesOf(
  called: Called,
  { definer, volatility, returnsSet, result }: CatalogFunction,
  catalog: Catalog,
): readonly string[] {
  const isVolatile = volatility === 'v';
  const wasVolatile = 'isVolatile' in called && called.isVolatile;
  const gaveSet = 'returnsSet' in called ? called.returnsSet : called.result.kind === 'rows';
  const type = catalog.type(result);
  const isOther =
    called.result.kind === 'rows'
      ? catalog.tableOf(type) !== called.result.table
      : !isSame(catalog.typeName(type), called.result.type);
  return [
    ...(definer === called.definer
      ? []
      : [`acts with the rights of its ${definer ? 'owner' : 'caller'} now`]),
    ...(isVolatile === wasVolatile ? [] : [`is volatile ${isVolatile ? 'now' : 'no longer'}`]),
    ...(returnsSet === gaveSet && !isOther ? [] : ['returns something else now']),
  ];
}

interface Name {
  readonly schema: string;
  readonly name: string;
}

function isSame(one: Name, other: Name): boolean {
  return one.schema === other.schema && one.name === other.name;
}
