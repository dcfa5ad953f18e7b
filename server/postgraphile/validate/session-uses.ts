import { type DocumentNode, visit } from 'postgraphile/graphql';
import type { VariableUse } from '../../../permissions/index.ts';
import type { TableView } from '../../graphql/schema/view/table-view.ts';
import type { TouchedTables } from '../schema/touched-tables.ts';
import type { OperationSize } from './operation-size.ts';

/**
 * Arguments whose values may read other tables than the table of their field, such as an ordering by the number of
 * referencing rows.
 */
const LEADING: ReadonlySet<string> = new Set(['orderBy', 'filter', 'condition']);

/**
 * Returns the session variables that the rules of the touched tables read. Without one of them, Postgres would find no
 * rows and report no reason.
 */
export function usesOf(
  document: DocumentNode,
  { types, roots }: OperationSize,
  touched: TouchedTables,
): readonly VariableUse[] {
  // A plugin that runs statements may read any table.
  const isExtended = [...roots].some((name) => touched.openFields.get(name)?.usesDatabase);
  const typed = [...types].flatMap((name) => touched.types.get(name) ?? []);
  const read = isExtended ? touched.tables : typed;
  const beside = leadsOn(document) ? read.flatMap(neighbours) : [];
  const written = [...roots].flatMap((name) => touched.writes.get(name) ?? []);
  const rules = [
    ...[...read, ...beside].map(({ select }) => select),
    ...written.map(({ table, kind }) => table[kind === 'insert' ? 'insert' : kind]),
  ];
  const variables = rules.flatMap((rule) => ruleVariables(rule));
  return [...new Map(variables.map((use) => [JSON.stringify(use), use])).values()];
}

type Ruled = { readonly variables: readonly VariableUse[] };

function ruleVariables(rule: Ruled | { readonly rule: Ruled } | undefined): readonly VariableUse[] {
  if (!rule) return [];
  return 'rule' in rule ? rule.rule.variables : rule.variables;
}

function neighbours({ relationships }: TableView): readonly TableView[] {
  return [...relationships.values()].map(({ table }) => table());
}

function leadsOn(document: DocumentNode): boolean {
  let found = false;
  visit(document, {
    Argument: ({ name }) => {
      if (LEADING.has(name.value)) found = true;
    },
  });
  return found;
}
