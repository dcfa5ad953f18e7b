import { unsafeCharacterIn } from '../text/characters.ts';
import { maxNameBytes } from '../text/names.ts';
import { digest, type ObjectName } from '../text/object-names.ts';
import type { Model } from '../types/model.ts';
import type { TableKey } from '../types/names.ts';

/** Returns the default name of the schema that holds the views of a role for direct logins. */
export function defaultViewSchema(role: string): string {
  return fitted(`reporting_${role}`, role);
}

/** Returns the reason why a schema of views may not have this name; undefined when the name is allowed. */
export function viewSchemaProblem(name: string): string | undefined {
  if (name === '') return 'it is empty';
  const unsafe = unsafeCharacterIn(name);
  if (unsafe !== undefined) return `it holds ${unsafe}, which cannot be seen`;
  const bytes = Buffer.byteLength(name);
  if (bytes > maxNameBytes) return `it is ${bytes} bytes long, ${maxNameBytes} is the limit`;
  if (name.startsWith('pg_')) return 'it begins with pg_, which Postgres keeps for itself';
  // In a search_path, Postgres replaces this name by the name of the current role, also when it is quoted.
  if (name === '$user') return 'Postgres reads it as the name of the login';
  return undefined;
}

/**
 * Returns the names of the views through which direct logins read tables, by key of the table. A table of the schema
 * public keeps its name. Any other name begins with the schema even when nothing collides, so that names rarely pass to
 * another table when more tables are tracked. Names that still collide get a digest, except those of the schema public.
 * So a name passes when a table with it is tracked later: `app_orders` from app.orders to public.app_orders.
 */
export function loginViewNames(tables: Model['tables']): ReadonlyMap<TableKey, string> {
  const names = [...tables.values()].map((table) => [table, plainName(table)] as const);
  const count = new Map<string, number>();
  for (const [, name] of names) count.set(name, (count.get(name) ?? 0) + 1);
  return new Map(
    names.map(([table, name]) => {
      const isUnique = table.schema === 'public' || count.get(name) === 1;
      return [table.key, isUnique ? name : withDigest(name, table.key)];
    }),
  );
}

function plainName({ schema, name }: ObjectName): string {
  return schema === 'public' ? name : fitted(`${schema}_${name}`, JSON.stringify([schema, name]));
}

/** Shortens a name that Postgres would cut, so that two long names with an equal start stay different. */
function fitted(name: string, facts: string): string {
  return Buffer.byteLength(name) > maxNameBytes ? withDigest(name, facts) : name;
}

function withDigest(name: string, facts: string): string {
  const end = `_${digest(facts).slice(0, 8)}`;
  let start = name;
  while (Buffer.byteLength(start + end) > maxNameBytes) start = [...start].slice(0, -1).join('');
  return start + end;
}
