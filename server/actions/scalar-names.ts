import { Kind, parse, type TypeNode } from 'postgraphile/graphql';
import type { Action } from '../../permissions/index.ts';
import { furtherScalars } from '../graphql/schema/view/extension-catalog.ts';
import { actionSdl } from './action-sdl.ts';
import type { CustomTypes } from './coerce.ts';

/**
 * Returns the scalars of actions.yaml that PostGraphile replaces by other scalars. The keys are schema coordinates:
 * `Query.field`, `Query.field(argument:)` and `Type.field`.
 */
export function scalarNames(
  actions: readonly Action[],
  types: CustomTypes,
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const note = (coordinate: string, type: TypeNode) => {
    const name = nameOf(type);
    if (Object.hasOwn(furtherScalars, name)) names.set(coordinate, name);
  };
  for (const node of parse(actionSdl(actions, types, (name) => name)).definitions) {
    if (!('fields' in node)) continue;
    for (const field of node.fields ?? []) {
      const coordinate = `${node.name.value}.${field.name.value}`;
      note(coordinate, field.type);
      if (field.kind !== Kind.FIELD_DEFINITION) continue;
      for (const { name, type } of field.arguments ?? []) {
        note(`${coordinate}(${name.value}:)`, type);
      }
    }
  }
  return names;
}

function nameOf(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : nameOf(type.type);
}
