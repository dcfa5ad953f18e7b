import pg from 'pg';
import type { Model, TypeName } from '../../permissions/index.ts';

/**
 * Triggers and functions are often written as if everything were in `public`, and PostGraphile finds the types and
 * operators of Postgres extensions by their bare names. Looking through these schemas is safe where no other login
 * can create objects there: RG_SCHEMA_WRITABLE covers the schemas of all tables and of the types of their columns.
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

/** Where operators of a type stand; those of enums are Postgres's own. */
function schemaOf(type: TypeName): string {
  if (type.element) return schemaOf(type.element);
  return type.labels ? 'pg_catalog' : type.schema;
}
