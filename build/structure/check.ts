import { findServerCode } from './browser-code.ts';
import { findCycles } from './cycles.ts';
import { readImports } from './imports.ts';
import { findPlatformLiterals } from './literals.ts';
import { findWrongImports } from './order.ts';

/** Returns all problems in the layout of a checkout, one line each. */
export function findProblems(root: string): readonly string[] {
  const imports = readImports(root);
  return [
    ...findCycles(imports),
    ...findWrongImports(imports),
    ...findPlatformLiterals(root, imports),
    ...findServerCode(root, imports),
  ].sort();
}
