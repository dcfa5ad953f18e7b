import type {} from 'postgraphile/graphile-build';
import { type GraphQLFieldConfigArgumentMap, GraphQLNonNull } from 'postgraphile/graphql';
import type { FunctionView } from '../view/function-view.ts';
import type { CallView, ComputedCall, TableView } from '../view/table-view.ts';
import { makePart } from './dialect-part.ts';
import type { Dialect } from './dialect-plugin.ts';

/**
 * Defines `<field>_<table>_args` and `<function>_args`: the arguments for the functions of computed fields and root
 * fields.
 */
export const callArgumentsPart = makePart('CallArgumentsPlugin', {
  types(build) {
    const { rowgate } = build;
    const register = (name: string, call: CallView) => {
      const fields = () => argumentFields(rowgate, call);
      build.registerInputObjectType(name, {}, () => ({ fields }), name);
    };
    const declared = new Set<string>();
    for (const table of rowgate.view.tables.values()) {
      for (const call of [...table.computed.values(), ...table.computedRows.values()]) {
        if (call.clientArguments.length > 0) register(typeName(table, call), call);
      }
    }
    const { queries, mutations } = rowgate.view.functions;
    for (const { call } of [...queries.values(), ...mutations.values()]) {
      const name = `${call.model.name}_args`;
      if (call.clientArguments.length === 0 || declared.has(name)) continue;
      declared.add(name);
      register(name, call);
    }
  },
});

/** The argument `args` of a computed field, if its function accepts arguments from clients. */
export function callArguments(
  dialect: Dialect,
  table: TableView,
  call: ComputedCall,
): GraphQLFieldConfigArgumentMap {
  return argsOf(dialect, call, typeName(table, call));
}

/** The argument `args` of a root field, if its function accepts arguments from clients. */
export function functionArguments(
  dialect: Dialect,
  call: FunctionView,
): GraphQLFieldConfigArgumentMap {
  return argsOf(dialect, call, `${call.model.name}_args`);
}

function argsOf(
  dialect: Dialect,
  { clientArguments }: CallView,
  typeName: string,
): GraphQLFieldConfigArgumentMap {
  if (clientArguments.length === 0) return {};
  const type = dialect.input(typeName);
  const isRequired = clientArguments.some((one) => one.isRequired);
  return { args: { type: isRequired ? new GraphQLNonNull(type) : type } };
}

function typeName(table: TableView, { field }: ComputedCall): string {
  return `${field.name}_${table.name}_args`;
}

// All arguments are nullable, because a client may pass null to a function. So a missing required argument is reported
// only when the call is compiled.
function argumentFields(dialect: Dialect, { clientArguments }: CallView) {
  const entries = clientArguments.map(({ name, scalar }) => [
    name,
    { type: dialect.columnInput(scalar) },
  ]);
  return Object.fromEntries(entries);
}
