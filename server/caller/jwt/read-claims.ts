import type {
  ClaimSource,
  ClaimsConfig,
  ClaimsMap,
  ClaimsNamespace,
} from '../../config/authentication/claims-config.ts';
import { valueAt } from '../../config/authentication/json-path.ts';
import { CallerError } from '../authenticate.ts';
import { type JsonObject, readJsonObject } from './json-object.ts';

/** The roles and session variables in a token. */
export interface RoleClaims {
  readonly allowedRoles: readonly string[];
  readonly defaultRole: string;
  /** The values of all other claims, by name in lower case. */
  readonly others: ReadonlyMap<string, string>;
  /** The prefix of the names. */
  readonly prefix: string;
}

/**
 * Reads the roles and session variables of a verified token.
 * @throws CallerError with Hasura's messages
 */
export function readRoleClaims(token: JsonObject, config: ClaimsConfig): RoleClaims {
  const { claims, prefix } =
    config.kind === 'map' ? readMap(token, config) : readNamespace(token, config);
  const rolesName = `${prefix}allowed-roles`;
  const defaultName = `${prefix}default-role`;
  const [allowedRoles, defaultRole] = [claims.get(rolesName), claims.get(defaultName)];
  if (allowedRoles === undefined) throw missingRole(rolesName);
  if (!isTextList(allowedRoles)) throw invalid(`invalid ${rolesName}; should be a list of roles`);
  if (defaultRole === undefined) throw missingRole(defaultName);
  if (typeof defaultRole !== 'string') {
    throw invalid(`invalid ${defaultName}; should be a single role name`);
  }
  const others = new Map<string, string>();
  for (const [name, value] of claims) {
    if (name === rolesName || name === defaultName) continue;
    if (typeof value !== 'string') throw invalid(`${prefix}* claims: "${name}" should be a string`);
    others.set(name, value);
  }
  return { allowedRoles, defaultRole, others, prefix };
}

/** Claims by name in lower case, all with the prefix. */
interface Claims {
  readonly claims: ReadonlyMap<string, unknown>;
  readonly prefix: string;
}

function readMap(token: JsonObject, { claims: sources, prefix }: ClaimsMap): Claims {
  const claims = new Map<string, unknown>();
  for (const [name, source] of sources) {
    const value = sourced(source, token);
    if (value !== undefined) claims.set(name, value);
    else if (![`${prefix}allowed-roles`, `${prefix}default-role`].includes(name)) {
      throw invalid(`JWT claim from claims_map, ${name} not found`);
    }
  }
  return { claims, prefix };
}

function sourced(source: ClaimSource, token: JsonObject): unknown {
  return 'value' in source ? source.value : (valueAt(token, source.path) ?? source.fallback);
}

function readNamespace(token: JsonObject, config: ClaimsNamespace): Claims {
  const found = valueAt(token, config.path);
  if (found === undefined) {
    throw invalid(
      config.setting === 'claims_namespace'
        ? `claims key: '${config.key}' not found`
        : `claims not found at claims_namespace_path: '${config.key}'`,
    );
  }
  const object = config.isText ? parseText(found, config) : found;
  if (!isObject(object)) throw invalid('expecting a json object when claims_format is json');
  const entries = Object.entries(object).map(([name, value]) => [name.toLowerCase(), value]);
  const all = new Map<string, unknown>(entries as [string, unknown][]);
  if (all.size < entries.length) throw invalid('a claim is given twice');
  const [first = ''] = config.prefixes;
  const prefix =
    config.prefixes.find((one) => [...all.keys()].some((k) => k.startsWith(one))) ?? first;
  return { claims: new Map([...all].filter(([name]) => name.startsWith(prefix))), prefix };
}

function parseText(found: unknown, { setting, key }: ClaimsNamespace): JsonObject {
  if (typeof found !== 'string') {
    throw invalid('expecting a string when claims_format is stringified_json');
  }
  const object = readJsonObject(Buffer.from(found));
  if (object) return object;
  throw invalid(`expecting stringified json at: '${setting} ${key}'`);
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function missingRole(name: string): CallerError {
  return new CallerError('jwt-missing-role-claims', `JWT claim does not contain ${name}`);
}

function invalid(problem: string): CallerError {
  return new CallerError('jwt-invalid-claims', problem);
}
