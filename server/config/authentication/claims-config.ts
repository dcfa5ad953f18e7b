import type { RawJwt } from '../../../permissions/index.ts';
import { variableName } from '../../../permissions/index.ts';
import { AuthenticationProblem } from './authentication-problem.ts';
import { type JsonPath, parseJsonPath } from './json-path.ts';
import { claimsPrefixes, type SettingContext } from './setting-reader.ts';

/** The place of the roles and session variables in a token. */
export type ClaimsConfig = ClaimsNamespace | ClaimsMap;

/** One object in the token contains all roles and session variables. */
export interface ClaimsNamespace {
  readonly kind: 'namespace';
  readonly path: JsonPath;
  /** The key as configured, for messages. */
  readonly key: string;
  readonly setting: 'claims_namespace' | 'claims_namespace_path';
  /** Whether the object is JSON in a text. */
  readonly isText: boolean;
  /** The accepted prefixes, in lower case. The first prefix that occurs in the claims decides. */
  readonly prefixes: readonly string[];
}

/** Each role or session variable has a separate place in the token. */
export interface ClaimsMap {
  readonly kind: 'map';
  readonly prefix: string;
  /** The sources by the name of the claim, in lower case. */
  readonly claims: ReadonlyMap<string, ClaimSource>;
}

/** The value of a claim: fixed, or at a path of the token. */
export type ClaimSource =
  | { readonly value: string | readonly string[] }
  | { readonly path: JsonPath; readonly fallback: string | readonly string[] | undefined };

const defaultNamespace = 'https://hasura.io/jwt/claims';

/** @throws AuthenticationProblem */
export function readClaimsConfig(raw: RawJwt, context: SettingContext): ClaimsConfig {
  const { claims_namespace: name, claims_namespace_path: path, claims_format: format } = raw;
  if (raw.claims_map !== undefined) {
    refuseBeside('claims_map', {
      claims_namespace: name,
      claims_namespace_path: path,
      claims_format: format,
    });
    return readClaimsMap(raw.claims_map, claimsPrefixes(raw.claims_prefix, context));
  }
  if (path !== undefined) refuseBeside('claims_namespace_path', { claims_namespace: name });
  return {
    kind: 'namespace',
    path: path === undefined ? [name ?? defaultNamespace] : parseJsonPath(path),
    key: path ?? name ?? defaultNamespace,
    setting: path === undefined ? 'claims_namespace' : 'claims_namespace_path',
    isText: format === 'stringified_json',
    prefixes: claimsPrefixes(raw.claims_prefix, context),
  };
}

/** Refuses settings that have no effect beside another one. @throws AuthenticationProblem */
export function refuseBeside(
  name: string,
  others: Readonly<Record<string, string | undefined>>,
): void {
  const lost = Object.keys(others).find((other) => others[other] !== undefined);
  if (lost === undefined) return;
  throw new AuthenticationProblem(`has ${lost}, which has no effect beside ${name}`);
}

function readClaimsMap(
  raw: NonNullable<RawJwt['claims_map']>,
  prefixes: readonly string[],
): ClaimsMap {
  const claims = new Map<string, ClaimSource>();
  for (const [key, source] of Object.entries(raw)) {
    const name = key.toLowerCase();
    if (claims.has(name)) throw new AuthenticationProblem(`has ${name} twice in claims_map`);
    claims.set(name, readSource(source));
  }
  const prefix = prefixes.find((one) => claims.has(`${one}allowed-roles`)) ?? prefixes[0] ?? '';
  for (const role of ['allowed-roles', 'default-role']) {
    if (claims.has(`${prefix}${role}`)) continue;
    throw new AuthenticationProblem(`has a claims_map without ${prefix}${role}`);
  }
  for (const [name, source] of claims) refuseClaim(name, source, prefix);
  return { kind: 'map', prefix, claims };
}

function readSource(source: NonNullable<RawJwt['claims_map']>[string]): ClaimSource {
  if (typeof source === 'string' || isList(source)) return { value: source };
  return { path: parseJsonPath(source.path), fallback: source.default };
}

function isList(source: object): source is readonly string[] {
  return Array.isArray(source);
}

function refuseClaim(name: string, source: ClaimSource, prefix: string): void {
  const rest = name.startsWith(prefix) ? name.slice(prefix.length) : undefined;
  const isRoles = rest === 'allowed-roles';
  const isKnown = rest === 'default-role' || isRoles;
  if (!isKnown && (rest === undefined || variableName(name, prefix) === undefined)) {
    throw new AuthenticationProblem(
      `has ${JSON.stringify(name)} in claims_map, which is not ${prefix} with the name of a session variable`,
    );
  }
  const value = 'value' in source ? source.value : source.fallback;
  if (value === undefined || (typeof value === 'string') !== isRoles) return;
  throw new AuthenticationProblem(
    `has a value for ${name} that is not ${isRoles ? 'a list of roles' : 'a text'}`,
  );
}
