import { isPlainCall } from '../../expressions/resolve/resolve-expression.ts';
import type { TablePermissions } from '../../types/model.ts';
import type { SelectRule } from '../../types/rules.ts';
import type { ComputedField, TableModel } from '../../types/tables.ts';

/**
 * The readable part of a table for a role: columns and computed fields. A column or field that only some rows show has
 * a mask, the condition for showing it.
 */
export type Readable = Pick<SelectRule, 'columns' | 'columnMasks' | 'fieldMasks'>;

/**
 * The way in which a role reads a computed field of a visible row.
 * - `itself`: the role calls the user's function with the row.
 * - `by key`: the role calls a generated function with the row's key.
 * - `view`: the role reads a generated view and finds the row by its key.
 * - `column`: the role reads a column of its rows view.
 */
export type AccessPath = 'itself' | 'by key' | 'view' | 'column';

/** The reason why a role cannot read a computed field, and how to fix it. */
export interface NoAccessPath {
  readonly message: string;
  readonly hint: string;
}

/**
 * Decides how a role reads a computed field, or why the role cannot read it. A login that calls a function chooses the
 * row and the session itself. So only a generated view or function may call a function with the rights of an owner.
 * With `strictKeys`, the role can use the primary key only when its rule lists the key's columns.
 */
export function accessPathOf(
  field: ComputedField,
  select: Readable,
  table: TableModel,
  strictKeys = false,
): AccessPath | NoAccessPath {
  const { name, rights, result, arguments: taken, unreadable } = field;
  if (unreadable) return unreadable;
  const isOwner = rights === 'owner';
  const isWhole = readsWholeRow(select, table);
  if (!isOwner && isWhole && !select.fieldMasks.has(name)) return 'itself';
  const isAsked = taken.some(({ kind }) => kind === 'client');
  const isByKey = isOwner && (isAsked || result.kind === 'rows');
  if (!isOwner && (result.kind === 'rows' || !isPlainCall(field))) {
    const what = result.kind === 'rows' ? 'gives rows' : 'takes arguments';
    const { why, hint } = isWhole ? ofSome : ofPart(table);
    return { message: `${why}, and the function ${what}`, hint };
  }
  if (!isByKey && hasMasks(select)) return 'column';
  return keyProblem(isOwner, select, table, strictKeys) ?? (isByKey ? 'by key' : 'view');
}

/** Returns whether a role can read a computed field. */
export function hasField(
  { select, computedRows }: Pick<TablePermissions, 'select' | 'computedRows'>,
  { name }: ComputedField,
): boolean {
  return select?.computedFields.includes(name) === true || computedRows.includes(name);
}

/**
 * Returns whether a role may pass a whole row to a function. Postgres requires the SELECT privilege on every column for
 * that.
 */
export function readsWholeRow(
  { columns, columnMasks }: Pick<Readable, 'columns' | 'columnMasks'>,
  table: TableModel,
): boolean {
  return columns.length === table.columns.size && columnMasks.size === 0;
}

/** Returns whether a rule has masks: columns or computed fields that only some of the visible rows show. */
export function hasMasks({ columnMasks, fieldMasks }: Omit<Readable, 'columns'>): boolean {
  return columnMasks.size > 0 || fieldMasks.size > 0;
}

function keyProblem(
  isOwner: boolean,
  { columns }: Readable,
  table: TableModel,
  strictKeys: boolean,
): NoAccessPath | undefined {
  const part = ofPart(table);
  if (table.primaryKey.length === 0) {
    const { why } = isOwner ? ofOwner : part;
    const keyed = 'list every column under columns, or give the table a primary key';
    return {
      message: `${why}, and the table has no primary key`,
      hint: isOwner ? ofOwner.hint : keyed,
    };
  }
  if (!strictKeys || table.primaryKey.every((key) => columns.includes(key))) return undefined;
  return {
    message: `${part.why}, nor the primary key`,
    hint: 'list the primary key under columns',
  };
}

const ofOwner = {
  why: 'the function acts with the rights of an owner',
  hint: 'let it act with the rights of its caller, or make it a generated column',
};

const ofSome = {
  why: 'only some of the rows that it sees show it',
  hint: 'write rights: owner for the field',
};

function ofPart({ schema, name }: TableModel): typeof ofOwner {
  return {
    why: `it does not read every column of ${schema}.${name}`,
    hint: 'list every column under columns, or write rights: owner for the field',
  };
}
