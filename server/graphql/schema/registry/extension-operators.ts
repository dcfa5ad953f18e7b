import type pg from 'pg';

/** An operator or an aggregate of a type outside pg_catalog. */
export interface ExtensionRow {
  readonly typeSchema: string;
  readonly typeName: string;
  readonly symbol: string;
  readonly schema: string;
  readonly rightSchema: string;
  readonly rightName: string;
}

/** The schema of an operator and the type of its right-hand side. */
export interface ExtensionOperator {
  readonly schema: string;
  readonly right: { readonly schema: string; readonly name: string };
}

/** Operators and aggregates of types outside pg_catalog, such as citext and ltree. */
export interface ExtensionOperators {
  /** Returns true if an extension or a user has defined operators for the type. */
  knows(schema: string, type: string): boolean;
  /**
   * Finds an operator by its symbol in pg_operator, for example `~~`. Without `right`, it prefers the type itself on
   * the right-hand side.
   */
  operator(
    schema: string,
    type: string,
    symbol: string,
    right?: string,
  ): ExtensionOperator | undefined;
  /** Returns the schema of an aggregate over the type, for example of `min`. */
  aggregate(schema: string, type: string, name: string): string | undefined;
}

const TEXT = `
  select tn.nspname as "typeSchema", t.typname as "typeName", o.oprname as "symbol", n.nspname as "schema",
         rn.nspname as "rightSchema", r.typname as "rightName"
  from pg_catalog.pg_operator o
    join pg_catalog.pg_namespace n on n.oid = o.oprnamespace
    join pg_catalog.pg_type t on t.oid = o.oprleft
    join pg_catalog.pg_namespace tn on tn.oid = t.typnamespace
    join pg_catalog.pg_type r on r.oid = o.oprright
    join pg_catalog.pg_namespace rn on rn.oid = r.typnamespace
  where tn.nspname <> 'pg_catalog' and n.nspname <> 'pg_catalog'
  union all
  select tn.nspname, t.typname, p.proname || '()', n.nspname, tn.nspname, t.typname
  from pg_catalog.pg_proc p
    join pg_catalog.pg_namespace n on n.oid = p.pronamespace
    join pg_catalog.pg_type t on t.oid = p.proargtypes[0]
    join pg_catalog.pg_namespace tn on tn.oid = t.typnamespace
  where p.prokind = 'a' and p.pronargs = 1 and tn.nspname <> 'pg_catalog'`;

/**
 * Reads the operators and aggregates of extensions. Only those in the schema of their type count, because an attacker
 * could add one in another schema.
 */
export async function readExtensionOperators(client: pg.Client): Promise<readonly ExtensionRow[]> {
  const { rows } = await client.query<ExtensionRow>(TEXT);
  return rows.filter((row) => row.schema === row.typeSchema);
}

/** Makes operators and aggregates findable by their types. */
export function makeExtensionOperators(own: readonly ExtensionRow[]): ExtensionOperators {
  const found = new Map<string, ExtensionOperator>();
  const types = new Set<string>();
  for (const row of own) {
    const type = keyOf(row.typeSchema, row.typeName);
    const operator = {
      schema: row.schema,
      right: { schema: row.rightSchema, name: row.rightName },
    };
    types.add(type);
    found.set(`${type} ${row.symbol} ${row.rightName}`, operator);
    if (row.rightName === row.typeName) found.set(`${type} ${row.symbol}`, operator);
  }
  return {
    knows: (schema, type) => types.has(keyOf(schema, type)),
    operator: (schema, type, symbol, right) =>
      found.get([keyOf(schema, type), symbol, ...(right === undefined ? [] : [right])].join(' ')),
    aggregate: (schema, type, name) => found.get(`${keyOf(schema, type)} ${name}()`)?.schema,
  };
}

function keyOf(schema: string, type: string): string {
  return JSON.stringify([schema, type]);
}
