import type { PgCodec } from 'postgraphile/@dataplan/pg';
import { type SQL, sql } from 'postgraphile/pg-sql2';
import type { TypeName } from '../../../../permissions/index.ts';
import { textCodec } from './text-codec.ts';

/** The type of a column, without its domains. */
export interface ColumnType {
  readonly schema: string;
  /** Name in pg_type: `int4`, `_text`, `citext`. */
  readonly name: string;
  /** The type as SQL, for casts. */
  readonly sqlType: SQL;
  /** Element type of an array type. */
  readonly element: ColumnType | undefined;
  /** Labels of an enum type. */
  readonly labels: readonly string[] | undefined;
  readonly isComposite: boolean;
  readonly codec: PgCodec;
}

/** Makes a column type from a codec, PostGraphile's description of a type of Postgres. */
export function columnTypeOf(codec: PgCodec): ColumnType {
  if (codec.domainOfCodec) return columnTypeOf(codec.domainOfCodec);
  const element = codec.arrayOfCodec && columnTypeOf(codec.arrayOfCodec);
  const { schema, name } = nameOf(codec);
  return {
    schema,
    name: element ? `_${element.name}` : name,
    sqlType: element ? sql`${element.sqlType}[]` : sql.identifier(schema, name),
    element,
    labels: labelsOf(codec),
    isComposite: codec.attributes !== undefined,
    codec,
  };
}

/** Makes the array type of a type when no column has that array type. */
export function arrayOf(element: ColumnType): ColumnType {
  const { schema, name, sqlType, codec } = element;
  const array = { schema, name: `_${name}`, sqlType: sql`${sqlType}[]`, element, codec };
  return { ...array, labels: undefined, isComposite: false };
}

/**
 * Returns schema and name of a codec's type. A codec without a schema belongs to pg_catalog, and its name is the
 * internal name of the type.
 */
export function nameOf(codec: PgCodec): { readonly schema: string; readonly name: string } {
  const pg = codec.extensions?.pg;
  return pg ? { schema: pg.schemaName, name: pg.name } : { schema: 'pg_catalog', name: codec.name };
}

function labelsOf(codec: PgCodec): readonly string[] | undefined {
  const values = 'values' in codec ? codec.values : undefined;
  return Array.isArray(values) ? values.map(({ value }) => String(value)) : undefined;
}

/** Makes a type from its name and, for an enum, its labels. Its values are handled as texts. */
export function plainType({ schema, name, labels }: TypeName): ColumnType {
  const codec = textCodec('main', {
    oid: '0',
    typname: name,
    typtype: null,
    typcategory: null,
    getNamespace: () => ({ nspname: schema }),
  });
  return { ...columnTypeOf(codec), schema, name, labels };
}
