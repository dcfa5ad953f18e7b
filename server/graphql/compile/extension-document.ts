import {
  type DocumentNode,
  type FieldNode,
  type GraphQLInputType,
  getNullableType,
  isInputObjectType,
  isListType,
  Kind,
  type OperationDefinitionNode,
  type TypeNode,
  type ValueNode,
  visit,
} from 'postgraphile/graphql';
import type { ExtensionCatalog } from '../schema/view/extension-catalog.ts';

/**
 * The part of an operation that unmodified PostGraphile runs. PostGraphile's executor Grafast caches plans by the
 * identity of the document object, so every request must use the same object.
 */
export interface ExtensionDocument {
  readonly document: DocumentNode;
  /** Names of the variables that the document uses. */
  readonly variables: readonly string[];
  /** Number of fields in the document. */
  readonly fields: number;
}

/**
 * Makes an operation that contains only these root fields. Types get the names that they have in the schema of
 * unmodified PostGraphile.
 */
export function makeExtensionDocument(
  operation: OperationDefinitionNode,
  selections: readonly FieldNode[],
  catalog: ExtensionCatalog,
): ExtensionDocument {
  const variables = new Set<string>();
  let fields = 0;
  for (const node of selections) {
    visit(node, {
      Field: () => {
        fields += 1;
      },
      Variable: ({ name }) => {
        variables.add(name.value);
      },
    });
  }
  const definitions = (operation.variableDefinitions ?? []).flatMap((definition) => {
    if (!variables.has(definition.variable.name.value)) return [];
    // The variables already contain default values.
    const { kind, variable, type } = definition;
    return [{ kind, variable, type: renamed(type, catalog.stockNames) }];
  });
  const cut: OperationDefinitionNode = {
    kind: Kind.OPERATION_DEFINITION,
    operation: operation.operation,
    variableDefinitions: definitions,
    selectionSet: { kind: Kind.SELECTION_SET, selections },
  };
  const document: DocumentNode = { kind: Kind.DOCUMENT, definitions: [cut] };
  return { document, variables: [...variables], fields };
}

function renamed(type: TypeNode, names: ReadonlyMap<string, string>): TypeNode {
  return visit(type, {
    NamedType: (node) => {
      const value = names.get(node.name.value);
      return value === undefined ? undefined : { ...node, name: { kind: Kind.NAME, value } };
    },
  });
}

/**
 * Converts a value of the document for the schema of unmodified PostGraphile, which reads exact numbers from strings.
 */
export function stockValue(
  node: ValueNode,
  type: GraphQLInputType,
  catalog: ExtensionCatalog,
): ValueNode {
  const inner = getNullableType(type);
  if (isListType(inner)) {
    const item = (one: ValueNode) => stockValue(one, inner.ofType, catalog);
    return node.kind === Kind.LIST ? { ...node, values: node.values.map(item) } : item(node);
  }
  if (node.kind === Kind.OBJECT && isInputObjectType(inner)) {
    const known = inner.getFields();
    const fields = node.fields.map((field) => {
      const found = known[field.name.value];
      return found ? { ...field, value: stockValue(field.value, found.type, catalog) } : field;
    });
    return { ...node, fields };
  }
  const isNumber = node.kind === Kind.INT || node.kind === Kind.FLOAT;
  if (!isNumber || !('name' in inner) || catalog.scalars.get(inner.name)?.rule !== 'number') {
    return node;
  }
  return { kind: Kind.STRING, value: node.value };
}
