import { type Model, variablesOfHeaders } from '../../permissions/index.ts';
import type { OwnerSession, OwnerWork } from './owner-sessions.ts';

/** Returns an explanation as JSON. Its statements have no lasting effect. */
export async function explained(
  { rolledBack }: OwnerSession,
  explain: OwnerWork<object>,
): Promise<string> {
  return JSON.stringify(await rolledBack(explain));
}

export function namesIn(texts: Readonly<Record<string, unknown>> | undefined): readonly string[] {
  return Object.keys(texts ?? {});
}

export function pairsIn<Text extends string | null>(
  texts: Readonly<Record<string, Text>> | undefined,
): ReadonlyMap<string, Text> {
  return new Map(Object.entries(texts ?? {}));
}

export function variablesIn(
  texts: Readonly<Record<string, string>> | undefined,
  { headerPrefix }: Model,
) {
  return variablesOfHeaders(pairsIn(texts), headerPrefix);
}
