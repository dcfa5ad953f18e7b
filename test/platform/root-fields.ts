import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';

/** A root field of a table, and the variables of its query. */
export interface RootField {
  readonly name: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

type Row = Readonly<Record<string, unknown>>;

/** Returns an operation with one root field, the given arguments and every selectable field. */
export function documentOf(schema: GraphQLSchema, { name, variables }: RootField): string {
  const query = schema.getQueryType()?.getFields()[name];
  const field = query ?? schema.getMutationType()?.getFields()[name];
  if (field === undefined) throw new Error(`there is no root field ${name}`);
  const types = new Map(field.args.map((one) => [one.name, String(one.type)]));
  const given = Object.keys(variables);
  const declared = given.map((one) => `$${one}: ${types.get(one)}`).join(', ');
  const passed = given.map((one) => `${one}: $${one}`).join(', ');
  const head = query === undefined ? 'mutation' : 'query';
  const call = given.length === 0 ? name : `${name}(${passed})`;
  const operation = given.length === 0 ? head : `${head} (${declared})`;
  return `${operation} { result: ${call} ${selectionOf(field, depthOf(name))} }`;
}

/**
 * Lists also select related rows, and aggregates select related rows of their nodes. Other root fields select only the
 * columns of the row.
 */
function depthOf(name: string): number {
  if (name.endsWith('_aggregate')) return 2;
  return /_(by_pk|one)$/.test(name) ? 0 : 1;
}

function selectionOf(field: GraphQLField<unknown, unknown>, depth: number): string {
  const type = getNamedType(field.type);
  if (!isObjectType(type)) return '';
  const parts = fieldsOf(type).flatMap((one) => {
    if (isLeafType(getNamedType(one.type))) return one.name;
    const below = depth === 0 ? '' : selectionOf(one, depth - 1);
    return below === '' ? [] : `${one.name} ${below}`;
  });
  return parts.length === 0 ? '' : `{ ${parts.join(' ')} }`;
}

function fieldsOf(type: GraphQLObjectType): readonly GraphQLField<unknown, unknown>[] {
  return Object.values(type.getFields()).filter((field) => !field.args.some(isRequiredArgument));
}

/** Returns the columns of a table. The admin role reads all of them. */
export function columnsOf(schema: GraphQLSchema, table: string): readonly string[] {
  const type = schema.getType(table);
  if (!isObjectType(type)) throw new Error(`there is no table ${table}`);
  return fieldsOf(type)
    .filter((field) => isLeafType(getNamedType(field.type)))
    .map((field) => field.name);
}

/** Returns the columns of a row that an input object accepts. */
export function valuesFor(schema: GraphQLSchema, input: string, row: Row): Row {
  const type: GraphQLNamedType | undefined = schema.getType(input);
  if (!isInputObjectType(type)) throw new Error(`there is no input ${input}`);
  const taken = type.getFields();
  return Object.fromEntries(Object.entries(row).filter(([name]) => name in taken));
}

/** Returns the key of a row, as arguments of a root field. */
export function keyOf(schema: GraphQLSchema, table: string, row: Row): Row {
  const field = schema.getQueryType()?.getFields()[`${table}_by_pk`];
  if (field === undefined) throw new Error(`${table} has no key`);
  return Object.fromEntries(field.args.map(({ name }) => [name, row[name]]));
}

/** Returns the condition that finds the row with a key. */
export function whereKey(key: Row): Record<string, unknown> {
  return Object.fromEntries(Object.entries(key).map(([name, value]) => [name, { _eq: value }]));
}
