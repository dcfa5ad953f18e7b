import type { GraphQLObjectType } from 'postgraphile/graphql';
import type { ExtensionRelationship, TableKey } from '../../../../permissions/index.ts';
import type { ColumnView } from './column-view.ts';
import type { ExtensionCatalog, ExtensionRootField } from './extension-catalog.ts';
import type { TableView } from './table-view.ts';

type RootFields = ReadonlyMap<string, ExtensionRootField>;

/** The additions of extensions for one role. */
export interface ExtensionView {
  readonly catalog: ExtensionCatalog;
  /** Fields of the query type. */
  readonly queries: RootFields;
  /** Fields of the mutation type. */
  readonly mutations: RootFields;
  /** Relationships of extension types, by the name of the type and then by their own name. */
  readonly relationships: ReadonlyMap<string, ReadonlyMap<string, ExtensionRelationshipView>>;
}

/** A field of an extension type that returns rows of a table. */
export interface ExtensionRelationshipView
  extends Pick<ExtensionRelationship, 'name' | 'kind' | 'description'> {
  readonly table: TableView;
  /** Fields of the extension type, each with the column that equals it. */
  readonly columns: readonly { readonly field: string; readonly column: ColumnView }[];
}

/** Makes the view of extensions. Returns undefined if the role may use no root field of the extensions. */
export function makeExtensionView(
  catalog: ExtensionCatalog | undefined,
  role: string,
  tables: ReadonlyMap<TableKey, TableView>,
): ExtensionView | undefined {
  if (!catalog) return undefined;
  const open = (fields: RootFields) =>
    new Map([...fields].filter(([, { roles }]) => roles.has(role)));
  const [queries, mutations] = [open(catalog.queries), open(catalog.mutations)];
  if (queries.size === 0 && mutations.size === 0) return undefined;
  const relationships = new Map<string, Map<string, ExtensionRelationshipView>>();
  for (const relationship of catalog.relationships) {
    const view = makeRelationship(relationship, tables.get(relationship.table));
    if (!view) continue;
    const { typeName, name } = relationship;
    const others = relationships.get(typeName) ?? [];
    relationships.set(typeName, new Map([...others, [name, view]]));
  }
  return { catalog, queries, mutations, relationships };
}

// Omits relationships that join on a masked column, because the found rows would reveal the masked value.
function makeRelationship(
  { name, kind, description, mapping }: ExtensionRelationship,
  table: TableView | undefined,
): ExtensionRelationshipView | undefined {
  if (!table) return undefined;
  const columns = mapping.flatMap(({ field, column: name }) => {
    const column = [...table.columns.values()].find(({ column }) => column === name);
    return column && !table.select.columnMasks.has(name) ? [{ field, column }] : [];
  });
  return columns.length === mapping.length
    ? { name, kind, description, table, columns }
    : undefined;
}

/** The part of the schema key that depends on extensions. */
export function describeExtensions(view: ExtensionView | undefined): unknown {
  if (!view) return null;
  const { queries, mutations, relationships } = view;
  const related = [...relationships].map(([type, fields]) => [type, [...fields.keys()]]);
  return [[...queries.keys()], [...mutations.keys()], related];
}

/**
 * Returns the fields of a type without the fields that a relationship replaces. In PostGraphile's dialect these fields
 * return rows.
 */
export function ownFields(
  { relationships }: Pick<ExtensionCatalog, 'relationships'>,
  type: GraphQLObjectType,
) {
  const related = relationships.filter(({ typeName }) => typeName === type.name);
  return Object.values(type.getFields()).filter(
    (field) => !related.some(({ name }) => name === field.name),
  );
}
