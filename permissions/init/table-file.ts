import type { Catalog } from '../catalog/catalog.ts';
import type { CatalogTable } from '../catalog/types.ts';
import type { Plain, PlainMap } from '../import/hasura/imported.ts';
import { tableNode } from '../import/hasura/table-name.ts';
import { yamlText } from '../import/yaml-text.ts';
import { schemaLine } from '../metadata/schemas/editor-schemas.ts';
import type { ForeignKeyScope } from '../model/relationships/make-relationship.ts';
import { asComment } from './as-comment.ts';
import type { GraphqlNames, ProposedNames } from './graphql-names.ts';
import { proposeRelationships } from './propose-relationships.ts';
import { exampleRules } from './rule-skeletons.ts';

/** The inputs of writing the files of tables. */
export interface TableFileScope extends ForeignKeyScope {
  readonly catalog: Catalog;
  readonly names: GraphqlNames;
  /** Tables that could be enums. */
  readonly enums: ReadonlySet<CatalogTable>;
  /** The role for the examples. */
  readonly role: string;
  /** The prefix of session variables, e.g. `X-Gql-`. */
  readonly headerPrefix: string;
}

/**
 * Returns the text of the file of a table. Proposed rules and enums are comments, so that the table stays closed until
 * a person uncomments them.
 */
export function tableFileText(table: CatalogTable, scope: TableFileScope): string {
  const names = scope.names.propose(table);
  const relationships = proposeRelationships(table, names.fields, scope);
  const graphql = graphqlMap(names);
  const map = new Map<string, Plain>([['table', tableNode(table)]]);
  if (graphql.size > 0) map.set('graphql', graphql);
  if (relationships.size > 0) map.set('relationships', relationships);
  return [
    schemaLine('tables/*.yaml'),
    yamlText(map),
    ...(scope.enums.has(table) ? [enumProposal] : []),
    examples(table, scope),
  ].join('');
}

function graphqlMap({ table, columns }: ProposedNames): PlainMap {
  const map = new Map<string, Plain>();
  if (table !== undefined) map.set('name', table);
  if (columns.size > 0) map.set('columns', columns);
  return map;
}

const enumProposal = `
# The rows of this table could be the values of an enum in GraphQL:
# is_enum: true
`;

function examples(table: CatalogTable, { catalog, role, headerPrefix }: TableFileScope): string {
  const rules = exampleRules(table, catalog, headerPrefix);
  if (rules.size === 0) return '';
  const text = yamlText(new Map([['permissions', new Map([[role, rules]])]]));
  return `
# No role may use this table yet. Remove "# " before the rules that fit, and change them.
# { _not: {} } is a condition that no row satisfies, {} one that every row satisfies.
${asComment(text)}`;
}
