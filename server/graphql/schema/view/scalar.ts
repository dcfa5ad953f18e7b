import type { EnumValue } from '../../../../permissions/index.ts';
import { graphqlName } from '../../../../permissions/role-view.ts';
import type { ColumnType } from '../registry/column-type.ts';
import type { EnumType } from '../registry/enum-types.ts';

/** The kind of input that a client may write for a value of a scalar. */
export type ScalarRule =
  | 'integer'
  | 'float'
  | 'number'
  | 'boolean'
  | 'string'
  | 'json'
  | 'label'
  | 'ltree'
  | 'record'
  | 'hstore'
  | 'any';

/** The type of a column in GraphQL. */
export interface Scalar {
  /** Name in GraphQL such as `Int` or `uuid`; for an array column, the name of the element type. */
  readonly name: string;
  readonly rule: ScalarRule;
  /** Labels of an enum type. */
  readonly labels: readonly string[] | undefined;
  /** Fields of a composite type, in their order in Postgres. */
  readonly members: Members | undefined;
  readonly isArray: boolean;
  /** Values of the enum table that the column refers to. GraphQL has an enum for them. */
  readonly values: readonly EnumValue[] | undefined;
  readonly type: ColumnType;
}

/** The fields of a composite type by name. Recursion is impossible: in Postgres, no composite type contains itself. */
export type Members = ReadonlyMap<string, Scalar>;

/** GraphQL names that differ from the names in pg_type. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['int2', 'smallint'],
  ['int4', 'Int'],
  ['int8', 'bigint'],
  ['float4', 'Float'],
  ['bool', 'Boolean'],
  ['text', 'String'],
  ['varchar', 'String'],
]);

const RULES: ReadonlyMap<string, ScalarRule> = new Map([
  ['int4', 'integer'],
  ['int2', 'number'],
  ['int8', 'number'],
  ['float4', 'float'],
  ['float8', 'number'],
  ['numeric', 'number'],
  ['bool', 'boolean'],
  ['text', 'string'],
  ['varchar', 'string'],
  ['json', 'json'],
  ['jsonb', 'json'],
]);

/** Rules for types of extensions. */
const OWN_RULES: ReadonlyMap<string, ScalarRule> = new Map([
  ['hstore', 'hstore'],
  ['ltree', 'ltree'],
]);

/** Types with values that a JavaScript number cannot represent exactly. */
const EXACT: ReadonlySet<string> = new Set(['int8', 'numeric', 'float8']);

/** Types without an equality operator or without an order. */
const UNCOMPARABLE: ReadonlySet<string> = new Set([
  'aclitem',
  'cid',
  'jsonpath',
  'refcursor',
  'txid_snapshot',
  'xid',
  'json',
  'xml',
  'point',
  'line',
  'lseg',
  'box',
  'path',
  'polygon',
  'circle',
]);

/**
 * Describes a column type. `taken` are the names of other GraphQL types, which scalars for database types must not use.
 */
export function scalarOf(type: ColumnType, taken: ReadonlySet<string>): Scalar {
  if (type.element) return { ...scalarOf(type.element, taken), isArray: true, type };
  const builtin = isBuiltin(type);
  const known = builtin ? NAMES.get(type.name) : undefined;
  const plain = graphqlName(known ?? type.name);
  return {
    name: known === undefined && taken.has(plain) ? `${plain}_scalar` : plain,
    rule: ruleOf(type),
    labels: type.labels,
    members: type.attributes && membersOf(type.attributes, taken),
    isArray: false,
    values: undefined,
    type,
  };
}

function membersOf(
  attributes: ReadonlyMap<string, ColumnType>,
  taken: ReadonlySet<string>,
): Members {
  return new Map([...attributes].map(([name, type]) => [name, scalarOf(type, taken)]));
}

/** Describes a column that refers to an enum table. */
export function enumScalar(scalar: Scalar, { name, values }: EnumType): Scalar {
  return { ...scalar, name, values };
}

function ruleOf(type: ColumnType): ScalarRule {
  if (type.labels) return 'label';
  if (isBuiltin(type)) return RULES.get(type.name) ?? 'any';
  if (type.attributes) return 'record';
  return OWN_RULES.get(type.name) ?? 'any';
}

/** Returns true if values of the type are sent as strings when `stringifyNumericTypes` is set. */
export function isExact(type: ColumnType): boolean {
  return type.element ? isExact(type.element) : isBuiltin(type) && EXACT.has(type.name);
}

/**
 * Returns true if Postgres can compare and order the values. A composite type is comparable only if all of its fields
 * are.
 */
export function isComparable(type: ColumnType): boolean {
  if (type.element) return isComparable(type.element);
  if (![...(type.attributes?.values() ?? [])].every(isComparable)) return false;
  return !(isBuiltin(type) && UNCOMPARABLE.has(type.name));
}

/** Returns true if the type belongs to Postgres itself. */
export function isBuiltin(type: ColumnType): boolean {
  return type.schema === 'pg_catalog';
}
