import type { Position } from '../../diagnostics.ts';
import type { FunctionModel } from '../../types/functions.ts';
import type { Model } from '../../types/model.ts';
import type { ComputedField, TableModel } from '../../types/tables.ts';

/** A user-defined function that the metadata names. */
export interface NamedFunction {
  /** The use of the function, e.g. `root field "search"`. */
  readonly label: string;
  readonly called: FunctionModel | ComputedField;
  /** The table for which the function computes a field, or whose rows the function returns. */
  readonly table: TableModel;
  readonly position: Position;
}

/** Returns whether a function of the metadata receives the session variables as an argument. */
export function takesSession(model: Pick<Model, 'tables' | 'functions'>): boolean {
  return namedFunctions(model).some(({ called }) =>
    called.arguments.some(({ kind }) => kind === 'session'),
  );
}

/** Returns the functions of all computed fields and root fields. */
export function namedFunctions({
  tables,
  functions,
}: Pick<Model, 'tables' | 'functions'>): readonly NamedFunction[] {
  const fields = [...tables.values()].flatMap((table) =>
    [...table.computedFields.values()].map((called) => {
      const label = `computed field "${called.name}" of ${table.schema}.${table.name}`;
      return { label, called, table, position: table.position };
    }),
  );
  const roots = [...functions.values()].flatMap((called) => {
    const table = tables.get(called.result.table);
    const label = `root field "${called.rootFields.function}"`;
    return table ? [{ label, called, table, position: called.position }] : [];
  });
  return [...fields, ...roots];
}
