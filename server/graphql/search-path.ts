import pg from 'pg';
import type { Model, TypeName } from '../../permissions/index.ts';

/**
 * Returns the search path of requests. Triggers and functions often rely on `public`, and PostGraphile uses unqualified
 * names for types and operators of Postgres extensions. The path is safe only if no other login can create objects in
 * these schemas. The lint rule RG_SCHEMA_WRITABLE covers the schemas of all tables and of their column types.
 */
export function searchPathOf({ tables }: Model): string {
  const all = [...tables.values()];
  const types = all.flatMap(({ columns }) =>
    [...columns.values()].map(({ type }) => schemaOf(type)),
  );
  const found = new Set(types);
  const hasPublic = found.has('public') || all.some(({ schema }) => schema === 'public');
  const others = [...found].filter((name) => name !== 'pg_catalog' && name !== 'public').sort();
  const between = [
    ...(hasPublic ? ['public'] : []),
    ...others.map((name) => pg.escapeIdentifier(name)),
  ];
  return ['pg_catalog', ...between, 'pg_temp'].join(', ');
}

/** Returns the schema of a type's operators. Operators of enums are in `pg_catalog`. */
function schemaOf(type: TypeName): string {
  if (type.element) return schemaOf(type.element);
  return type.labels ? 'pg_catalog' : type.schema;
}
