import type { Report } from '../../diagnostics.ts';
import type { RawName } from '../../metadata/yaml/node.ts';
import { quote } from '../../text/characters.ts';
import { didYouMean } from '../../text/nearest.ts';

/** Reports each role name that roles.yaml does not declare, at its own position. */
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
