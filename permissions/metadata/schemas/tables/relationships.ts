import { type Static, Type } from 'typebox';
import { quote } from '../../../text/characters.ts';
import {
  choice,
  decoded,
  list,
  map,
  named,
  object,
  optional,
  type Place,
} from '../../shape/shape.ts';
import type { RawName } from '../../yaml/node.ts';
import { name } from '../primitives.ts';
import { tableName } from './table-reference.ts';

const columns = choice(
  [
    decoded(
      list(name('the name of a column'), { title: 'a list of columns', minItems: 1 }),
      (names) => ({
        ...{ kind: 'foreign key' as const, names },
      }),
    ),
    decoded(
      map(name('the name of a column of the other table'), {
        title: 'a map of columns to columns of the other table',
        minProperties: 1,
      }),
      (entries) => ({
        kind: 'by hand' as const,
        pairs: entries.map(({ key, value }) => ({ local: key, remote: value })),
      }),
    ),
  ],
  { title: 'a list of columns, or a map of columns to columns of the other table' },
);

const written = object(
  {
    table: optional(tableName),
    column: optional(name('the name of a column')),
    columns: optional(columns),
    kind: optional(
      Type.Enum(['object', 'array'], {
        title: 'object or array',
        description: 'One row, or a list of them.',
      }),
    ),
    insertion_order: optional(
      Type.Enum(['before_parent', 'after_parent'], {
        title: 'before_parent or after_parent',
        description:
          'When a nested insert writes the other row. Only for relationships without a foreign key.',
      }),
    ),
  },
  { title: 'a relationship' },
);

type Written = Static<typeof written>;

interface RelationshipColumn {
  /** The column of the table itself. Undefined if the foreign key determines it. */
  readonly local: RawName | undefined;
  readonly remote: RawName | undefined;
}

/**
 * `relationships:` of a table. Each entry adds to the relationships that foreign keys give by default, or renames one
 * of them.
 * - `owner: { column: user_id }`: object relationship, along the foreign key of that column.
 * - `wallets: { table: digital_wallet, column: user_id }`: array relationship, along the foreign key of the other
 *   table.
 * - `profile: { table: profile, column: user_id, kind: object }`: object relationship, if that foreign key is unique.
 * - `rate: { table: currency_rate, columns: { currency: code }, kind: object }`: by pairs of columns, without a foreign
 *   key.
 *
 * Combinations of keys without a meaning are reported.
 */
export const relationships = optional(
  named(decoded(written, complete), { title: 'a map of names to relationships' }),
  [],
);

export type RawRelationship = Static<typeof relationships>[number];

function complete(raw: Written, { key, report }: Place) {
  const problem = problemOf(raw);
  if (problem) {
    const message = `the relationship ${quote(key.name)} ${problem.message}`;
    report.error('RG_SHAPE', key.position, message, problem.hint);
  }
  const { table, insertionOrder } = raw;
  const kind = raw.kind ?? (table ? 'array' : 'object');
  // An array relationship names a column of the other table. An object relationship may name a column of either table.
  // Until the foreign key is known, that column counts as a column of the table itself.
  const half = (one: RawName): RelationshipColumn =>
    kind === 'object' ? { local: one, remote: undefined } : { local: undefined, remote: one };
  const pairs: readonly RelationshipColumn[] | undefined = pairsOf(raw);
  return {
    kind,
    /** The table that the relationship leads to. Absent: the table that the foreign key on `columns` refers to. */
    table,
    columns: pairs ?? namesOf(raw).map(half),
    /**
     * The row that a nested insert writes first, for relationships without a foreign key. Absent: the foreign key
     * decides.
     */
    insertFirst: insertionOrder && insertFirst[insertionOrder],
  };
}

const insertFirst = { after_parent: 'local', before_parent: 'remote' } as const;

/** Returns the column pairs of a relationship that needs no foreign key. */
function pairsOf({ columns }: Written) {
  return columns?.kind === 'by hand' ? columns.pairs : undefined;
}

/** Returns the columns of the foreign key that the relationship follows. */
function namesOf({ column, columns }: Written): readonly RawName[] {
  if (column) return [column];
  return columns?.kind === 'foreign key' ? columns.names : [];
}

interface Problem {
  readonly message: string;
  readonly hint: string;
}

function problemOf(raw: Written): Problem | undefined {
  const { table, kind, column, columns, insertionOrder } = raw;
  const pairs = pairsOf(raw);
  if (column && columns) {
    return { message: 'has both column and columns', hint: 'keep one of them' };
  }
  if (pairs && !(table && kind)) {
    return {
      message: 'pairs columns by hand without naming table and kind',
      hint: 'add table, and kind: object or kind: array',
    };
  }
  if (insertionOrder && !pairs) {
    return {
      message: 'has an insertion_order, which its foreign key decides',
      hint: 'leave insertion_order out',
    };
  }
  if (insertionOrder === 'before_parent' && kind === 'array') {
    return {
      message: 'is an array whose rows would be written before what they belong to',
      hint: 'leave insertion_order out',
    };
  }
  if (!pairs && namesOf(raw).length === 0) {
    return {
      message: 'names no columns',
      hint: 'add column: the foreign key column, here or on the other table',
    };
  }
  if (!table && kind === 'array') {
    return {
      message: 'is an array without a table',
      hint: 'add table: the table that the rows come from',
    };
  }
  return undefined;
}
