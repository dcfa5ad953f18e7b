import type { Report } from '../../diagnostics.ts';
import { quote } from '../../text/characters.ts';
import type { RawRelationship, RawTableName } from '../raw.ts';
import type { RawEntry, RawName, RawNode } from '../yaml/node.ts';
import { entriesOf, fieldOf, itemsOf, keyOf, nameOf } from '../yaml/raw-access.ts';
import { readTableName } from './read-table-name.ts';

/** One entry of `relationships`; a combination of keys that means nothing is reported. */
export function readRelationship(entry: RawEntry, report: Report): RawRelationship | undefined {
  const parts = readParts(entry.value, report);
  const problem = parts && problemOf(parts);
  if (problem) {
    const message = `the relationship ${quote(entry.key)} ${problem.message}`;
    report.error('RG_SHAPE', entry.keyPosition, message, problem.hint);
  }
  if (!parts || problem) return undefined;
  const { table, names, pairs } = parts;
  const kind = parts.kind ?? (table ? 'array' : 'object');
  // An array relationship names the foreign key of the other table, an object relationship that of either.
  const half = (name: RawName) =>
    kind === 'object' ? { local: name, remote: undefined } : { local: undefined, remote: name };
  const { insertFirst } = parts;
  return { ...keyOf(entry), kind, table, columns: pairs ?? names.map(half), insertFirst };
}

interface Parts {
  readonly table: RawTableName | undefined;
  readonly kind: 'object' | 'array' | undefined;
  readonly insertFirst: 'local' | 'remote' | undefined;
  readonly hasBoth: boolean;
  /** Columns of one foreign key. */
  readonly names: readonly RawName[];
  /** Columns written in pairs. */
  readonly pairs: readonly { readonly local: RawName; readonly remote: RawName }[] | undefined;
}

function readParts(node: RawNode, report: Report): Parts | undefined {
  const tableNode = fieldOf(node, 'table');
  const table = tableNode && readTableName(tableNode, report);
  if (tableNode && !table) return undefined;
  const column = fieldOf(node, 'column');
  const columns = fieldOf(node, 'columns');
  const kind = fieldOf(node, 'kind');
  const order = fieldOf(node, 'insertion_order');
  return {
    table,
    kind: kind && (nameOf(kind).name === 'array' ? 'array' : 'object'),
    insertFirst: order && (nameOf(order).name === 'after_parent' ? 'local' : 'remote'),
    hasBoth: column !== undefined && columns !== undefined,
    names: column ? [nameOf(column)] : columns?.kind === 'list' ? itemsOf(columns).map(nameOf) : [],
    pairs: columns?.kind === 'map' ? entriesOf(columns).map(readPair) : undefined,
  };
}

function readPair(entry: RawEntry): { readonly local: RawName; readonly remote: RawName } {
  return { local: keyOf(entry), remote: nameOf(entry.value) };
}

interface Problem {
  readonly message: string;
  readonly hint: string;
}

function problemOf({
  table,
  kind,
  insertFirst,
  hasBoth,
  names,
  pairs,
}: Parts): Problem | undefined {
  if (hasBoth) return { message: 'has both column and columns', hint: 'keep one of them' };
  if (pairs && !(table && kind)) {
    return {
      message: 'pairs columns by hand without naming table and kind',
      hint: 'add table, and kind: object or kind: array',
    };
  }
  if (insertFirst && !pairs) {
    return {
      message: 'has an insertion_order, which its foreign key decides',
      hint: 'leave insertion_order out',
    };
  }
  if (insertFirst === 'remote' && kind === 'array') {
    return {
      message: 'is an array whose rows would be written before what they belong to',
      hint: 'leave insertion_order out',
    };
  }
  if (!pairs && names.length === 0) {
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
