import { callName, policySchema } from '../../text/object-names.ts';
import { ident, join, qualified, type SqlText, sql } from '../../text/sql-text.ts';
import type { ComputedArgument, ComputedField } from '../../types/tables.ts';
import { typeSql } from './print-operand.ts';

/** The values for a call: the row, the session's variables as jsonb, and for a whole call the client's arguments in order. */
interface Given {
  readonly row: SqlText;
  readonly session: SqlText;
  readonly clients?: readonly SqlText[];
}

/** A user-defined function. */
export type Called = Pick<
  ComputedField,
  'name' | 'function' | 'pinned' | 'arguments' | 'result'
> & {
  readonly isVolatile?: boolean;
  /** Absent: any number of rows, where it gives rows. */
  readonly returnsSet?: boolean;
};

/** A call of a user-defined function that Rowgate writes into the database. */
export interface OwnCall {
  readonly field: Called;
  /**
   * Whether it acts with the rights of the applier, whom no rule restricts: rules read other tables as they are.
   * Otherwise it acts with the rights of the caller.
   */
  readonly asOwner: boolean;
  /** Whether it gives every argument; else those of clients are left to their defaults. */
  readonly isWhole?: boolean;
}

/**
 * Calls a computed field through a function of ours, which says with whose rights it acts and where it finds names:
 * by its caller's search_path, a login could put tables and operators of its own in the way of a rule.
 */
export function callComputed(call: OwnCall, given: Given): SqlText {
  if (isDirect(call)) return callItself(call, given);
  return sql`${wrapperName(call)}(${join(valuesOf(call, given), ', ')})`;
}

export function isDirect({ field, asOwner }: OwnCall): boolean {
  return field.pinned && !asOwner;
}

export function nameOf({ field, asOwner, isWhole }: OwnCall): string {
  const { function: called, arguments: taken, result, isVolatile, returnsSet } = field;
  // Defaults are the function's own affair.
  const types = taken.map(({ default: _, ...argument }) => argument);
  const more = isWhole ? [{ isVolatile, returnsSet }] : [];
  return callName(JSON.stringify([called, types, result, asOwner, ...more]));
}

export function wrapperName(call: OwnCall): SqlText {
  return qualified({ schema: policySchema, name: nameOf(call) });
}

/** Leaves arguments of clients to their defaults, and names every argument behind the first such one. */
export function callItself(call: OwnCall, given: Given): SqlText {
  const { field, isWhole } = call;
  if (isWhole) return sql`${qualified(field.function)}(${join(valuesOf(call, given), ', ')})`;
  const first = field.arguments.findIndex(({ kind }) => kind === 'client');
  const list = field.arguments.flatMap((argument, index) => {
    if (argument.kind === 'client') return [];
    const { name } = argument;
    const isByName = first >= 0 && index > first && name !== undefined;
    return [isByName ? sql`${ident(name)} => ${value(argument, given)}` : value(argument, given)];
  });
  return sql`${qualified(field.function)}(${join(list, ', ')})`;
}

function valuesOf(call: OwnCall, given: Given): readonly SqlText[] {
  const clients = (given.clients ?? []).values();
  return takenBy(call).map((argument) =>
    argument.kind === 'client' ? (clients.next().value ?? sql`null`) : value(argument, given),
  );
}

function value({ kind, type }: ComputedArgument, { row, session }: Given): SqlText {
  return kind === 'row' ? row : sql`${session}::${typeSql(type)}`;
}

export function takenBy({ field, isWhole }: OwnCall): readonly ComputedArgument[] {
  return field.arguments.filter(({ kind }) => isWhole || kind !== 'client');
}
