import type { TypeName } from '../../../types/names.ts';
import { compare } from '../../evaluate/compare.ts';
import { readValue, valueType } from '../../evaluate/values.ts';
import { anyRelation, equal, greater, less, type Relations, type Term } from './formula.ts';

/** Types of Postgres without a model whose values are nevertheless equal, less or greater. */
const sortable: ReadonlySet<string> = new Set([
  ...['float4', 'float8', 'time', 'timetz', 'interval', 'bytea', 'inet', 'cidr', 'name', 'char'],
  ...['oid', 'bpchar', 'macaddr', 'macaddr8', 'pg_lsn', 'bit', 'varbit'],
]);

/** Returns the family within which values of a type compare; undefined if the type may have no order. */
export function familyOf(type: TypeName): string | undefined {
  if (type.element) {
    const element = familyOf(type.element);
    return element && `list of ${element}`;
  }
  const known = valueType(type);
  if (known) return known.name === 'enum' ? `${type.schema}.${type.name}` : known.name;
  return type.schema === 'pg_catalog' && sortable.has(type.name) ? type.name : undefined;
}

/** Makes the term of a value that is not known; undefined if values of the type may have no order. */
export function valueTerm(key: string, type: TypeName): Term | undefined {
  const family = familyOf(type);
  return family === undefined ? undefined : { key, family, type: valueType(type) };
}

/** The way in which texts are compared. */
export interface Collation {
  /** Undefined for the database's default. */
  readonly name: string | undefined;
  /** Whether different texts can be equal, so that the text of a value says nothing. */
  readonly findsTextsEqual: boolean;
}

/** Puts a value into the family of a collation, because texts have an order only within one collation. */
export function collatedTerm({ key, family, ...known }: Term, collation: Collation): Term {
  const own = collation.name === undefined ? family : `${family} in ${collation.name}`;
  return { key, family: own, ...(collation.findsTextsEqual ? { type: undefined } : known) };
}

export function isSameCollation(a: Collation, b: Collation): boolean {
  return a.name === b.name && a.findsTextsEqual === b.findsTextsEqual;
}

/** Makes the term of a literal. Two literals without a known value are equal only if they have the same text. */
export function constantTerm(text: string, type: TypeName): Term | undefined {
  const family = familyOf(type);
  if (family === undefined) return undefined;
  const known = valueType(type);
  const value = known && readValue(text, known);
  return typeof value === 'string'
    ? { key: `=${value}`, family, type: known, constant: value }
    : { key: `=${text}`, family, type: undefined };
}

/** Returns the relations that two constants can have. */
export function relationsOf({ type, constant: a }: Term, { constant: b }: Term): Relations {
  if (!type || a === undefined || b === undefined) return anyRelation;
  if (compare('=', type, a, b) === true) return equal;
  if (compare('<', type, a, b) === true) return less;
  if (compare('>', type, a, b) === true) return greater;
  return compare('<>', type, a, b) === true ? less | greater : anyRelation;
}

const bySymbol: Readonly<Record<string, Relations>> = {
  '=': equal,
  '<>': less | greater,
  '<': less,
  '<=': less | equal,
  '>': greater,
  '>=': greater | equal,
};

/** Returns the relations for which a comparison is true; undefined for operators that are no order. */
export function relationsFor(symbol: string): Relations | undefined {
  return Object.hasOwn(bySymbol, symbol) ? bySymbol[symbol] : undefined;
}
