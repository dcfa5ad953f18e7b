import { jwtEntries, type RawJwt } from './schemas/authentication.ts';
import { shapeProblem } from './shape/validate-shape.ts';

/** Parses Hasura's JWT secret: a JSON object, or a list of them. Problems contain no value, because values are secret. */
export function parseJwtSecret(
  text: string,
): { readonly entries: readonly RawJwt[] } | { readonly problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return {
      problem:
        'is not JSON; write it like {"type": "HS256", "key": "…"} or {"jwk_url": "https://…"}',
    };
  }
  const problem = shapeProblem(value, jwtEntries);
  if (problem !== undefined) return { problem };
  return { entries: listOf(value as RawJwt | readonly RawJwt[]) };
}

export function listOf<T extends object>(given: T | readonly T[]): readonly T[] {
  return Array.isArray(given) ? given : [given as T];
}
