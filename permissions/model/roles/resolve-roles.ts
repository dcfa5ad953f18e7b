import type { Position, Report } from '../../diagnostics.ts';
import type { RawRole } from '../../metadata/schemas/roles.ts';
import { maxNameBytes, postgresWords, reservedRoles } from '../../text/names.ts';
import type { VariableName } from '../../types/names.ts';
import type { RoleLimits } from '../../types/role-limits.ts';
import { resolveLimits, resolveVariables } from './resolve-limits.ts';
import { resolveParents } from './role-parents.ts';

/** A role as roles.yaml declares it, without its rules on tables. */
export interface RoleHead {
  readonly name: string;
  readonly postgresName: string;
  readonly purpose: string;
  readonly requires: readonly VariableName[];
  /** The roles that this role inherits from directly. The roles never form a circle. */
  readonly inherits: readonly string[];
  readonly position: Position;
  readonly limits: RoleLimits | undefined;
  readonly introspection: boolean;
}

export interface RoleNaming {
  readonly rolePrefix: string;
  readonly headerPrefix: string;
}

/** Checks the names of roles, the variables that they require, and their parents. */
export function resolveRoles(
  raws: readonly RawRole[],
  naming: RoleNaming,
  report: Report,
): readonly RoleHead[] {
  const parents = resolveParents(raws, report);
  const required = new Map(
    raws.map(({ name, requires }) => [
      name,
      resolveVariables(requires, naming.headerPrefix, report),
    ]),
  );
  const requiredBy = (name: string): readonly VariableName[] => [
    ...(required.get(name) ?? []),
    ...(parents.get(name) ?? []).flatMap(requiredBy),
  ];
  return raws.flatMap((raw) => {
    const postgresName = `${naming.rolePrefix}${raw.name}`;
    const problem = nameProblem(raw.name, postgresName);
    if (problem !== undefined) report.error('RG_RESERVED_ROLE', raw.position, problem);
    return [
      {
        name: raw.name,
        postgresName,
        purpose: raw.purpose,
        requires: [...new Set(requiredBy(raw.name))],
        inherits: parents.get(raw.name) ?? [],
        position: raw.position,
        limits: resolveLimits(raw.limits, naming.headerPrefix, report),
        introspection: raw.introspection,
      },
    ];
  });
}

function nameProblem(name: string, postgresName: string): string | undefined {
  if (reservedRoles.has(name.toLowerCase())) return `"${name}" is reserved`;
  if (postgresWords.has(postgresName.toLowerCase()))
    return `"${postgresName}" is a word of Postgres, and no name of a role`;
  if (postgresName.toLowerCase().startsWith('pg_'))
    return `"${postgresName}" begins with pg_, which Postgres keeps for itself`;
  if (/^[ ]|[ ]$/.test(name)) return `"${name}" begins or ends with a space, which no header can`;
  const bytes = Buffer.byteLength(postgresName);
  return bytes > maxNameBytes
    ? `the Postgres role "${postgresName}" would be ${bytes} bytes long, ${maxNameBytes} is the limit; ` +
        'a shorter name, or a shorter prefix as ROWGATE_ROLE_PREFIX, makes it fit'
    : undefined;
}
