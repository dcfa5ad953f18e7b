import type { Report } from '../../diagnostics.ts';
import type { RawRole } from '../../metadata/schemas/roles.ts';
import { reportUnknownRoles } from './unknown-roles.ts';

/**
 * Returns the parents of each role, which are the roles that it inherits from directly, in the order of the file.
 * Reports unknown parents and omits them. A role that would inherit from itself is reported and gets no parents.
 */
export function resolveParents(
  raws: readonly RawRole[],
  report: Report,
): ReadonlyMap<string, readonly string[]> {
  const names = raws.map(({ name }) => name);
  const known = new Map<string, readonly string[]>();
  for (const { name, inherits } of raws) {
    reportUnknownRoles(inherits, names, report);
    const parents = inherits.map((one) => one.name).filter((one) => names.includes(one));
    known.set(name, [...new Set(parents)]);
  }
  const circular = raws.filter(({ name }) => ancestors(name, known).has(name));
  for (const { name, inherits } of circular) {
    const parent = inherits.find(
      (one) => one.name === name || ancestors(one.name, known).has(name),
    );
    report.error(
      'RG_ROLE_CYCLE',
      parent?.position,
      `role "${name}" inherits from itself${parent && parent.name !== name ? ` by "${parent.name}"` : ''}`,
      'take it out of inherits',
    );
  }
  return new Map([...known, ...circular.map(({ name }) => [name, []] as const)]);
}

/** Returns all roles that a role inherits from, directly or indirectly. */
function ancestors(
  name: string,
  parents: ReadonlyMap<string, readonly string[]>,
): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (role: string): void => {
    for (const parent of parents.get(role) ?? []) {
      if (found.has(parent)) continue;
      found.add(parent);
      visit(parent);
    }
  };
  visit(name);
  return found;
}
