import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getIntrospectionQuery,
  getNamedType,
  isObjectType,
  Kind,
  parse,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
} from 'postgraphile/graphql';
import { RequestError } from '../request-error.ts';
import { fragmentsOf } from '../validate/document.ts';
import { jsonInDocument } from '../validate/json-in-document.ts';
import type { Variables } from '../validate/variables.ts';

/**
 * The objects of the schema at one place of an answer, each with its number of occurrences there. Equal objects are
 * counted once and multiplied, which keeps counting fast.
 */
type Shown = ReadonlyMap<unknown, number>;

/** Maximum size of an answer, relative to the answer to the usual introspection query for the whole schema. */
const SLACK = 2;
/** Number of values that every answer may have. For small schemas, twice the usual answer would be too little. */
const MIN_LIMIT = 20_000;

const everything = parse(
  getIntrospectionQuery({
    ...{ specifiedByUrl: true, directiveIsRepeatable: true, schemaDescription: true },
    ...{ inputValueDeprecation: true, oneOf: true },
  }),
  { noLocation: true },
);

const maxOf = new WeakMap<GraphQLSchema, number>();

/**
 * Refuses introspection whose answer would have more than twice the values of the answer to the usual query for the
 * whole schema. Such a query nests lists in lists, and would block the process.
 * @throws RequestError
 */
export function checkIntrospectionSize(
  schema: GraphQLSchema,
  document: DocumentNode,
  variables: Variables,
): void {
  const max = maxOf.get(schema) ?? Math.max(MIN_LIMIT, SLACK * sizeOfEverything(schema));
  maxOf.set(schema, max);
  new IntrospectionSize(schema, document, variables, max).count();
}

function sizeOfEverything(schema: GraphQLSchema): number {
  return new IntrospectionSize(schema, everything, new Map(), Number.POSITIVE_INFINITY).count();
}

/** Counts the values in the answer to a document, without making the answer. */
class IntrospectionSize {
  readonly #schema: GraphQLSchema;
  readonly #document: DocumentNode;
  readonly #variables: Variables;
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly #max: number;
  #values = 0;

  constructor(schema: GraphQLSchema, document: DocumentNode, variables: Variables, max: number) {
    this.#schema = schema;
    this.#document = document;
    this.#variables = variables;
    this.#max = max;
    this.#fragments = fragmentsOf(document);
  }

  /** @throws RequestError above the maximum */
  count(): number {
    for (const node of this.#document.definitions) {
      if (node.kind !== Kind.OPERATION_DEFINITION) continue;
      const root = this.#schema.getRootType(node.operation);
      if (root) this.#countBelow(node.selectionSet, root, new Map([[undefined, 1]]));
    }
    return this.#values;
  }

  #countBelow(set: SelectionSetNode, type: GraphQLObjectType, shown: Shown): void {
    const times = [...shown.values()].reduce((sum, one) => sum + one, 0);
    for (const node of set.selections) {
      if (node.kind === Kind.FIELD) {
        this.#add(times);
        this.#countField(node, type, shown);
      } else {
        const { selectionSet } =
          node.kind === Kind.INLINE_FRAGMENT ? node : (this.#fragments.get(node.name.value) ?? {});
        if (selectionSet) this.#countBelow(selectionSet, type, shown);
      }
    }
  }

  #countField(node: FieldNode, type: GraphQLObjectType, shown: Shown): void {
    const { selectionSet } = node;
    const field = META_FIELDS.get(node.name.value) ?? type.getFields()[node.name.value];
    const below = field && getNamedType(field.type);
    if (!selectionSet || !field?.resolve || !isObjectType(below)) return;
    const args = this.#argumentsOf(node);
    // The resolvers of introspection read only the schema of this object.
    const info = { schema: this.#schema } as GraphQLResolveInfo;
    const found = new Map<unknown, number>();
    for (const [object, times] of shown) {
      for (const one of listOf(field.resolve(object, args, undefined, info))) {
        found.set(one, (found.get(one) ?? 0) + times);
      }
    }
    this.#countBelow(selectionSet, below, found);
  }

  /** Always includes deprecated members, so that the count is never too low. */
  #argumentsOf({ arguments: given = [] }: FieldNode): Readonly<Record<string, unknown>> {
    const entries = given.map(({ name, value }) => [
      name.value,
      jsonInDocument(value, (variable) => this.#variables.get(variable)),
    ]);
    return { ...Object.fromEntries(entries), includeDeprecated: true };
  }

  #add(values: number): void {
    this.#values += values;
    if (this.#values <= this.#max) return;
    throw new RequestError(
      'node-limit-exceeded',
      'the operation selects too much of the schema; select fewer fields below lists',
    );
  }
}

const META_FIELDS = new Map(
  [SchemaMetaFieldDef, TypeMetaFieldDef].map((field) => [field.name, field]),
);

function listOf(value: unknown): readonly unknown[] {
  if (value === null || value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}
