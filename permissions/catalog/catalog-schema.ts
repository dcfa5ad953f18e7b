import { type Static, Type } from 'typebox';
import type { CatalogData } from './types.ts';

const closed = { additionalProperties: false };
const oid = Type.Integer({ minimum: 0, maximum: 4294967295 });
const text = Type.String();
const names = Type.Array(text);
const nullable = Type.Union([text, Type.Null()]);
const boolean = Type.Boolean();

const type = Type.Object(
  {
    oid,
    schema: text,
    name: text,
    kind: Type.Enum(['b', 'c', 'd', 'e', 'p', 'r', 'm']),
    element: oid,
    array: oid,
    base: oid,
    labels: Type.Union([names, Type.Null()]),
  },
  closed,
);

const operator = Type.Object(
  { schema: text, symbol: text, left: oid, right: oid, leakproof: boolean },
  closed,
);

const column = Type.Object(
  {
    name: text,
    type: oid,
    notNull: boolean,
    hasDefault: boolean,
    demanded: boolean,
    generated: boolean,
    computed: boolean,
    virtual: boolean,
    collation: nullable,
    nondeterministic: boolean,
    oddCase: boolean,
    reshaped: boolean,
    comment: nullable,
  },
  closed,
);

const foreignKey = Type.Object(
  {
    name: text,
    columns: names,
    table: text,
    remoteColumns: names,
    validated: boolean,
    period: boolean,
    onDelete: text,
    onUpdate: text,
  },
  closed,
);

const uniqueConstraint = Type.Object(
  { name: text, columns: names, nullsDistinct: boolean },
  closed,
);

const view = Type.Object(
  {
    invoker: boolean,
    insertable: boolean,
    updatable: boolean,
    deletable: boolean,
    reads: Type.Array(Type.Object({ table: text, columns: names }, closed)),
  },
  closed,
);

const table = Type.Object(
  {
    oid,
    schema: text,
    name: text,
    kind: Type.Enum(['r', 'p', 'v', 'm', 'f']),
    comment: nullable,
    columns: Type.Array(column),
    primaryKey: names,
    uniques: Type.Array(names),
    uniqueConstraints: Type.Array(uniqueConstraint),
    hasInsertTriggers: boolean,
    hasUpdateTriggers: boolean,
    indexed: names,
    foreignKeys: Type.Array(foreignKey),
    partitionKey: names,
    sequences: Type.Array(Type.Object({ schema: text, name: text }, closed)),
    descendants: names,
    view: Type.Union([view, Type.Null()]),
  },
  closed,
);

const argument = Type.Object(
  {
    name: text,
    type: oid,
    mode: Type.Enum(['i', 'o', 'b', 'v', 't']),
    hasDefault: boolean,
    default: nullable,
  },
  closed,
);

const aFunction = Type.Object(
  {
    schema: text,
    name: text,
    comment: nullable,
    volatility: Type.Enum(['i', 's', 'v']),
    arguments: Type.Array(argument),
    result: oid,
    returnsSet: boolean,
    definer: boolean,
    pinned: boolean,
    views: Type.Union([names, Type.Null()]),
    headers: names,
  },
  closed,
);

/**
 * Version of the format of catalog files. Files of any other version are refused, because they lack facts that rules
 * need (version 8, for example, had no collations).
 */
export const catalogVersion = 9;

/** A catalog file describes what a database holds, so that checks can run without a database. */
export const catalogFileSchema = Type.Object(
  {
    format: Type.Literal('rowgate-catalog'),
    version: Type.Literal(catalogVersion),
    serverVersion: Type.Integer(),
    database: text,
    types: Type.Array(type),
    operators: Type.Array(operator),
    coercions: Type.Array(Type.Object({ from: oid, to: oid }, closed)),
    tables: Type.Array(table),
    functions: Type.Array(aFunction),
  },
  closed,
);

type Same<A, B> = A extends B ? (B extends A ? true : never) : never;
type Written = Omit<Static<typeof catalogFileSchema>, 'format' | 'version'>;
/** Compilation fails unless the schema of the file has exactly the members of CatalogData. */
export const holdsCatalogData: Same<keyof Written, keyof CatalogData> &
  (Written extends CatalogData ? true : never) = true;
