import {
  type DocumentNode,
  executeSync,
  type FieldNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  print,
  visit,
} from 'postgraphile/graphql';
import { sizeLimit } from '../limits/answer-bytes.ts';
import { RequestError } from '../request-error.ts';
import type { CheckedOperation } from '../validate/document.ts';
import type { Variables } from '../validate/variables.ts';
import { checkIntrospectionSize } from './introspection-size.ts';

/** The part of an operation that no statement answers: introspection, and what says that there is nothing to ask for. */
export interface Introspection {
  readonly document: DocumentNode;
  /** Equal for introspection parts that are always answered alike; undefined where variables decide. */
  readonly key: string | undefined;
}

/** The answers of root fields by response key, as JSON text. */
export type IntrospectionTexts = Readonly<Record<string, string>>;

/** Cuts an operation down to some of its root fields. */
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

/** Answers what is asked of the schema itself. @param maxBytes of the answer @throws RequestError */
export function answerIntrospection(
  schema: GraphQLSchema,
  { document }: Introspection,
  variables: Variables,
  maxBytes: number,
): IntrospectionTexts {
  checkIntrospectionSize(schema, document, variables);
  const variableValues = JSON.parse(JSON.stringify(Object.fromEntries(variables)));
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
