import type { Report } from '../../diagnostics.ts';
import { correctedHeader, findMisspelling } from '../../expressions/session-variables.ts';
import type { RawLimits } from '../../metadata/schemas/roles.ts';
import type { RawName } from '../../metadata/yaml/node.ts';
import { variableName } from '../../text/names.ts';
import type { VariableName } from '../../types/names.ts';
import type { RoleLimits } from '../../types/role-limits.ts';

/** Resolves the limits of a role. Reports names that are not session variables. */
export function resolveLimits(
  raw: RawLimits | undefined,
  headerPrefix: string,
  report: Report,
): RoleLimits | undefined {
  if (!raw) return undefined;
  const { rate, ...others } = raw;
  if (!rate) return { ...others, rate: undefined };
  const by =
    typeof rate.by === 'string' ? rate.by : resolveVariables(rate.by, headerPrefix, report);
  return { ...others, rate: { ...rate, by } };
}

/** Resolves session variables that are written as headers. Reports invalid names. */
export function resolveVariables(
  names: readonly RawName[],
  headerPrefix: string,
  report: Report,
): readonly VariableName[] {
  return names.flatMap(({ name, position }) => {
    const starts = name.toLowerCase().startsWith(headerPrefix.toLowerCase());
    const variable = starts ? variableName(name, headerPrefix) : undefined;
    if (variable !== undefined) return [variable];
    const meant = starts
      ? correctedHeader(name, headerPrefix)
      : findMisspelling(name, headerPrefix)?.header;
    report.error(
      'RG_BAD_VARIABLE',
      position,
      `"${name}" is no name of a session variable`,
      `write ${meant ?? `${headerPrefix}Some-Name`}`,
    );
    return [];
  });
}
