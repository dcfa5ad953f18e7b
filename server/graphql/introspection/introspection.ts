import {
  type DocumentNode,
  executeSync,
  type FieldNode,
  type GraphQLSchema,
  getIntrospectionQuery,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  visit,
} from 'postgraphile/graphql';
import { sizeLimit } from '../limits/answer-bytes.ts';
import { RequestError } from '../request-error.ts';
import type { CheckedOperation } from '../validate/document.ts';
import type { Variables } from '../validate/variables.ts';
import { checkIntrospectionSize } from './introspection-size.ts';

/** The root fields that the schema answers: introspection, and the placeholder field of an empty schema. */
export interface Introspection {
  readonly document: DocumentNode;
  /** Key under which the answer is cached; undefined when the answer depends on variables and is not cached. */
  readonly key: string | undefined;
}

/** The usual introspection of the whole schema, as editors of documents need it. */
export const wholeSchema: Introspection = {
  document: parse(getIntrospectionQuery({ inputValueDeprecation: true }), { noLocation: true }),
  key: undefined,
};

/** Values of root fields by response key, as JSON texts. */
export type IntrospectionTexts = Readonly<Record<string, string>>;

/** Reduces an operation to the given root fields. */
export function makeIntrospection(
  checked: CheckedOperation,
  fields: readonly FieldNode[],
): Introspection {
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
  const document: DocumentNode = { kind: Kind.DOCUMENT, definitions: [reduced, ...fragments] };
  return { document, key: used.size > 0 ? undefined : print(document) };
}

/**
 * Answers root fields from the schema.
 * @param variableValues the values of the variables by name, as plain JSON
 * @param maxBytes maximum size of the answer
 * @throws RequestError
 */
export function answerIntrospection(
  schema: GraphQLSchema,
  { document }: Introspection,
  variableValues: Readonly<Record<string, unknown>>,
  maxBytes: number,
): IntrospectionTexts {
  const variables = new Map(Object.entries(variableValues)) as Variables;
  checkIntrospectionSize(schema, document, variables);
  const { data, errors } = executeSync({ schema, document, variableValues });
  const [error] = errors ?? [];
  if (error) throw new RequestError('unexpected', error.message, '$', error.originalError);
  const texts = Object.entries(data ?? {}).map(([key, value]) => [key, JSON.stringify(value)]);
  const bytes = texts.reduce((sum, [, text = '']) => sum + Buffer.byteLength(text), 0);
  if (bytes > maxBytes) throw sizeLimit({ maxBytes });
  return Object.fromEntries(texts);
}

function variablesIn(nodes: readonly (FieldNode | DocumentNode['definitions'][number])[]) {
  const names = new Set<string>();
  for (const node of nodes) {
    visit(node, { Variable: ({ name }) => void names.add(name.value) });
  }
  return names;
}
