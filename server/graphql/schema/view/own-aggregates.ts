import type { ExtensionOperators } from '../registry/extension-operators.ts';
import { isBuiltin, type Scalar } from './scalar.ts';

/** Schemas of `min` and `max` where the type of an extension brings its own. */
export function ownAggregates(
  { type }: Scalar,
  operators: ExtensionOperators,
): ReadonlyMap<string, string> {
  if (isBuiltin(type) || type.element) return new Map();
  const entries = ['min', 'max'].flatMap((name) => {
    const schema = operators.aggregate(type.schema, type.name, name);
    return schema === undefined ? [] : [[name, schema] as const];
  });
  return new Map(entries);
}
