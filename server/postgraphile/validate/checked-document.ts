import {
  type DocumentNode,
  type GraphQLSchema,
  Kind,
  NoSchemaIntrospectionCustomRule,
  type OperationDefinitionNode,
  parse,
  specifiedRules,
  validate,
  visit,
} from 'postgraphile/graphql';
import type { VariableUse } from '../../../permissions/index.ts';
import { checkValueDepth, tooDeep } from '../../graphql/limits/depth.ts';
import { RequestError, validationFailed } from '../../graphql/request-error.ts';
import { fragmentsOf } from '../../graphql/validate/document.ts';
import { withDefaultPages } from '../schema/default-pages.ts';
import type { RoleSchema } from '../schema/role-schema.ts';
import type { TouchedTables } from '../schema/touched-tables.ts';
import type { DocumentLimits } from './document-limits.ts';
import { maxSelections, measureOperation, type OperationSize } from './operation-size.ts';
import { usesOf } from './session-uses.ts';

/** An operation that fits the schema of a role. Grafast finds its plan by the identity of the document's nodes. */
export interface CheckedDocument {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** The schema for planning, which caches the plans as long as this document lives. */
  readonly planning: GraphQLSchema;
  readonly size: OperationSize;
  /** Session variables that the rules of the touched tables read. */
  readonly uses: readonly VariableUse[];
  /** Whether the operation selects `__schema` or `__type`. */
  readonly introspects: boolean;
  /** Whether the operation has run before. */
  isKnown: boolean;
}

export interface CheckDocumentOptions {
  readonly schema: RoleSchema;
  readonly touched: TouchedTables;
  readonly limits: DocumentLimits;
  /** Whether `__schema` and `__type` are answered. */
  readonly introspection: boolean;
  /** Whether a document is on the allow-list; undefined: all documents may run. */
  readonly isListed: ((document: DocumentNode) => boolean) | undefined;
}

/** Parses a document, selects the operation and checks it before planning. @throws RequestError */
export function checkDocument(
  source: string,
  operationName: string | undefined,
  options: CheckDocumentOptions,
): CheckedDocument {
  const { schema, limits } = options;
  const document = parseDocument(source, limits.tokens);
  // The allow-list is checked first, so that the answer to an unlisted document reveals nothing about the schema.
  if (options.isListed?.(document) === false) throw validationFailed('query is not allowed');
  checkValueDepth(document);
  const operation = pickOperation(document, operationName);
  if (!schema.schema.getRootType(operation.operation)) {
    throw validationFailed(
      `no ${operation.operation === 'mutation' ? 'mutations' : 'queries'} exist`,
    );
  }
  const fragments = fragmentsOf(document);
  const measuring = { schema: schema.schema, fragments, pages: schema.pages, limits };
  const size = measureOperation(operation, measuring);
  refuseTooManySelections(document, maxSelections(limits));
  validateDocument(schema.schema, document, options.introspection);
  const paged = withDefaultPages(schema.schema, document, schema.pages);
  return {
    document: paged,
    operation,
    planning: withOwnPlans(schema.schema),
    size,
    uses: usesOf(document, size, options.touched),
    introspects: size.roots.has('__schema') || size.roots.has('__type'),
    isKnown: false,
  };
}

/** Maximum number of plans of one operation, each for other variables. */
export const MAX_PLANS = 3;

/**
 * Returns the schema for one document. Grafast caches plans in the extensions of a schema and limits only their number,
 * so large documents could fill the memory.
 */
export function withOwnPlans(schema: GraphQLSchema): GraphQLSchema {
  // Grafast accepts no smaller cache than 2.
  const limits = { operationsCacheMaxLength: 2, operationOperationPlansCacheMaxLength: MAX_PLANS };
  const extensions = { ...schema.extensions, grafast: { ...schema.extensions.grafast, ...limits } };
  return Object.create(schema, { extensions: { value: extensions } });
}

function parseDocument(source: string, maxTokens: number): DocumentNode {
  try {
    return parse(source, { noLocation: true, maxTokens });
  } catch (cause) {
    if (cause instanceof Error && cause.message.includes('tokens')) {
      const message = `the document has more than ${maxTokens} words and signs`;
      throw new RequestError('node-limit-exceeded', message, '$.query', cause);
    }
    throw new RequestError('validation-failed', 'not a valid graphql query', '$.query', cause);
  }
}

function pickOperation(document: DocumentNode, name: string | undefined): OperationDefinitionNode {
  const operations = document.definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION);
  const named =
    name === undefined ? operations : operations.filter((one) => one.name?.value === name);
  const [operation] = named;
  if (!operation || named.length !== 1) {
    throw validationFailed(
      name === undefined
        ? 'exactly one operation has to be present in the document when operationName is not specified'
        : `no such operation found in the document: "${name}"`,
    );
  }
  if (operation.operation === 'subscription') {
    throw new RequestError('not-supported', 'subscriptions are not served here');
  }
  return operation;
}

// Validation compares all selections of a document with each other, including selections of operations that do not run.
function refuseTooManySelections(document: DocumentNode, max: number): void {
  let found = 0;
  const count = () => {
    found += 1;
    if (found <= max) return;
    throw new RequestError('node-limit-exceeded', `the document has more than ${max} fields`);
  };
  visit(document, { Field: { enter: count }, FragmentSpread: { enter: count } });
}

function validateDocument(schema: GraphQLSchema, document: DocumentNode, introspection: boolean) {
  const rules = introspection
    ? specifiedRules
    : [...specifiedRules, NoSchemaIntrospectionCustomRule];
  try {
    const options = { maxErrors: 1, hideSuggestions: !introspection };
    const [error] = validate(schema, document, rules, options);
    if (error) throw validationFailed(error.message);
  } catch (cause) {
    if (cause instanceof RangeError) throw tooDeep(MAX_STACK, '$.query');
    throw cause;
  }
}

/** Nesting at which validation usually exceeds the stack. This number is only used in the error message. */
const MAX_STACK = 1000;
