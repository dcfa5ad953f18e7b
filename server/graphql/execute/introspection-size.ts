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

/** Objects that an answer shows, and how often each: far fewer than the places where they are shown. */
type Shown = ReadonlyMap<unknown, number>;

/** How many times as many values as the usual query for everything has may be asked for. */
const SLACK = 2;
/** What may be asked for even of a small schema. */
const LEAST = 20_000;

const everything = parse(
  getIntrospectionQuery({
    ...{ specifiedByUrl: true, directiveIsRepeatable: true, schemaDescription: true },
    ...{ inputValueDeprecation: true, oneOf: true },
  }),
  { noLocation: true },
);

const maxOf = new WeakMap<GraphQLSchema, number>();

/**
 * Refuses introspection whose answer would have more than twice as many values as the usual query for everything: what
 * repeats fields below lists of lists, and would occupy the process. @throws RequestError
 */
export function checkIntrospectionSize(
  schema: GraphQLSchema,
  document: DocumentNode,
  variables: Variables,
): void {
  const max = maxOf.get(schema) ?? Math.max(LEAST, SLACK * sizeOfEverything(schema));
  maxOf.set(schema, max);
  new Introspection(schema, document, variables, max).count();
}

function sizeOfEverything(schema: GraphQLSchema): number {
  return new Introspection(schema, everything, new Map(), Number.POSITIVE_INFINITY).count();
}

/** One document, and the values that its answer has, counted without answering it. */
class Introspection {
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

  /** @throws RequestError where there are too many */
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
    // All that fields of introspection read of it.
    const info = { schema: this.#schema } as GraphQLResolveInfo;
    const found = new Map<unknown, number>();
    for (const [object, times] of shown) {
      for (const one of listOf(field.resolve(object, args, undefined, info))) {
        found.set(one, (found.get(one) ?? 0) + times);
      }
    }
    this.#countBelow(selectionSet, below, found);
  }

  /** Those that are given, and more than that: what is deprecated, too. */
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
      'the operation asks for too much of the schema; select fewer fields below lists',
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
