import type {} from 'postgraphile/graphile-build';
import { type GraphQLFieldConfigArgumentMap, GraphQLNonNull } from 'postgraphile/graphql';
import type { ComputedCall } from '../view/computed-view.ts';
import type { TableView } from '../view/role-view.ts';
import type { Dialect } from './dialect-plugin.ts';

/** `<field>_<table>_args`: what a client gives to the function of a computed field. */
export const CallArgumentsPlugin: GraphileConfig.Plugin = {
  name: 'CallArgumentsPlugin',
  version: '1.0.0',
  after: ['DialectPlugin'],
  schema: {
    hooks: {
      init(_, build) {
        const { rowgate } = build;
        for (const table of rowgate.view.tables.values()) {
          for (const call of [...table.computed.values(), ...table.computedRows.values()]) {
            if (call.clientArguments.length === 0) continue;
            const name = typeName(table, call);
            const fields = () => argumentFields(rowgate, call);
            build.registerInputObjectType(name, {}, () => ({ fields }), name);
          }
        }
        return _;
      },
    },
  },
};

/** `args`, where the function takes anything from clients. */
export function callArguments(
  dialect: Dialect,
  table: TableView,
  call: ComputedCall,
): GraphQLFieldConfigArgumentMap {
  if (call.clientArguments.length === 0) return {};
  const type = dialect.input(typeName(table, call));
  const isRequired = call.clientArguments.some((one) => one.isRequired);
  return { args: { type: isRequired ? new GraphQLNonNull(type) : type } };
}

function typeName(table: TableView, { field }: ComputedCall): string {
  return `${field.name}_${table.name}_args`;
}

function argumentFields(dialect: Dialect, { clientArguments }: ComputedCall) {
  const entries = clientArguments.map(({ name, scalar, isRequired }) => {
    const type = dialect.columnInput(scalar);
    return [name, { type: isRequired ? new GraphQLNonNull(type) : type }];
  });
  return Object.fromEntries(entries);
}
