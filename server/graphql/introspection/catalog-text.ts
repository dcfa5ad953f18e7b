import {
  buildASTSchema,
  type GraphQLArgument,
  type GraphQLFieldConfigArgumentMap,
  type GraphQLFieldConfigMap,
  type GraphQLNamedType,
  GraphQLObjectType,
  isObjectType,
  parse,
  printType,
} from 'postgraphile/graphql';
import type { ExtensionCatalog, ExtensionRootField } from '../schema/view/extension-catalog.ts';
import { ownFields } from '../schema/view/extension-view.ts';

type RootFields = ReadonlyMap<string, ExtensionRootField>;
type RootFieldsText = ReadonlyMap<string, Omit<ExtensionRootField, 'field'>>;

/** A catalog of extensions as data, which can be sent to a thread. The types are a text in the SDL. */
export interface CatalogText extends Omit<ExtensionCatalog, 'types' | 'queries' | 'mutations'> {
  readonly sdl: string;
  readonly queries: RootFieldsText;
  readonly mutations: RootFieldsText;
}

// Names that no plugin may give to a type, because GraphQL reserves them.
const ROOTS = { queries: '__ExtensionQuery', mutations: '__ExtensionMutation' } as const;

/** Writes a catalog as data. */
export function writeCatalog(catalog: ExtensionCatalog): CatalogText {
  const { types, queries, mutations, ...rest } = catalog;
  const printed = [
    ...[...types.values()].map((type) => withoutReplaced(catalog, type)),
    rootType(ROOTS.queries, queries),
    rootType(ROOTS.mutations, mutations),
  ];
  return {
    ...rest,
    sdl: printed.map(printType).join('\n'),
    queries: withoutField(queries),
    mutations: withoutField(mutations),
  };
}

/** Makes a catalog of its data. The types have no resolvers; they only describe. */
export function readCatalog({ sdl, queries, mutations, ...rest }: CatalogText): ExtensionCatalog {
  const schema = buildASTSchema(parse(sdl), { assumeValid: true, assumeValidSDL: true });
  const roots: ReadonlySet<string> = new Set(Object.values(ROOTS));
  const types = Object.values(schema.getTypeMap()).filter(
    ({ name }) => !roots.has(name) && !name.startsWith('__'),
  );
  const withField = (name: string, fields: RootFieldsText): RootFields => {
    const type = schema.getType(name);
    const known = isObjectType(type) ? type.getFields() : {};
    const entries = [...fields].flatMap(([key, one]) => {
      const field = known[key];
      return field ? [[key, { ...one, field }] as const] : [];
    });
    return new Map(entries);
  };
  return {
    ...rest,
    types: new Map(types.map((type) => [type.name, type])),
    queries: withField(ROOTS.queries, queries),
    mutations: withField(ROOTS.mutations, mutations),
  };
}

function withoutField(fields: RootFields): RootFieldsText {
  return new Map([...fields].map(([name, { field: _, ...rest }]) => [name, rest]));
}

function rootType(name: string, fields: RootFields): GraphQLObjectType {
  const own = [...fields].map(([key, { field }]) => [key, field] as const);
  return new GraphQLObjectType({ name, fields: configOf(own) });
}

/** Leaves out the fields whose types are not in the catalog, because a relationship replaces them. */
function withoutReplaced(catalog: ExtensionCatalog, type: GraphQLNamedType): GraphQLNamedType {
  if (!isObjectType(type)) return type;
  const own = ownFields(catalog, type).map((field) => [field.name, field] as const);
  const { name, description } = type;
  return new GraphQLObjectType({ name, description, fields: configOf(own) });
}

function configOf(
  fields: readonly (readonly [string, ExtensionRootField['field']])[],
): GraphQLFieldConfigMap<unknown, unknown> {
  const entries = fields.map(([name, { type, args, description, deprecationReason }]) => [
    name,
    { type, args: argumentsOf(args), description, deprecationReason },
  ]);
  return Object.fromEntries(entries);
}

function argumentsOf(args: readonly GraphQLArgument[]): GraphQLFieldConfigArgumentMap {
  const entries = args.map(({ name, type, description, defaultValue, deprecationReason }) => [
    name,
    { type, description, defaultValue, deprecationReason },
  ]);
  return Object.fromEntries(entries);
}
