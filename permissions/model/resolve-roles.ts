import type { Report } from '../diagnostics.ts';
import type { RawRole } from '../load/raw.ts';
import { maxNameBytes, reservedRoles, variableName } from './names.ts';
import type { VariableName } from './types.ts';

/** A role without its rules. */
export interface RoleHead {
  readonly name: string;
  readonly postgresName: string;
  readonly purpose: string;
  readonly requires: readonly VariableName[];
}

export interface RoleNaming {
  readonly rolePrefix: string;
  readonly headerPrefix: string;
}

/** Checks the names of roles and what they require. */
export function resolveRoles(
  raws: readonly RawRole[],
  naming: RoleNaming,
  report: Report,
): readonly RoleHead[] {
  return raws.flatMap((raw) => {
    const postgresName = `${naming.rolePrefix}${raw.name}`;
    const problem = nameProblem(raw.name, postgresName);
    if (problem !== undefined) report.error('RG_RESERVED_ROLE', raw.position, problem);
    return [
      {
        name: raw.name,
        postgresName,
        purpose: raw.purpose,
        requires: required(raw, naming, report),
      },
    ];
  });
}

function nameProblem(name: string, postgresName: string): string | undefined {
  if (reservedRoles.has(name.toLowerCase())) return `"${name}" is reserved`;
  if (postgresName.toLowerCase().startsWith('pg_'))
    return `"${postgresName}" begins with pg_, which Postgres keeps for itself`;
  if (/^[ ]|[ ]$/.test(name)) return `"${name}" begins or ends with a space, which no header can`;
  const bytes = Buffer.byteLength(postgresName);
  return bytes > maxNameBytes
    ? `the Postgres role "${postgresName}" would be ${bytes} bytes long, ${maxNameBytes} is the limit`
    : undefined;
}

function required(
  raw: RawRole,
  { headerPrefix }: RoleNaming,
  report: Report,
): readonly VariableName[] {
  return raw.requires.flatMap(({ name, position }) => {
    const starts = name.toLowerCase().startsWith(headerPrefix.toLowerCase());
    const variable = starts ? variableName(name, headerPrefix) : undefined;
    if (variable !== undefined) return [variable];
    report.error(
      'RG_BAD_VARIABLE',
      position,
      `"${name}" is no name of a session variable`,
      `write ${headerPrefix}Some-Name`,
    );
    return [];
  });
}
