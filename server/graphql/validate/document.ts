import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLError,
  type GraphQLSchema,
  Kind,
  KnownTypeNamesRule,
  type OperationDefinitionNode,
  parse,
  specifiedRules,
  validate,
} from 'postgraphile/graphql';
import { checkValueDepth } from '../limits/depth.ts';
import { NodeCounter } from '../limits/nodes.ts';
import { RequestError, validationFailed } from '../request-error.ts';
import { knownTypesRule } from './known-types-rule.ts';
import { checkRoot } from './selection.ts';
import type { VariableUsage } from './variables.ts';

/** An operation that fits the schema. */
export interface CheckedOperation {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /**
   * The places in the operation where variables are used. Each request checks the values of its variables against the
   * types at these places.
   */
  readonly usages: readonly VariableUsage[];
}

export interface CheckOptions {
  readonly schema: GraphQLSchema;
  readonly maxDepth: number;
  /** Maximum number of fields; undefined: only the general maximum applies. */
  readonly maxNodes?: number | undefined;
  /** The caller's role, and whether it may use `__schema` and `__type`. */
  readonly role: { readonly name: string; readonly introspection: boolean };
  /** Returns true if the allow-list contains a document; undefined: all documents may run. */
  readonly isListed?: ((document: DocumentNode) => boolean) | undefined;
  /** Text after messages about unknown names, which mentions that the role may lack permission. Empty for admin. */
  readonly hint: string;
}

const MAX_TOKENS = 50_000;

/**
 * Rules of graphql-js that are left out: rules that this folder checks with Hasura's messages, or that Hasura does not
 * require (unused variables and fragments).
 */
const OWN_RULES: ReadonlySet<string> = new Set([
  'FieldsOnCorrectTypeRule',
  'KnownArgumentNamesRule',
  'NoUndefinedVariablesRule',
  'NoUnusedFragmentsRule',
  'NoUnusedVariablesRule',
  'ProvidedRequiredArgumentsRule',
  'ScalarLeafsRule',
  'SingleFieldSubscriptionsRule',
  'ValuesOfCorrectTypeRule',
  'VariablesInAllowedPositionRule',
]);

/** The message of graphql-js when it stops comparing fields with the same response key. */
const COMPARED_TOO_MUCH = 'Validation aborted.';

const remainingRules = specifiedRules
  .filter(({ name }) => !OWN_RULES.has(name))
  .map((rule) => (rule === KnownTypeNamesRule ? knownTypesRule : rule));

/** Parses a document, selects the operation and checks it against the schema. @throws RequestError */
export function checkDocument(
  source: string,
  operationName: string | undefined,
  options: CheckOptions,
): CheckedOperation {
  const document = parseDocument(source);
  // The allow-list is checked first, so that the answer to an unlisted document reveals nothing about the schema.
  if (options.isListed?.(document) === false) throw validationFailed('query is not allowed');
  checkValueDepth(document);
  const operation = pickOperation(document, operationName);
  const fragments = fragmentsOf(document);
  const usages: VariableUsage[] = [];
  checkRoot(
    { ...options, operation, fragments, usages, nodes: new NodeCounter(options.maxNodes) },
    rootType(operation, options),
  );
  checkRemainingRules(document, options);
  return { document, operation, fragments, usages };
}

/** The fragments of a document by name. */
export function fragmentsOf({
  definitions,
}: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> {
  return new Map(
    definitions.flatMap((node) =>
      node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node] as const] : [],
    ),
  );
}

function checkRemainingRules(document: DocumentNode, { schema, role }: CheckOptions): void {
  // Suggestions for wrong names would reveal parts of the schema.
  const error = firstMistake(schema, document, !role.introspection);
  if (!error) return;
  if (error.message !== COMPARED_TOO_MUCH) throw validationFailed(error.message);
  const message = 'the operation selects the same fields too often';
  throw new RequestError('node-limit-exceeded', message);
}

function firstMistake(
  schema: GraphQLSchema,
  document: DocumentNode,
  hideSuggestions: boolean,
): GraphQLError | undefined {
  try {
    return validate(schema, document, remainingRules, { maxErrors: 1, hideSuggestions })[0];
  } catch (cause) {
    // The selected operation has passed the depth check, but unused fragments may be nested too deep for the stack.
    if (!(cause instanceof RangeError)) throw cause;
    const message = 'the fragments of the document are nested too deep';
    throw new RequestError('depth-limit-exceeded', message, '$.query', cause);
  }
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

function rootType({ operation }: OperationDefinitionNode, { schema, role, hint }: CheckOptions) {
  const type = schema.getRootType(operation);
  if (type) return type;
  const names = operation === 'query' ? 'queries' : `${operation}s`;
  const reason = hint === '' ? '' : `; the role "${role.name}" has no permission for any`;
  throw validationFailed(`no ${names} exist${reason}`);
}
