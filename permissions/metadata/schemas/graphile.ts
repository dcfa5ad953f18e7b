import { type Static, Type } from 'typebox';
import { decoded, list, named, object, optional, orEmpty, placed } from '../shape/shape.ts';
import { name, trueOrFalse, whole } from './primitives.ts';
import { fieldMapping, relationshipKind, tableNode } from './tables/table-reference.ts';

/** Default limits of PostGraphile's own dialect. */
export const defaultGraphileLimits = {
  ...{ tokens: 5000, fields: 300, depth: 12, nodes: 200_000 },
  ...{ defaultRows: 200, maxRows: 1000 },
};
const defaults = defaultGraphileLimits;

const count = (max: number, fallback: number, description: string) =>
  optional(whole(1, max, description), fallback);

const limits = decoded(
  object(
    {
      tokens: count(100_000, defaults.tokens, 'Maximum tokens of a document; default 5000.'),
      fields: count(5000, defaults.fields, 'Maximum fields of an operation; default 300.'),
      depth: count(
        100,
        defaults.depth,
        'Maximum nesting of fields, not counting the wrappers of connections; default 12.',
      ),
      nodes: count(
        10_000_000,
        defaults.nodes,
        'Maximum rows that all lists of an operation could return together; default 200000.',
      ),
      default_rows: optional(
        whole(1, 100_000, 'Rows of a list without "first" and "last"; default 200.'),
      ),
      max_rows: count(100_000, defaults.maxRows, 'Maximum of "first" and "last"; default 1000.'),
    },
    { title: 'a map with tokens, fields, depth, nodes, default_rows and max_rows' },
  ),
  (given) => ({
    ...given,
    defaultRows: given.defaultRows ?? Math.min(defaults.defaultRows, given.maxRows),
  }),
);

const openField = decoded(
  object(
    {
      roles: list(name('the name of a role'), {
        title: 'a list of roles',
        description: 'Roles that may use the field. Inheriting roles and admin may use it too.',
        minItems: 1,
        uniqueItems: true,
      }),
      v1: optional(trueOrFalse('Whether /v1/graphql has the field too; default false.'), false),
    },
    { title: 'a map with roles and v1' },
  ),
  ({ roles, v1 }) => ({ roles, inHasura: v1 }),
);

const graphqlName = (title: string, description: string) =>
  Type.String({ title, description, pattern: '^(?!__)[_A-Za-z][_0-9A-Za-z]{0,199}$' });

const relationship = decoded(
  object(
    {
      type: graphqlName('the name of a type', 'An object type that a plugin adds.'),
      name: placed(
        graphqlName('the name of a field', 'The field of the type that returns the rows.'),
      ),
      table: tableNode,
      columns: fieldMapping,
      kind: relationshipKind,
    },
    { title: 'a map with type, name, table and columns' },
  ),
  ({ type, name: field, columns, ...rest }) => ({
    ...{ ...field, ...rest, typeName: type, mapping: columns },
  }),
);

/**
 * The schema of graphile.yaml. A default page size above the maximum is reported, because every query of a list without
 * "first" would then fail.
 */
export const graphileFile = decoded(
  object(
    {
      endpoint: optional(
        Type.String({
          title: 'a path like /graphql, where Rowgate serves nothing else',
          description: "The path of PostGraphile's own dialect; default /graphql.",
          pattern:
            '^(?!/(v1|v1alpha1|docs|healthz|readyz|metrics|auth)(/|$))(/[A-Za-z0-9_-]{1,60}){1,5}$',
        }),
        '/graphql',
      ),
      config: optional(
        Type.String({
          title: 'a path like ./graphile.config.ts',
          description: 'A preset of PostGraphile; the path is relative to the folder of this file.',
          pattern: '^[^/\\u0000-\\u001f].{0,500}\\.(ts|mts|js|mjs)$',
        }),
      ),
      limits: orEmpty(limits),
      fields: optional(
        named(openField, {
          title: 'a map of root fields to roles',
          description:
            'Root fields that plugins add, and the roles that may use them. Fields that are not listed are closed.',
        }),
        [],
      ),
      relationships: optional(
        list(relationship, {
          title: 'a list of relationships',
          description: 'Fields of plugin types that return table rows in /v1/graphql.',
        }),
        [],
      ),
    },
    { title: 'a map with endpoint, config, limits, fields and relationships' },
  ),
  ({ endpoint, config, limits, fields, relationships }, { node: { position }, report }) => {
    const { defaultRows, maxRows } = limits;
    if (defaultRows > maxRows) {
      const message = `"default_rows" is ${defaultRows}, more than "max_rows", which is ${maxRows}`;
      report.error('RG_GRAPHILE', position, message, 'make it smaller');
    }
    return { endpoint, config, limits, extensions: { fields, relationships }, position };
  },
);

export type RawGraphile = Static<typeof graphileFile>;
export type RawExtensions = RawGraphile['extensions'];
export type RawOpenField = RawExtensions['fields'][number];
export type RawExtensionRelationship = RawExtensions['relationships'][number];
