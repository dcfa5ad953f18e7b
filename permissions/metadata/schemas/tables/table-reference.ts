import { type Static, Type } from 'typebox';
import { choice, decoded, map, node, object, optional } from '../../shape/shape.ts';
import { splitTableName } from '../../split-table-name.ts';
import { name } from '../primitives.ts';

/**
 * The name of a table or a function: `invoice`, `billing.invoice`, or `{ schema: odd.schema, name: odd.table }`. A
 * name that could mean several things is reported, and decoded to one without a schema.
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

/** A table that is looked up, and its name read, once the tables are known. */
export const tableNode = node(tableName);

/** The function of a computed field or root field. */
export const functionName = qualifiedName('function', 'total');

/** With whose rights a user-defined function acts. */
export const rights = decoded(
  Type.Enum(['caller', 'owner'], {
    title: 'caller or owner',
    description:
      'caller: what it reads and writes is held to the rules of who asks. owner: it acts for whoever applies, and of each row that it returns only what the role may select is shown.',
  }),
  (of, { node: { position } }) => ({ of, position }),
);

/** Whether a field of a type leads to one row or to a list of rows. */
export const relationshipKind = optional(
  Type.Enum(['object', 'array'], {
    title: 'object or array',
    description: 'One row, which is the default, or a list of rows.',
  }),
  'object',
);

/** Which fields of a type are equal to which columns of a table. */
export const fieldMapping = decoded(
  map(name('the name of a column'), {
    title: 'a map of fields to columns',
    description: 'Fields of the type, and the columns of the table that are equal to them.',
    minProperties: 1,
  }),
  (entries) => entries.map(({ key, value }) => ({ field: key, column: value })),
);

export type RawRights = Static<typeof rights>;
