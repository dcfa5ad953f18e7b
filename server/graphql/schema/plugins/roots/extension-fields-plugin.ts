import type {} from 'postgraphile/graphile-build';
import {
  astFromValue,
  type GraphQLArgument,
  type GraphQLEnumType,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigMap,
  type GraphQLInputField,
  type GraphQLInputFieldConfig,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLList,
  type GraphQLNamedType,
  GraphQLNonNull,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isSpecifiedScalarType,
  valueFromASTUntyped,
} from 'postgraphile/graphql';
import { type ExtensionRootField, furtherScalars } from '../../view/extension-catalog.ts';
import {
  type ExtensionRelationshipView,
  type ExtensionView,
  ownFields,
} from '../../view/extension-view.ts';
import { makePart, noFields, type RootFields } from '../dialect-part.ts';
import { type Dialect, listOf } from '../dialect-plugin.ts';
import { listArguments } from '../list-arguments.ts';
import { scalarConfig } from '../scalar-types-plugin.ts';

/** Adds root fields of extensions with their types, and relationships from these types to tables. */
export const extensionFieldsPart = makePart(
  'ExtensionFieldsPlugin',
  {
    types(build) {
      const { extensions } = build.rowgate.view;
      if (!extensions) return;
      for (const type of typesOf(extensions)) register(build, extensions, type);
      registerFurther(build, extensions);
    },
    roots: (dialect) => {
      const { extensions } = dialect.view;
      if (!extensions) return { query: noFields, mutation: noFields };
      const { queries, mutations } = extensions;
      return {
        query: copyFields(dialect, extensions, queries, 'Query'),
        mutation: copyFields(dialect, extensions, mutations, 'Mutation'),
      };
    },
  },
  ['FunctionFieldsPlugin', 'RootFieldsPlugin', 'MutationFieldsPlugin'],
);

function copyFields(
  dialect: Dialect,
  extensions: ExtensionView,
  own: ExtensionView['queries'],
  root: string,
): RootFields {
  const copied = [...own].map(
    ([name, { field }]) =>
      [name, () => copyField(dialect, extensions, field, `${root}.${name}`)] as const,
  );
  return new Map(copied);
}

/** Returns all types that the role can reach from the root fields of extensions. */
function typesOf({ queries, mutations, catalog }: ExtensionView): ReadonlySet<GraphQLNamedType> {
  const found = new Set<GraphQLNamedType>();
  const add = (type: GraphQLInputType | GraphQLOutputType) => {
    const named = catalog.types.get(getNamedType(type).name);
    if (named) found.add(named);
  };
  const addField = ({ type, args }: ExtensionRootField['field']) => {
    add(type);
    for (const argument of args) add(argument.type);
  };
  for (const { field } of [...queries.values(), ...mutations.values()]) addField(field);
  // The loop also visits types that it adds itself to the Set.
  for (const type of found) {
    if (isObjectType(type)) for (const field of ownFields(catalog, type)) addField(field);
    if (isInputObjectType(type))
      for (const { type: of } of Object.values(type.getFields())) add(of);
  }
  return found;
}

function register(build: GraphileBuild.Build, extensions: ExtensionView, type: GraphQLNamedType) {
  const { rowgate: dialect } = build;
  const name = nameIn(extensions, type);
  const described = type.description ? { description: type.description } : {};
  // A scalar of Hasura may already exist, because a column has its type.
  if (isSpecifiedScalarType(type) || build.getTypeMetaByName(name)) return;
  if (isObjectType(type)) {
    const fields = () => objectFields(dialect, extensions, type);
    build.registerObjectType(name, {}, () => ({ ...described, fields }), name);
  } else if (isInputObjectType(type)) {
    const { isOneOf = false } = type;
    const fields = () => inputFields(dialect, extensions, type);
    build.registerInputObjectType(name, {}, () => ({ ...described, fields, isOneOf }), name);
  } else if (isEnumType(type)) {
    const values = enumValues(type);
    build.registerEnumType(name, {}, () => ({ ...described, values }), name);
  } else {
    // Rowgate does not check values of a plugin's scalar, because only the plugin knows its valid values.
    const rule = extensions.catalog.scalars.get(type.name)?.rule ?? 'json';
    const config = scalarConfig({ rule, labels: undefined, members: undefined });
    build.registerScalarType(name, {}, () => ({ ...described, ...config }), name);
  }
}

function registerFurther(build: GraphileBuild.Build, { catalog }: ExtensionView) {
  for (const name of new Set(catalog.scalarNames.values())) {
    if (build.getTypeMetaByName(name)) continue;
    const rule = furtherScalars[name]?.rule ?? 'any';
    const config = () => scalarConfig({ rule, labels: undefined, members: undefined });
    build.registerScalarType(name, {}, config, name);
  }
}

/**
 * Returns the name in this schema of a type from PostGraphile's own schema.
 * @param coordinate schema coordinate of the place that uses the type
 */
function nameIn(
  { catalog }: ExtensionView,
  { name }: GraphQLNamedType,
  coordinate?: string,
): string {
  return catalog.scalarNames.get(coordinate ?? '') ?? catalog.scalars.get(name)?.name ?? name;
}

function enumValues(type: GraphQLEnumType) {
  return Object.fromEntries(
    type.getValues().map(({ name, description, deprecationReason }) => [
      name,
      {
        value: name,
        ...(description && { description }),
        ...(deprecationReason && { deprecationReason }),
      },
    ]),
  );
}

type Fields = GraphQLFieldConfigMap<unknown, unknown>;

function objectFields(
  dialect: Dialect,
  extensions: ExtensionView,
  type: GraphQLObjectType,
): Fields {
  const own = ownFields(extensions.catalog, type).map((field) => [
    field.name,
    copyField(dialect, extensions, field, `${type.name}.${field.name}`),
  ]);
  const related = [...(extensions.relationships.get(type.name)?.values() ?? [])].map((one) => [
    one.name,
    relationshipField(dialect, one),
  ]);
  return { ...Object.fromEntries(own), ...Object.fromEntries(related) };
}

function relationshipField(
  dialect: Dialect,
  { kind, table, description }: ExtensionRelationshipView,
): Fields[string] {
  const row = dialect.output(table.name);
  const described = { description: description ?? null };
  if (kind === 'object') return { type: row, ...described };
  const type = new GraphQLNonNull(listOf(row));
  return { type, args: listArguments(dialect, table), ...described };
}

function copyField(
  dialect: Dialect,
  extensions: ExtensionView,
  field: ExtensionRootField['field'],
  coordinate: string,
): GraphQLFieldConfig<unknown, unknown> {
  const output = (type: GraphQLNamedType) => dialect.output(nameIn(extensions, type, coordinate));
  const args = field.args.map((one) => [
    one.name,
    copyInput(dialect, extensions, one, `${coordinate}(${one.name}:)`),
  ]);
  return {
    type: copyType(field.type, output) as GraphQLOutputType,
    args: Object.fromEntries(args),
    description: field.description ?? null,
    deprecationReason: field.deprecationReason ?? null,
  };
}

function inputFields(dialect: Dialect, extensions: ExtensionView, type: GraphQLInputObjectType) {
  const fields = Object.values(type.getFields());
  return Object.fromEntries(
    fields.map((one) => [
      one.name,
      copyInput(dialect, extensions, one, `${type.name}.${one.name}`),
    ]),
  );
}

function copyInput(
  dialect: Dialect,
  extensions: ExtensionView,
  input: GraphQLArgument | GraphQLInputField,
  coordinate: string,
): GraphQLInputFieldConfig {
  const { description, deprecationReason, defaultValue } = input;
  // The default is converted to a value of a document and back, because the two schemas have different type objects,
  // and the internal value of an enum can differ from its name.
  const written = defaultValue === undefined ? undefined : astFromValue(defaultValue, input.type);
  const found = (type: GraphQLNamedType) => dialect.input(nameIn(extensions, type, coordinate));
  return {
    type: copyType(input.type, found) as GraphQLInputType,
    description: description ?? null,
    deprecationReason: deprecationReason ?? null,
    ...(written && { defaultValue: valueFromASTUntyped(written) }),
  };
}

function copyType(type: GraphQLType, named: (type: GraphQLNamedType) => GraphQLType): GraphQLType {
  if (isNonNullType(type)) return new GraphQLNonNull(copyType(type.ofType, named) as never);
  if (isListType(type)) return new GraphQLList(copyType(type.ofType, named));
  return named(type as GraphQLNamedType);
}
