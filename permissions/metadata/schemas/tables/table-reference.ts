import { type Static, Type } from 'typebox';
import { choice, decoded, map, node, object, optional } from '../../shape/shape.ts';
import { splitTableName } from '../../split-table-name.ts';
import { name } from '../primitives.ts';

/**
 * The name of a table or function: `invoice`, `billing.invoice`, or `{ schema: odd.schema, name: odd.table }`. An
 * ambiguous name, such as `a.b.c`, is reported, and gets an empty schema.
 */
const qualifiedName = (what: 'table' | 'function', example: string) =>
  choice(
    [
      decoded(
        name(`the name of a ${what}, with its schema before a dot where that is not public`),
        (written, { report }) =>
          splitTableName(written, report, what) ?? { ...written, schema: '', table: written.name },
      ),
      decoded(
        object(
          { schema: name('the name of a schema'), name: name(`the name of a ${what}`) },
          { title: 'a schema and a name' },
        ),
        ({ schema: { name: schema }, name: { name: table } }, { node: { position } }) => ({
          ...{ name: `${schema}.${table}`, schema, table, position },
        }),
      ),
    ],
    {
      title: `the name of a ${what}, or { schema: …, name: … } where names hold dots`,
      description: `${example}, billing.${example}, or { schema: "odd.schema", name: "odd.${what}" }.`,
    },
  );

export const tableName = qualifiedName('table', 'invoice');

/** The name of a table, unparsed. It is parsed and looked up later, when the tables are known. */
export const tableNode = node(tableName);

/** The function of a computed field or root field. */
export const functionName = qualifiedName('function', 'total');

/** The rights with which a user-defined function runs. */
export const rights = decoded(
  Type.Enum(['caller', 'owner'], {
    title: 'caller or owner',
    description:
      'caller: the rules of the caller apply to everything that it reads and writes. owner: it runs with the rights of the applier, and the role sees of each returned row only what it may select.',
  }),
  (of, { node: { position } }) => ({ of, position }),
);

/** The number of related rows. `object`: one row. `array`: a list of rows. */
export const relationshipKind = optional(
  Type.Enum(['object', 'array'], {
    title: 'object or array',
    description: 'One row, which is the default, or a list of rows.',
  }),
  'object',
);

/**
 * Pairs of columns by which an object of a custom type finds its related rows: a field of the type, and the table's
 * column that must equal the field.
 */
export const fieldMapping = decoded(
  map(name('the name of a column'), {
    title: 'a map of fields to columns',
    description: 'Fields of the type, and the columns of the table that are equal to them.',
    minProperties: 1,
  }),
  (entries) => entries.map(({ key, value }) => ({ field: key, column: value })),
);

export type RawRights = Static<typeof rights>;
