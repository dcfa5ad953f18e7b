import type {} from 'postgraphile/graphile-build';
import {
  GraphQLEnumType,
  type GraphQLEnumTypeConfig,
  type GraphQLEnumValueConfigMap,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigMap,
  type GraphQLFieldMap,
  GraphQLInputObjectType,
  type GraphQLInputObjectTypeConfig,
  type GraphQLNamedType,
  GraphQLObjectType,
  type GraphQLObjectTypeConfig,
  GraphQLScalarType,
  type GraphQLScalarTypeConfig,
  GraphQLSchema,
  specifiedScalarTypes,
} from 'postgraphile/graphql';
import type { RootFields, Roots } from './plugins/dialect-part.ts';
import { dialectParts } from './plugins/dialect-parts.ts';
import { makeDialect } from './plugins/dialect-plugin.ts';
import { rootTypeNames } from './plugins/root-type-names-plugin.ts';
import type { RoleView } from './view/role-view.ts';

type Fields = GraphQLFieldConfigMap<unknown, unknown>;
type FieldMap = GraphQLFieldMap<unknown, unknown>;

const builtIn: ReadonlyMap<string, GraphQLNamedType> = new Map(
  specifiedScalarTypes.map((type) => [type.name, type]),
);

/** Number of tables above which the types of tables are not listed. Comparing a wrong name with all of them takes long. */
const MAX_LISTED_TABLES = 50;

/**
 * The schema of one role for checking documents. It has the same types as PostGraphile's schema (see `schema.ts`),
 * because the same parts define them, but makes each type and root field only when a document needs it. So the first
 * request of a role does not wait until every type is made, and unused types take no memory.
 */
export class OnDemandSchema extends GraphQLSchema {
  readonly #view: RoleView;
  readonly #definitions = new Map<string, () => GraphQLNamedType>();
  /** Names of tables whose types are defined. */
  readonly #defined = new Set<string>();
  readonly #longestTable: number;
  readonly #types = new Map<string, GraphQLNamedType>();
  /** Names of the types that belong to no table. */
  readonly #general: readonly string[];
  readonly #build: GraphileBuild.Build;
  readonly #typeMap: ReturnType<GraphQLSchema['getTypeMap']>;
  readonly #query: GraphQLObjectType | undefined;
  readonly #mutation: GraphQLObjectType | undefined;
  readonly #subscription: GraphQLObjectType | undefined;

  constructor(view: RoleView) {
    super({ assumeValid: true });
    this.#view = view;
    this.#longestTable = Math.max(0, ...[...view.tables.keys()].map(({ length }) => length));
    this.#build = this.#makeBuild();
    for (const { types } of dialectParts) types?.(this.#build);
    this.#query = this.#makeRoot(rootTypeNames.Query, 'query');
    this.#mutation = this.#makeRoot(rootTypeNames.Mutation, 'mutation');
    this.#subscription = this.#makeRoot(rootTypeNames.Subscription, 'subscription');
    this.#general = [...this.#definitions.keys(), ...this.#types.keys()];
    this.#typeMap = new Proxy<ReturnType<GraphQLSchema['getTypeMap']>>(Object.create(null), {
      get: (_, name) => (typeof name === 'string' ? this.getType(name) : undefined),
      ownKeys: () => this.#names(),
      getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
    });
  }

  override getQueryType(): GraphQLObjectType | undefined {
    return this.#query;
  }

  /** Returns undefined when the role has no mutation. */
  override getMutationType(): GraphQLObjectType | undefined {
    return this.#mutation;
  }

  /** Returns undefined when the role can subscribe to nothing. */
  override getSubscriptionType(): GraphQLObjectType | undefined {
    return this.#subscription;
  }

  override getType(name: string): GraphQLNamedType | undefined {
    return this.#find(name) ?? super.getTypeMap()[name];
  }

  /** Types by name. Looking up a name makes the type. The names serve suggestions for wrong names. */
  override getTypeMap(): ReturnType<GraphQLSchema['getTypeMap']> {
    return this.#typeMap;
  }

  #find(name: string): GraphQLNamedType | undefined {
    const known = this.#types.get(name);
    if (known) return known;
    const made = builtIn.get(name) ?? this.#definitionOf(name)?.();
    if (made) this.#types.set(name, made);
    return made;
  }

  #names(): string[] {
    if (this.#view.tables.size > MAX_LISTED_TABLES) return [...this.#general];
    for (const name of this.#view.tables.keys()) this.#defineTable(name);
    return [...new Set([...this.#definitions.keys(), ...this.#types.keys()])];
  }

  #definitionOf(name: string): (() => GraphQLNamedType) | undefined {
    // The name of a type begins with the name of its table, which may contain underscores itself. A client chooses the
    // name, so its parts longer than every table are skipped: looking up each of them takes quadratic time.
    const longest = this.#longestTable;
    let end = name.length > longest ? name.lastIndexOf('_', longest) : name.length;
    for (; end > 0; end = name.lastIndexOf('_', end - 1)) {
      this.#defineTable(name.slice(0, end));
    }
    return this.#definitions.get(name);
  }

  #defineTable(name: string): void {
    const table = this.#view.tables.get(name);
    if (!table || this.#defined.has(name)) return;
    this.#defined.add(name);
    for (const { tableTypes } of dialectParts) tableTypes?.(this.#build, table);
  }

  #makeRoot(name: string, operation: keyof Roots): GraphQLObjectType | undefined {
    const { rowgate } = this.#build;
    const fields = new Map(
      dialectParts.flatMap(({ roots }) => [...(roots?.(rowgate)[operation] ?? [])]),
    );
    if (fields.size === 0) return undefined;
    const type = new RootType(name, fields);
    this.#types.set(name, type);
    return type;
  }

  #makeBuild(): GraphileBuild.Build {
    const definer =
      <Config>(Type: new (config: Config & { readonly name: string }) => GraphQLNamedType) =>
      (name: string, _scope: object, config: () => unknown) => {
        if (this.#definitions.has(name)) throw new Error(`two types have the name ${name}`);
        const make = () => new Type({ ...sorted(config() as Config & Members), name });
        this.#definitions.set(name, make);
      };
    const find = (name: string) => {
      const type = this.#find(name);
      if (!type) throw new Error(`the GraphQL type ${name} is not registered`);
      return type;
    };
    const build = {
      rowgate: makeDialect(this.#view, find),
      registerEnumType: definer<GraphQLEnumTypeConfig>(GraphQLEnumType),
      registerInputObjectType: definer<GraphQLInputObjectTypeConfig>(GraphQLInputObjectType),
      registerObjectType: definer<GraphQLObjectTypeConfig<unknown, unknown>>(GraphQLObjectType),
      registerScalarType: definer<GraphQLScalarTypeConfig<unknown, unknown>>(GraphQLScalarType),
      getTypeMetaByName: (name: string) => builtIn.get(name) ?? this.#definitionOf(name) ?? null,
    };
    // The parts use only these members of PostGraphile's build object.
    return build as unknown as GraphileBuild.Build;
  }
}

/** A root type, which makes each field only when it is looked up. */
class RootType extends GraphQLObjectType {
  readonly #fields: FieldMap;

  constructor(name: string, definitions: RootFields) {
    super({ name, fields: {} });
    this.#fields = fieldsOnDemand(name, definitions);
  }

  override getFields(): FieldMap {
    return this.#fields;
  }
}

function fieldsOnDemand(type: string, definitions: RootFields): FieldMap {
  const made = new Map<string, FieldMap[string]>();
  const find = (name: string | symbol) => {
    if (typeof name !== 'string') return undefined;
    const field = made.get(name) ?? makeField(type, name, definitions.get(name));
    if (field) made.set(name, field);
    return field;
  };
  return new Proxy<FieldMap>(Object.create(null), {
    get: (_, name) => find(name),
    has: (_, name) => typeof name === 'string' && definitions.has(name),
    ownKeys: () => [...definitions.keys()],
    getOwnPropertyDescriptor: (_, name) => {
      const value = find(name);
      return value && { value, enumerable: true, configurable: true };
    },
  });
}

function makeField(
  type: string,
  name: string,
  make: (() => GraphQLFieldConfig<unknown, unknown>) | undefined,
): FieldMap[string] | undefined {
  // Only GraphQL's own type object turns the configuration of a field into a field.
  if (!make) return undefined;
  const fields = sortFields({ [name]: make() });
  return new GraphQLObjectType({ name: type, fields }).getFields()[name];
}

interface Members {
  readonly fields?: () => Fields;
  readonly values?: GraphQLEnumValueConfigMap;
}

/** Sorts fields, arguments and enum values. Messages list names, and report mistakes, in this order. */
function sorted<Config extends Members>(config: Config): Config {
  const { fields, values } = config;
  if (values) return { ...config, values: Object.fromEntries(inOrder(values)) };
  return fields ? { ...config, fields: () => sortFields(fields()) } : config;
}

function sortFields(fields: Fields): Fields {
  const byName = inOrder(fields).map(([name, field]) => {
    const { args } = field;
    return [name, args ? { ...field, args: Object.fromEntries(inOrder(args)) } : field];
  });
  return Object.fromEntries(byName);
}

function inOrder<T>(named: Readonly<Record<string, T>>): (readonly [string, T])[] {
  return Object.entries(named).toSorted(([a], [b]) => (a < b ? -1 : 1));
}
