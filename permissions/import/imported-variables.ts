import { titledHeader } from '../expressions/session-variables.ts';
import { looksLikeVariable, variableName } from '../text/names.ts';
import type { Imported, Plain } from './hasura/imported.ts';
import { isEscaped } from './hasura/values.ts';

/** Returns the session variables of all rules and limits, sorted, as headers such as `X-Gql-User-Id`. */
export function variablesOf(
  { tables, roleSettings }: Imported,
  headerPrefix: string,
): readonly string[] {
  const rules = tables.flatMap((table) => table.rules.map(({ body }) => body));
  const texts = [...rules, ...roleSettings.values()].flatMap(textsIn);
  const names = texts
    .filter((text) => looksLikeVariable(text, headerPrefix))
    .flatMap((text) => variableName(text, headerPrefix) ?? []);
  return [...new Set(names)].sort().map((name) => titledHeader(name, headerPrefix));
}

function textsIn(value: Plain): readonly string[] {
  if (typeof value === 'string') return [value];
  if (isEscaped(value)) return [];
  if (value instanceof Map) return [...value.values()].flatMap(textsIn);
  return Array.isArray(value) ? value.flatMap(textsIn) : [];
}
