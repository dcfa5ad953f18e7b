import {
  type ComputedField,
  computedView,
  type RoleModel,
  type TableKey,
  type TableModel,
  type TablePermissions,
  type ViewName,
} from '../../../permissions/index.ts';
import type { Registry } from '../registry/read-registry.ts';
import { comparisonsOf } from './comparison.ts';
import type { TableView, ValueView } from './role-view.ts';
import { type Scalar, scalarOf } from './scalar.ts';

/** What functions of the database compute from a row, as one role may ask for it. */
export interface ComputedViews {
  /** Fields with one value. */
  readonly computed: ReadonlyMap<string, ComputedValueView>;
  /** Fields with rows of a table. */
  readonly computedRows: ReadonlyMap<string, ComputedRowsView>;
}

export interface ComputedCall {
  readonly field: ComputedField;
  /** What a client may give, in the function's order. */
  readonly clientArguments: readonly ClientArgument[];
}

/** An argument that a client may give. */
export interface ClientArgument {
  /** In GraphQL and, where the function has one, in the database. */
  readonly name: string;
  readonly scalar: Scalar;
  readonly isRequired: boolean;
}

export interface ComputedValueView extends ValueView, ComputedCall {
  /** The view to read it from by primary key, where the role does not call the function itself. */
  readonly through: ViewName | undefined;
}

export interface ComputedRowsView extends ComputedCall {
  readonly name: string;
  readonly table: () => TableView;
}

interface Surroundings {
  readonly role: RoleModel;
  readonly registry: Registry;
  readonly taken: ReadonlySet<string>;
  readonly byKey: ReadonlyMap<TableKey, TableView>;
}

/** Fields whose types PostGraphile cannot describe are left out. */
export function makeComputedViews(
  model: TableModel,
  { select, computedRows }: TablePermissions,
  surroundings: Surroundings,
): ComputedViews {
  const calls = (names: readonly string[]) =>
    names.flatMap((name) => callOf(model.computedFields.get(name), surroundings) ?? []);
  const values = calls(select?.computedFields ?? []).flatMap((call) =>
    valueView(call, computedView(surroundings.role, model, call.field), surroundings),
  );
  const rows = calls(computedRows).flatMap((call) => rowsView(call, surroundings));
  return {
    computed: new Map(values.map((value) => [value.name, value])),
    computedRows: new Map(rows.map((one) => [one.name, one])),
  };
}

/** Whether a client need not and cannot give anything: only then can rows be filtered and ordered by the field. */
export function isPlainCall({ clientArguments }: ComputedCall): boolean {
  return clientArguments.length === 0;
}

function callOf(
  field: ComputedField | undefined,
  { registry, taken }: Surroundings,
): ComputedCall | undefined {
  if (!field) return undefined;
  const given = field.arguments.filter(({ kind }) => kind === 'client');
  const clientArguments = given.flatMap(({ name, type, hasDefault }, index) => {
    const found = registry.type(type);
    if (!found) return [];
    const scalar = scalarOf(found, taken);
    return [{ name: name ?? `arg_${index + 1}`, scalar, isRequired: !hasDefault }];
  });
  return clientArguments.length === given.length ? { field, clientArguments } : undefined;
}

function valueView(
  call: ComputedCall,
  through: ViewName | undefined,
  { registry, taken }: Surroundings,
): readonly ComputedValueView[] {
  const { name, description, result } = call.field;
  const type = result.kind === 'scalar' ? registry.type(result.type) : undefined;
  if (!type) return [];
  const scalar = scalarOf(type, taken);
  const comparisons = comparisonsOf(scalar, registry.operators);
  // The view leaves every argument of clients to its default.
  const clientArguments = through ? [] : call.clientArguments;
  return [{ ...call, clientArguments, name, description, scalar, comparisons, through }];
}

function rowsView(call: ComputedCall, { byKey }: Surroundings): readonly ComputedRowsView[] {
  const { name, result } = call.field;
  if (result.kind !== 'rows') return [];
  const { table: key } = result;
  const table = () => {
    const view = byKey.get(key);
    if (!view) throw new Error(`${name} returns rows of ${key}, which the role cannot select`);
    return view;
  };
  return [{ ...call, name, table }];
}
