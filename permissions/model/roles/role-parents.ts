import type { Report } from '../../diagnostics.ts';
import type { RawRole } from '../../metadata/schemas/roles.ts';
import { reportUnknownRoles } from './unknown-roles.ts';

/**
 * From which roles each role inherits, by name, in the order in which they are written. Unknown ones are reported and
 * left out; so are those of roles that inherit from themselves, however far around.
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
    const way = inherits.find((one) => one.name === name || ancestors(one.name, known).has(name));
    report.error(
      'RG_ROLE_CYCLE',
      way?.position,
      `role "${name}" inherits from itself${way && way.name !== name ? ` by "${way.name}"` : ''}`,
      'take it out of inherits',
    );
  }
  return new Map([...known, ...circular.map(({ name }) => [name, []] as const)]);
}

/** All roles that a role inherits from, however far up. */
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
