import { graphqlName } from '../../../permissions/index.ts';
import type { ColumnType } from '../registry/column-type.ts';

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
  | 'any';

/** A column's type as GraphQL sees it. */
export interface Scalar {
  /** `Int`, `uuid` …; of the element for an array column. */
  readonly name: string;
  readonly rule: ScalarRule;
  /** Of an enum. */
  readonly labels: readonly string[] | undefined;
  readonly isArray: boolean;
  readonly type: ColumnType;
}

/** Names that differ from pg_type's. */
const NAMES: Readonly<Record<string, string>> = {
  int2: 'smallint',
  int4: 'Int',
  int8: 'bigint',
  float4: 'Float',
  bool: 'Boolean',
  text: 'String',
  varchar: 'String',
};

const RULES: Readonly<Record<string, ScalarRule>> = {
  int4: 'integer',
  int2: 'number',
  int8: 'number',
  float4: 'float',
  float8: 'number',
  numeric: 'number',
  bool: 'boolean',
  text: 'string',
  varchar: 'string',
  json: 'json',
  jsonb: 'json',
};

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
  const known = builtin ? NAMES[type.name] : undefined;
  const plain = graphqlName(known ?? type.name);
  return {
    name: known === undefined && taken.has(plain) ? `${plain}_scalar` : plain,
    rule: ruleOf(type),
    labels: type.labels,
    isArray: false,
    type,
  };
}

function ruleOf(type: ColumnType): ScalarRule {
  if (type.labels) return 'label';
  if (isBuiltin(type)) return RULES[type.name] ?? 'any';
  return type.name === 'ltree' ? 'ltree' : 'any';
}

/** Whether values go out as strings where numbers are to be strings. */
export function isExact(type: ColumnType): boolean {
  return type.element ? isExact(type.element) : isBuiltin(type) && EXACT.has(type.name);
}

/** Whether Postgres can compare and order values. */
export function isComparable(type: ColumnType): boolean {
  if (type.element) return isComparable(type.element);
  return !(isBuiltin(type) && UNCOMPARABLE.has(type.name));
}

/** Whether the type belongs to Postgres itself. */
export function isBuiltin(type: ColumnType): boolean {
  return type.schema === 'pg_catalog';
}
