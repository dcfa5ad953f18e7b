import { execute } from 'postgraphile/grafast';
import {
  type DocumentNode,
  type FieldNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  visit,
} from 'postgraphile/graphql';
import { RequestError } from '../request-error.ts';
import type { CheckedOperation } from '../validate/document.ts';
import type { Variables } from '../validate/variables.ts';

/** The part of an operation that Grafast executes: introspection and root fields that plugins add. */
export type Remainder = DocumentNode;

/** Cuts an operation down to some of its root fields. */
export function makeRemainder(checked: CheckedOperation, fields: readonly FieldNode[]): Remainder {
  const { operation } = checked;
  const fragments = [...checked.fragments.values()];
  const used = variablesIn([...fields, ...fragments]);
  const reduced: OperationDefinitionNode = {
    ...operation,
    variableDefinitions: (operation.variableDefinitions ?? []).filter(({ variable }) =>
      used.has(variable.name.value),
    ),
    selectionSet: { kind: Kind.SELECTION_SET, selections: fields },
  };
  return { kind: Kind.DOCUMENT, definitions: [reduced, ...fragments] };
}

/** The results by response key. @throws RequestError */
export async function executeRemainder(
  schema: GraphQLSchema,
  document: Remainder,
  variables: Variables,
): Promise<Readonly<Record<string, unknown>>> {
  const result = await execute({
    schema,
    document,
    variableValues: JSON.parse(JSON.stringify(Object.fromEntries(variables))),
    contextValue: Object.create(null),
  });
  if (!('data' in result) && !('errors' in result)) {
    throw new RequestError('not-supported', 'streamed results are not supported');
  }
  const [error] = result.errors ?? [];
  if (error) throw new RequestError('unexpected', error.message, '$', error.originalError);
  return (result.data ?? {}) as Readonly<Record<string, unknown>>;
}

function variablesIn(nodes: readonly (FieldNode | DocumentNode['definitions'][number])[]) {
  const names = new Set<string>();
  for (const node of nodes) {
    visit(node, { Variable: ({ name }) => void names.add(name.value) });
  }
  return names;
}
