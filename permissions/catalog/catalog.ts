import type { OperatorName, TableKey, TypeName } from '../types/names.ts';
import type { CatalogData, CatalogOperator, CatalogTable, CatalogType } from './types.ts';

/**
 * An operator for comparing a column. `castTo` is present when the type of the column lacks the operator, and is the
 * type to which the column is cast.
 */
export interface ResolvedOperator {
  readonly operator: OperatorName;
  readonly castTo: CatalogType | undefined;
  /** Type of the right-hand side. */
  readonly right: CatalogType;
}

/**
 * Returns the key of a table: schema and name joined by a dot. Dots and backslashes inside names are escaped, so that
 * two tables never share a key.
 */
export function tableKey(schema: string, name: string): TableKey {
  return [schema, name].map((part) => part.replace(/[\\.]/g, '\\$&')).join('.');
}

/** Looks up types, operators and tables among the contents of a database. */
export class Catalog {
  readonly data: CatalogData;
  readonly tables: ReadonlyMap<TableKey, CatalogTable>;
  readonly #types: ReadonlyMap<number, CatalogType>;
  readonly #operators: ReadonlyMap<string, readonly CatalogOperator[]>;
  readonly #builtin: ReadonlyMap<string, CatalogType>;

  constructor(data: CatalogData) {
    this.data = data;
    this.tables = new Map(data.tables.map((table) => [tableKey(table.schema, table.name), table]));
    this.#types = new Map(data.types.map((type) => [type.oid, type]));
    this.#operators = Map.groupBy(
      data.operators,
      (one) => `${one.symbol} ${one.left} ${one.right}`,
    );
    this.#builtin = new Map(
      data.types.filter((type) => type.schema === 'pg_catalog').map((type) => [type.name, type]),
    );
  }

  /** @throws RangeError if no type has the oid */
  type(oid: number): CatalogType {
    const type = this.#types.get(oid);
    if (!type) throw new RangeError(`no type has the oid ${oid}`);
    return type;
  }

  /** Returns a type of pg_catalog by its internal name, e.g. `text`, `int4`. @throws RangeError if there is none */
  builtin(name: string): CatalogType {
    const type = this.#builtin.get(name);
    if (!type) throw new RangeError(`pg_catalog has no type ${name}`);
    return type;
  }

  /** Returns the base type of a domain, also of a domain over a domain; any other type unchanged. */
  base(type: CatalogType): CatalogType {
    return type.kind === 'd' ? this.base(this.type(type.base)) : type;
  }

  /** Returns the type with this schema and name; the inverse of `typeName`. @throws RangeError if there is none */
  named({ schema, name }: TypeName): CatalogType {
    const type = this.data.types.find((one) => one.schema === schema && one.name === name);
    if (!type) throw new RangeError(`no type is called ${schema}.${name}`);
    return type;
  }

  /** Returns the table whose row type is the given type; undefined for all other types. */
  tableOf({ kind, schema, name }: CatalogType): TableKey | undefined {
    const key = tableKey(schema, name);
    return kind === 'c' && this.tables.has(key) ? key : undefined;
  }

  /** Returns the names of a type and of its elements, and the labels of an enum. */
  typeName(type: CatalogType): TypeName {
    const base = this.base(type);
    return {
      schema: type.schema,
      name: type.name,
      ...(base.element !== 0 && { element: this.typeName(this.type(base.element)) }),
      ...(base.labels && { labels: base.labels }),
    };
  }

  /**
   * Finds the operator `symbol` for a left side of type `left`. `right` is the type of the right side; default: the
   * same type. Undefined: Postgres has no such operator that rules may use.
   */
  operator(symbol: string, left: CatalogType, right?: CatalogType): ResolvedOperator | undefined {
    const base = this.base(left);
    const other = right && this.base(right);
    return (
      this.#exact(symbol, base, other ?? base) ??
      this.#polymorphic(symbol, base, other) ??
      (other ? undefined : this.#exact(symbol, base, this.builtin('text'))) ??
      this.#coerced(symbol, base, other) ??
      this.#coercedRight(symbol, base, other)
    );
  }

  #exact(symbol: string, left: CatalogType, right: CatalogType): ResolvedOperator | undefined {
    const found = this.#operators
      .get(`${symbol} ${left.oid} ${right.oid}`)
      ?.find((one) => one.schema === 'pg_catalog' || one.schema === left.schema);
    if (!found || goesByTimeZone(left, right)) return undefined;
    return { operator: operatorName(found), castTo: undefined, right };
  }

  #polymorphic(
    symbol: string,
    left: CatalogType,
    right: CatalogType | undefined,
  ): ResolvedOperator | undefined {
    if (right && right.oid !== left.oid) return undefined;
    const pseudo = pseudoTypeOf(left);
    const found =
      pseudo === undefined
        ? undefined
        : this.#exact(symbol, this.builtin(pseudo), this.builtin(pseudo));
    return found ? { ...found, right: left } : undefined;
  }

  #coerced(
    symbol: string,
    left: CatalogType,
    right: CatalogType | undefined,
  ): ResolvedOperator | undefined {
    for (const { from, to } of this.data.coercions) {
      if (from !== left.oid || to === left.oid) continue;
      const target = this.#types.get(to);
      // char(n) ignores trailing blanks, so a rule that compares as char(n) would treat different texts as equal.
      if (target?.schema !== 'pg_catalog' || target.name === 'bpchar') continue;
      const found = this.#exact(symbol, target, right && right.oid !== from ? right : target);
      if (found) return { ...found, castTo: target };
    }
    return undefined;
  }

  /**
   * Finds an operator by casting the right side to the type of the left side, e.g. a varchar that is compared with a
   * text.
   */
  #coercedRight(
    symbol: string,
    left: CatalogType,
    right: CatalogType | undefined,
  ): ResolvedOperator | undefined {
    const fits = this.data.coercions.some(({ from, to }) => from === right?.oid && to === left.oid);
    const found = fits && left.name !== 'bpchar' ? this.#exact(symbol, left, left) : undefined;
    return found && { ...found, castTo: left };
  }
}

/**
 * Returns whether comparing two types depends on the time zone of the session, e.g. a date with a timestamptz. Such
 * operators are refused, because a caller could change the result of a rule by setting its time zone.
 */
function goesByTimeZone(left: CatalogType, right: CatalogType): boolean {
  if (left.schema !== 'pg_catalog' || right.schema !== 'pg_catalog') return false;
  const zoneless = (name: string) => name === 'date' || name === 'timestamp';
  return [
    [left.name, right.name],
    [right.name, left.name],
  ].some(([one = '', other]) => zoneless(one) && other === 'timestamptz');
}

function pseudoTypeOf(type: CatalogType): string | undefined {
  if (type.element !== 0) return 'anyarray';
  return { e: 'anyenum', r: 'anyrange', m: 'anymultirange' }[type.kind as string];
}

function operatorName(operator: CatalogOperator): OperatorName {
  return { schema: operator.schema, symbol: operator.symbol, leakproof: operator.leakproof };
}
