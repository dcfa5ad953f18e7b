import { findCycles } from './cycles.ts';
import { readImports } from './imports.ts';
import { findPlatformLiterals } from './literals.ts';
import { findWrongImports } from './order.ts';

/** Everything in a checkout that goes against the layout, a line each. */
export function findProblems(root: string): readonly string[] {
  const imports = readImports(root);
  return [
    ...findCycles(imports),
    ...findWrongImports(imports),
    ...findPlatformLiterals(root, imports),
  ].sort();
}
