import type { PgCodec } from 'postgraphile/@dataplan/pg';
import { type SQL, sql } from 'postgraphile/pg-sql2';
import type { TypeName } from '../../../../permissions/index.ts';
import { textCodec } from './text-codec.ts';

/** A column's type underneath its domains. */
export interface ColumnType {
  readonly schema: string;
  /** As in pg_type: `int4`, `_text`, `citext`. */
  readonly name: string;
  /** How it is written in a cast. */
  readonly sqlType: SQL;
  /** Of an array type. */
  readonly element: ColumnType | undefined;
  /** Of an enum. */
  readonly labels: readonly string[] | undefined;
  readonly isComposite: boolean;
  readonly codec: PgCodec;
}

/** Reads a codec of PostGraphile's registry. */
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

/** The array type over a type that no column has an array of. */
export function arrayOf(element: ColumnType): ColumnType {
  const { schema, name, sqlType, codec } = element;
  const array = { schema, name: `_${name}`, sqlType: sql`${sqlType}[]`, element, codec };
  return { ...array, labels: undefined, isComposite: false };
}

/** Codecs of pg_catalog bear the internal name; all others say where they come from. */
export function nameOf(codec: PgCodec): { readonly schema: string; readonly name: string } {
  const pg = codec.extensions?.pg;
  return pg ? { schema: pg.schemaName, name: pg.name } : { schema: 'pg_catalog', name: codec.name };
}

function labelsOf(codec: PgCodec): readonly string[] | undefined {
  const values = 'values' in codec ? codec.values : undefined;
  return Array.isArray(values) ? values.map(({ value }) => String(value)) : undefined;
}

/** A type of which only the name is known, and the labels of an enum: its values are texts. */
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
