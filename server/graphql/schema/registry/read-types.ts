import type pg from 'pg';
import type { TypeName } from '../../../../permissions/index.ts';
import { arrayOf, type ColumnType } from './column-type.ts';

/** A row of pg_type, with oids as texts. */
interface TypeRow {
  readonly oid: string;
  readonly schema: string;
  readonly name: string;
  /** `typtype`: b base, c composite, d domain, e enum, m multirange, p pseudo, r range. */
  readonly kind: string;
  readonly isArray: boolean;
  /** The type below a domain. */
  readonly base: string;
  /** The type whose arrays this type contains; null for types such as oidvector, which only resemble arrays. */
  readonly element: string | null;
  readonly labels: readonly string[] | null;
  /** Name and type of each field. */
  readonly attributes: readonly (readonly [string, string])[] | null;
}

const TEXT = `
with recursive used (oid) as (
  select t.oid from rows from (pg_catalog.unnest($1::text[]), pg_catalog.unnest($2::text[])) as named (schema, name)
    join pg_catalog.pg_namespace n on n.nspname = named.schema
    join pg_catalog.pg_type t on t.typnamespace = n.oid and t.typname = named.name
  union
  select part.oid from used u join pg_catalog.pg_type t on t.oid = u.oid
    cross join lateral (
      select t.typbasetype where t.typtype = 'd'
      union all select e.oid from pg_catalog.pg_type e where e.typarray = t.oid
      union all select a.atttypid from pg_catalog.pg_attribute a
        where t.typtype = 'c' and a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped
    ) part (oid)
)
select t.oid::text as oid, n.nspname as schema, t.typname as name, t.typtype as kind, t.typcategory = 'A' as "isArray",
       t.typbasetype::text as base, (select e.oid::text from pg_catalog.pg_type e where e.typarray = t.oid) as element,
       (select pg_catalog.json_agg(l.enumlabel order by l.enumsortorder) from pg_catalog.pg_enum l
        where l.enumtypid = t.oid) as labels,
       (select pg_catalog.json_agg(pg_catalog.json_build_array(a.attname, a.atttypid::text) order by a.attnum)
        from pg_catalog.pg_attribute a
        where t.typtype = 'c' and a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped) as attributes
from used u join pg_catalog.pg_type t on t.oid = u.oid join pg_catalog.pg_namespace n on n.oid = t.typnamespace`;

/** The key of a type in a map. */
export function typeKey({ schema, name }: Pick<TypeName, 'schema' | 'name'>): string {
  return JSON.stringify([schema, name]);
}

/**
 * Reads the given types and the types of which they consist; any login may do so. Omits the few types that PostGraphile
 * cannot describe either, such as arrays of oidvector and pseudo-types.
 */
export async function readTypes(
  client: pg.Client,
  names: Iterable<Pick<TypeName, 'schema' | 'name'>>,
): Promise<ReadonlyMap<string, ColumnType>> {
  const wanted = [...new Map([...names].map((name) => [typeKey(name), name])).values()];
  const { rows } = await client.query<TypeRow>(TEXT, [
    wanted.map(({ schema }) => schema),
    wanted.map(({ name }) => name),
  ]);
  const types = new TypesByOid(rows);
  const entries = rows.flatMap((row) => {
    const type = types.of(row.oid);
    return type ? [[typeKey(row), type] as const] : [];
  });
  return new Map(entries);
}

class TypesByOid {
  readonly #rows: ReadonlyMap<string, TypeRow>;
  readonly #made = new Map<string, ColumnType | undefined>();

  constructor(rows: readonly TypeRow[]) {
    this.#rows = new Map(rows.map((row) => [row.oid, row]));
  }

  of(oid: string): ColumnType | undefined {
    if (this.#made.has(oid)) return this.#made.get(oid);
    const row = this.#rows.get(oid);
    const made = row && this.#make(row);
    this.#made.set(oid, made);
    return made;
  }

  #make(row: TypeRow): ColumnType | undefined {
    const { schema, name, kind, isArray, base, labels } = row;
    if (kind === 'p') return undefined;
    if (kind === 'd') {
      const below = this.of(base);
      return below?.element ? { ...below, schema } : below;
    }
    if (isArray) {
      const item = this.#elementOf(row);
      return item && { ...arrayOf(item), schema };
    }
    const attributes = kind === 'c' ? this.#attributesOf(row) : undefined;
    if (attributes?.size === 0) return undefined;
    return { schema, name, element: undefined, labels: labels ?? undefined, attributes };
  }

  /** Returns undefined for arrays of types that are arrays themselves, except domains. */
  #elementOf({ element }: TypeRow): ColumnType | undefined {
    const row = element === null ? undefined : this.#rows.get(element);
    const item = row && this.of(row.oid);
    return item?.element && row?.kind !== 'd' ? undefined : item;
  }

  #attributesOf({ attributes }: TypeRow): ReadonlyMap<string, ColumnType> {
    const entries = (attributes ?? []).flatMap(([name, oid]) => {
      const type = this.of(oid);
      return type ? [[name, type] as const] : [];
    });
    return new Map(entries);
  }
}
