import { callName, policySchema } from '../../text/object-names.ts';
import { ident, join, qualified, type SqlText, sql } from '../../text/sql-text.ts';
import type { ComputedArgument, ComputedField } from '../../types/tables.ts';
import { typeSql } from './print-operand.ts';

/**
 * SQL for the values that a call passes: the row, the session variables as jsonb, and the client's arguments in order
 * if the call passes all arguments.
 */
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
  /** Whether the function may return several rows. Default: true if the function returns rows. */
  readonly returnsSet?: boolean;
};

/** A call of a user-defined function in SQL that Rowgate generates. */
export interface OwnCall {
  readonly field: Called;
  /**
   * True: the call runs with the rights of the applier. Row security does not apply to the applier, so the function
   * sees all rows of other tables, as rules do. False: the call runs with the rights of the caller.
   */
  readonly asOwner: boolean;
  /** Whether the call passes every argument. Otherwise the arguments of the client take their defaults. */
  readonly isWhole?: boolean;
}

/**
 * Prints the call of a computed field's function. The call goes through a generated wrapper function when the rights or
 * the search_path of the call must be fixed. With the caller's search_path, a login could replace tables and operators
 * of a rule by its own objects.
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
  // The wrapper's name does not contain defaults, so that a changed default does not lead to a new wrapper.
  const types = taken.map(({ default: _, ...argument }) => argument);
  const more = isWhole ? [{ isVolatile, returnsSet }] : [];
  return callName(JSON.stringify([called, types, result, asOwner, ...more]));
}

export function wrapperName(call: OwnCall): SqlText {
  return qualified({ schema: policySchema, name: nameOf(call) });
}

/**
 * Prints a direct call of the user-defined function. The client's arguments take their defaults, so every argument
 * after an omitted one has to be passed by name.
 */
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
