import type { TypeName } from '../types/names.ts';

/** Of dates, intervals, floats, bytea, money and names of objects, the text goes by settings that any login changes. */
const builtin = new Set([
  ...['bool', 'int2', 'int4', 'int8', 'numeric', 'oid', 'uuid', 'text', 'varchar', 'bpchar'],
  ...['name', 'char', 'json', 'jsonb', 'jsonpath', 'bit', 'varbit', 'inet', 'cidr', 'macaddr'],
  ...['macaddr8', 'pg_lsn', 'time', 'timetz', 'tsvector', 'tsquery', 'int4range', 'int8range'],
  ...['numrange', 'int4multirange', 'int8multirange', 'nummultirange'],
]);
const ofExtensions = new Set(['citext', 'ltree', 'lquery', 'ltxtquery', 'hstore']);

/**
 * Whether each value of a type has one text, and each text is one value, whatever the settings of whoever asks. No
 * domain is taken for such a type, and no composite.
 */
export function hasFixedText({ schema, name, element, labels }: TypeName): boolean {
  if (element) return hasFixedText(element);
  return labels !== undefined || (schema === 'pg_catalog' ? builtin : ofExtensions).has(name);
}
