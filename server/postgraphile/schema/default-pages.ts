import {
  type ArgumentNode,
  type DocumentNode,
  type FieldNode,
  type GraphQLSchema,
  Kind,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'postgraphile/graphql';
import type { Pages } from './paging-plugin.ts';

/**
 * Fields of a connection that need no rows. A connection that selects only these fields gets no page, because a page
 * would make Postgres read rows that no field selects.
 */
const WITHOUT_ROWS: ReadonlySet<string> = new Set([
  ...['totalCount', 'aggregates', 'groupedAggregates', '__typename'],
]);

/** Whether a connection selects rows. A fragment counts as selecting rows. */
export function selectsRows({ selectionSet }: FieldNode): boolean {
  return (selectionSet?.selections ?? []).some(
    (node) => node.kind !== Kind.FIELD || !WITHOUT_ROWS.has(node.name.value),
  );
}

/**
 * Adds a page to every connection that selects rows without `first` and `last`. GraphQL merges fields with the same
 * response key and requires equal arguments, so all these fields get the page if one of them selects rows.
 */
export function withDefaultPages(
  schema: GraphQLSchema,
  document: DocumentNode,
  pages: Readonly<Pages>,
): DocumentNode {
  const info = new TypeInfo(schema);
  const withRows = new Set<string>();
  visit(document, {
    Field: (node) => {
      if (selectsRows(node)) withRows.add(responseKey(node));
    },
  });
  const giveFirst = (node: FieldNode): FieldNode | undefined => {
    const page = pages.get(`${info.getParentType()?.name}.${node.name.value}`);
    if (!page?.isConnection || !withRows.has(responseKey(node))) return undefined;
    const given = node.arguments ?? [];
    if (given.some(({ name }) => name.value === 'first' || name.value === 'last')) return undefined;
    return { ...node, arguments: [...given, first(page.default)] };
  };
  return visit(document, visitWithTypeInfo(info, { Field: giveFirst }));
}

function responseKey({ alias, name }: FieldNode): string {
  return (alias ?? name).value;
}

function first(rows: number): ArgumentNode {
  return {
    kind: Kind.ARGUMENT,
    name: { kind: Kind.NAME, value: 'first' },
    value: { kind: Kind.INT, value: String(rows) },
  };
}
