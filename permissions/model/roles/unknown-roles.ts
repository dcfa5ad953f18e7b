import type { Report } from '../../diagnostics.ts';
import type { RawName } from '../../metadata/yaml/node.ts';
import { quote } from '../../text/characters.ts';
import { didYouMean } from '../../text/nearest.ts';

/** Reports each of the given role names that roles.yaml does not declare, at the position of the name. */
export function reportUnknownRoles(
  names: readonly RawName[],
  known: readonly string[],
  report: Report,
): void {
  for (const { name, position } of names) {
    if (known.includes(name)) continue;
    const hint = didYouMean(name, known) ?? 'declare it there';
    report.error('RG_UNKNOWN_ROLE', position, `role ${quote(name)} is not in roles.yaml`, hint);
  }
}
