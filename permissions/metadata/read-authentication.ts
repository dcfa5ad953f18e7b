import { join } from 'node:path';
import { Report } from '../diagnostics.ts';
import { readFile } from './read-file.ts';
import { jwtEntries, type RawAuthentication, type RawJwt } from './schemas/authentication.ts';
import { settingsFile } from './schemas/settings.ts';
import type { Placed } from './shape/shape.ts';
import { shapeProblem } from './shape/validate-shape.ts';

/**
 * Reads `authentication` of rowgate.yaml. Returns undefined if the file is missing, invalid or has no such key. Loading
 * the folder reports mistakes.
 */
export async function readAuthentication(
  directory: string,
): Promise<Placed<RawAuthentication> | undefined> {
  const settings = await readFile(join(directory, 'rowgate.yaml'), settingsFile, new Report());
  return settings?.authentication;
}

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
