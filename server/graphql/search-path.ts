import pg from 'pg';
import type { Model, TypeName } from '../../permissions/index.ts';

/**
 * Returns the search path of requests. Triggers and functions often use bare names of objects in `public`. PostGraphile
 * also finds types and operators of extensions by bare names. A schema on the path is safe only if no other login can
 * create objects in it, because such an object could be used instead of the intended one. The check RG_SCHEMA_WRITABLE
 * reports schemas of tables and column types in which another login can create objects.
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

/** Returns the schema with the operators of a type; enums use operators of Postgres itself. */
function schemaOf(type: TypeName): string {
  if (type.element) return schemaOf(type.element);
  return type.labels ? 'pg_catalog' : type.schema;
}
