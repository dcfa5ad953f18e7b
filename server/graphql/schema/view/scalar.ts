import { type EnumValue, graphqlName } from '../../../../permissions/index.ts';
import { type ColumnType, columnTypeOf } from '../registry/column-type.ts';
import type { EnumType } from '../registry/enum-types.ts';

/** What a client may write for a value of a scalar. */
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

/** A column's type as GraphQL sees it. */
export interface Scalar {
  /** `Int`, `uuid` …; of the element for an array column. */
  readonly name: string;
  readonly rule: ScalarRule;
  /** Of an enum. */
  readonly labels: readonly string[] | undefined;
  /** Of a composite type, in its order. */
  readonly members: Members | undefined;
  readonly isArray: boolean;
  /** Of an enum table whose values it holds: GraphQL has an enum for it. */
  readonly values: readonly EnumValue[] | undefined;
  readonly type: ColumnType;
}

/** The fields of a composite type by name. Recursion is not possible: Postgres has no type that holds itself. */
export type Members = ReadonlyMap<string, Scalar>;

/** Names that differ from pg_type's. */
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

/** Of extensions. */
const OWN_RULES: ReadonlyMap<string, ScalarRule> = new Map([
  ['hstore', 'hstore'],
  ['ltree', 'ltree'],
]);

/** Types whose values need more digits than a JavaScript number keeps. */
const EXACT: ReadonlySet<string> = new Set(['int8', 'numeric', 'float8']);

/** Types that lack equality or an order. */
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

/** Describes a column type; `taken` are names of other types, which scalars of the database's own must not use. */
export function scalarOf(type: ColumnType, taken: ReadonlySet<string>): Scalar {
  if (type.element) return { ...scalarOf(type.element, taken), isArray: true, type };
  const builtin = isBuiltin(type);
  const known = builtin ? NAMES.get(type.name) : undefined;
  const plain = graphqlName(known ?? type.name);
  return {
    name: known === undefined && taken.has(plain) ? `${plain}_scalar` : plain,
    rule: ruleOf(type),
    labels: type.labels,
    members: type.isComposite ? membersOf(type, taken) : undefined,
    isArray: false,
    values: undefined,
    type,
  };
}

function membersOf({ codec }: ColumnType, taken: ReadonlySet<string>): Members {
  const attributes = Object.entries(codec.attributes ?? {});
  return new Map(attributes.map(([name, one]) => [name, scalarOf(columnTypeOf(one.codec), taken)]));
}

/** The same of a column that holds values of an enum table. */
export function enumScalar(scalar: Scalar, { name, values }: EnumType): Scalar {
  return { ...scalar, name, values };
}

function ruleOf(type: ColumnType): ScalarRule {
  if (type.labels) return 'label';
  if (isBuiltin(type)) return RULES.get(type.name) ?? 'any';
  if (type.isComposite) return 'record';
  return OWN_RULES.get(type.name) ?? 'any';
}

/** Whether values go out as strings where numbers are to be strings. */
export function isExact(type: ColumnType): boolean {
  return type.element ? isExact(type.element) : isBuiltin(type) && EXACT.has(type.name);
}

/** Whether Postgres can compare and order values: composite ones by all that they hold. */
export function isComparable(type: ColumnType): boolean {
  if (type.element) return isComparable(type.element);
  const attributes = Object.values(type.codec.attributes ?? {});
  if (!attributes.every(({ codec }) => isComparable(columnTypeOf(codec)))) return false;
  return !(isBuiltin(type) && UNCOMPARABLE.has(type.name));
}

/** Whether the type belongs to Postgres itself. */
export function isBuiltin(type: ColumnType): boolean {
  return type.schema === 'pg_catalog';
}
