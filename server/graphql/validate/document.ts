import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parse,
  specifiedRules,
  validate,
} from 'postgraphile/graphql';
import { RequestError, validationFailed } from '../request-error.ts';
import { checkRoot } from './selection.ts';
import type { VariableUsage } from './variables.ts';

/** An operation that fits the schema. */
export interface CheckedOperation {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** Where its variables are used, to be checked on each request. */
  readonly usages: readonly VariableUsage[];
}

export interface CheckOptions {
  readonly schema: GraphQLSchema;
  readonly maxDepth: number;
  /** Follows messages about names that are not there; empty for admin. */
  readonly hint: string;
}

const MAX_TOKENS = 50_000;

/** Checked here with Hasura's messages, or not required by Hasura (unused variables and fragments). */
const OWN_RULES: ReadonlySet<string> = new Set([
  'FieldsOnCorrectTypeRule',
  'KnownArgumentNamesRule',
  'NoUndefinedVariablesRule',
  'NoUnusedFragmentsRule',
  'NoUnusedVariablesRule',
  'ProvidedRequiredArgumentsRule',
  'ScalarLeafsRule',
  'ValuesOfCorrectTypeRule',
  'VariablesInAllowedPositionRule',
]);

const remainingRules = specifiedRules.filter(({ name }) => !OWN_RULES.has(name));

/** Parses a document, picks the operation and checks it against the schema. @throws RequestError */
export function checkDocument(
  source: string,
  operationName: string | undefined,
  options: CheckOptions,
): CheckedOperation {
  const document = parseDocument(source);
  const operation = pickOperation(document, operationName);
  const fragments = new Map(
    document.definitions.flatMap((node) =>
      node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node] as const] : [],
    ),
  );
  const usages: VariableUsage[] = [];
  checkRoot(
    { ...options, operation, fragments, usages, seen: 0, seenOfIntrospection: 0 },
    rootType(options.schema, operation),
  );
  const [error] = validate(options.schema, document, remainingRules, { maxErrors: 1 });
  if (error) throw validationFailed(error.message);
  return { document, operation, fragments, usages };
}

function parseDocument(source: string): DocumentNode {
  try {
    return parse(source, { noLocation: true, maxTokens: MAX_TOKENS });
  } catch (cause) {
    throw new RequestError('validation-failed', 'not a valid graphql query', '$.query', cause);
  }
}

function pickOperation(document: DocumentNode, name: string | undefined): OperationDefinitionNode {
  const operations = document.definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION);
  const named =
    name === undefined ? operations : operations.filter((one) => one.name?.value === name);
  const [operation] = named;
  if (operation && named.length === 1) return operation;
  throw validationFailed(
    name === undefined
      ? 'exactly one operation has to be present in the document when operationName is not specified'
      : `no such operation found in the document: "${name}"`,
  );
}

function rootType(schema: GraphQLSchema, { operation }: OperationDefinitionNode) {
  const type = schema.getRootType(operation);
  if (type) return type;
  throw validationFailed(
    operation === 'mutation' ? 'no mutations exist' : `no ${operation}s exist`,
  );
}
