import { type Catalog, tableKey } from '../../catalog/catalog.ts';
import type { CatalogArgument, CatalogFunction } from '../../catalog/types.ts';
import type { Report } from '../../diagnostics.ts';
import type { RawComputedField } from '../../metadata/schemas/tables/table.ts';
import { graphqlName } from '../../text/names.ts';
import { didYouMean } from '../../text/nearest.ts';
import type { TableKey } from '../../types/names.ts';
import type { ComputedArgument, ComputedField, TableModel } from '../../types/tables.ts';
import {
  type FunctionProblem,
  makeArgument,
  variablesIn,
  viewProblem,
} from '../functions/function-arguments.ts';
import { fieldFunctionProblem, rowArgument } from './function-problems.ts';

/** The inputs of resolving the computed fields of all tables. */
export interface ComputedScope {
  readonly catalog: Catalog;
  readonly report: Report;
  readonly headerPrefix: string;
  /** Keys of all tables of the metadata. */
  readonly tracked: { has(key: TableKey): boolean };
}

/** Resolves the computed fields in a table's file. Reports fields whose functions do not exist or are not suitable. */
export function makeComputedFields(
  table: TableModel,
  raws: readonly RawComputedField[],
  scope: ComputedScope,
): ReadonlyMap<string, ComputedField> {
  const fields = raws.flatMap((raw) => {
    if (!isFreeName(table, raw, scope)) return [];
    const found = findFunction(table, raw, scope);
    return found ? [makeField(table, raw, found, scope)] : [];
  });
  return new Map(fields.map((field) => [field.name, field]));
}

function isFreeName(
  table: TableModel,
  { name, position }: RawComputedField,
  { report }: ComputedScope,
): boolean {
  const possible = graphqlName(name);
  if (possible !== name) {
    const hint = `use letters, digits and underscores, e.g. "${possible}"`;
    report.error('RG_GRAPHQL_NAME', position, `"${name}" is no name in GraphQL`, hint);
    return false;
  }
  const kind = table.columns.has(name)
    ? 'column'
    : table.relationships.has(name)
      ? 'relationship'
      : undefined;
  if (kind) {
    report.error(
      'RG_NAME_CONFLICT',
      position,
      `"${name}" is a ${kind} of ${labelOf(table)} already`,
      'give the computed field another name',
    );
  }
  return kind === undefined;
}

/** Finds the function of a computed field by its name. Reports a name that no function has, or several functions. */
function findFunction(
  table: TableModel,
  raw: RawComputedField,
  { catalog, report, tracked }: ComputedScope,
): CatalogFunction | undefined {
  const { schema, table: name, position } = raw.function;
  const called = catalog.data.functions.filter((one) => one.schema === schema && one.name === name);
  const candidates = called.map((one) => ({
    one,
    problem: fieldFunctionProblem(one, table, raw, catalog, tracked),
  }));
  const fitting = candidates.filter(({ problem }) => !problem).map(({ one }) => one);
  if (fitting.length === 1) return fitting[0];
  if (called.length === 0) {
    const known = catalog.data.functions.map(labelOf);
    const hint = didYouMean(`${schema}.${name}`, known);
    report.error('RG_UNKNOWN_FUNCTION', position, `${schema}.${name} is no function`, hint);
    return undefined;
  }
  const { message, hint } =
    fitting.length > 1 ? ambiguous(fitting.length) : commonProblem(candidates);
  const what = `${schema}.${name} cannot compute "${raw.name}" of ${labelOf(table)}: ${message}`;
  report.error('RG_UNSUPPORTED_FUNCTION', position, what, hint);
  return undefined;
}

function ambiguous(count: number): FunctionProblem {
  return {
    message: `${count} functions of that name could be meant`,
    hint: 'give one of them another name',
  };
}

function commonProblem(
  candidates: readonly { readonly problem: FunctionProblem | undefined }[],
): FunctionProblem {
  const [first, ...more] = candidates.flatMap(({ problem }) => problem ?? []);
  if (first && more.length === 0) return first;
  return {
    message: `none of ${candidates.length} functions of that name takes its row and can be called so`,
    hint: 'see table_argument, and docs/operators/computed-fields.md',
  };
}

function makeField(
  table: TableModel,
  raw: RawComputedField,
  found: CatalogFunction,
  { catalog, report, headerPrefix, tracked }: ComputedScope,
): ComputedField {
  const row = rowArgument(found, table, raw, catalog);
  const kindOf = (argument: CatalogArgument): ComputedArgument['kind'] => {
    if (argument === row) return 'row';
    return raw.sessionArgument?.name === argument.name ? 'session' : 'client';
  };
  const type = catalog.type(found.result);
  const { schema, name, definer, pinned } = found;
  const rights = raw.rights?.of ?? (definer ? 'owner' : 'caller');
  const unreadable = viewProblem(found, rights, catalog, tracked);
  // A field that returns a single value is reported only where a rule lists it, because conditions of rules can use the
  // field even if no role can read it.
  if (unreadable && found.returnsSet) {
    const what = `no role has "${raw.name}" of ${labelOf(table)}: ${unreadable.message}`;
    report.warning('RG_COMPUTED_FIELD', raw.position, what, unreadable.hint);
  }
  return {
    name: raw.name,
    description: (raw.description ?? (found.comment || defaultDescription(found))) || undefined,
    function: { schema, name },
    definer,
    rights,
    pinned,
    unreadable,
    variables: raw.sessionArgument ? variablesIn(found, headerPrefix) : [],
    arguments: found.arguments.map((one) => makeArgument(one, kindOf(one), catalog)),
    result: found.returnsSet
      ? { kind: 'rows', table: tableKey(type.schema, type.name) }
      : { kind: 'scalar', type: catalog.typeName(type) },
  };
}

function defaultDescription({ schema, name }: CatalogFunction): string {
  return `A computed field, executes function "${schema === 'public' ? '' : `${schema}.`}${name}"`;
}

function labelOf({ schema, name }: { readonly schema: string; readonly name: string }): string {
  return `${schema}.${name}`;
}
