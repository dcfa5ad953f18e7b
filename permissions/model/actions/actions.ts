import type { Report } from '../../diagnostics.ts';
import type { RawAction, RawActions } from '../../metadata/schemas/actions/actions.ts';
import type { RawCustomType } from '../../metadata/schemas/actions/custom-types.ts';
import type { RawName } from '../../metadata/yaml/node.ts';
import { quote } from '../../text/characters.ts';
import type { Action, CustomType } from '../../types/actions.ts';
import { type NameScope, reportActionConflicts } from '../conflicts/action-conflicts.ts';
import { withAncestors } from '../roles/role-functions.ts';
import { reportUnknownRoles } from '../roles/unknown-roles.ts';
import { validGraphqlName } from '../valid-graphql-name.ts';
import { makeCustomTypes, makeTyped, resolveType, type TypeScope } from './custom-types.ts';

export interface ActionScope extends NameScope {
  /** Names of the roles that roles.yaml declares. */
  readonly roles: readonly string[];
  readonly parentsOf: (role: string) => readonly string[];
  /** Prefix of headers that hold session variables, e.g. `X-Gql-`. */
  readonly headerPrefix: string;
}

/** Actions and their custom types, by name. */
export interface Actions {
  readonly actions: ReadonlyMap<string, Action>;
  readonly customTypes: ReadonlyMap<string, CustomType>;
}

/** Resolves the actions of the metadata. Reports invalid names, types, roles and headers. */
export function makeActions(raw: RawActions, scope: ActionScope): Actions {
  const types: TypeScope = {
    types: firstByName(raw.customTypes, scope.report),
    tables: scope.tables,
    report: scope.report,
  };
  const customTypes = makeCustomTypes(raw.customTypes, types);
  const made = raw.actions.flatMap((one) => makeAction(one, types, scope) ?? []);
  reportActionConflicts(raw, scope);
  return { actions: new Map(made.map((one) => [one.name, one])), customTypes };
}

/**
 * Returns the types by name. Objects, inputs, enums and scalars share one namespace in GraphQL, so a second type with
 * the same name is reported and dropped.
 */
function firstByName(
  raws: readonly RawCustomType[],
  report: Report,
): ReadonlyMap<string, RawCustomType> {
  const types = new Map<string, RawCustomType>();
  for (const raw of raws) {
    const other = types.get(raw.name);
    if (other) {
      const message = `the type ${quote(raw.name)} is defined in line ${other.position.line} too`;
      report.error('RG_NAME_CONFLICT', raw.position, message, 'call one of them otherwise');
    } else types.set(raw.name, raw);
  }
  return types;
}

function makeAction(raw: RawAction, types: TypeScope, scope: ActionScope): Action | undefined {
  const { report } = scope;
  const name = validGraphqlName(raw, report);
  const outputType = resolveType(raw.outputType, 'output', types);
  const given = raw.arguments.flatMap((one) => makeTyped(one, 'input', types) ?? []);
  const isAsynchronous = raw.kind.name === 'asynchronous';
  if (isAsynchronous && raw.type === 'query') {
    const message = `the action ${quote(raw.name)} is a query, which cannot be asynchronous`;
    report.error('RG_ACTION', raw.kind.position, message, 'make it a mutation');
  }
  const roles = rolesOf(raw, scope);
  const forwardClientHeaders = forwardedHeaders(raw, scope);
  if (!name || !outputType) return undefined;
  return {
    name,
    type: raw.type,
    isAsynchronous,
    description: raw.description || undefined,
    arguments: given,
    outputType,
    handler: raw.handler,
    headers: raw.headers,
    forwardClientHeaders,
    retry: raw.retry,
    roles,
    position: raw.position,
  };
}

function rolesOf(
  { permissions }: RawAction,
  { roles, parentsOf, report }: ActionScope,
): ReadonlySet<string> {
  const listed = permissions.filter(({ name }) => name !== 'admin');
  const admin = permissions.find(({ name }) => name === 'admin');
  if (admin) {
    const message = 'the role "admin" may call every action';
    report.error('RG_RESERVED_ROLE', admin.position, message, 'leave it out');
  }
  reportUnknownRoles(listed, roles, report);
  const isAllowed = (role: string) => {
    const all = withAncestors(role, parentsOf);
    return listed.some(({ name }) => all.has(name));
  };
  return new Set(['admin', ...roles.filter(isAllowed)]);
}

function forwardedHeaders(
  { forwardClientHeaders: raws, headers }: RawAction,
  { headerPrefix, report }: ActionScope,
): readonly string[] {
  const own = new Set(headers.map(({ name }) => name.toLowerCase()));
  const seen = new Set<string>();
  for (const raw of raws) {
    const name = raw.name.toLowerCase();
    const refuse = (problem: string, hint: string) =>
      report.error('RG_HEADER', raw.position, `the header ${quote(raw.name)} ${problem}`, hint);
    if (!isForwardable(name, headerPrefix)) {
      refuse('is not forwarded', 'leave it out; the handler gets the session in session_variables');
    } else if (own.has(name)) {
      refuse('is among "headers" too', 'leave it out of one of them');
    } else if (seen.has(name)) refuse('is given twice', 'leave one of the two out');
    seen.add(name);
  }
  return raws.map(nameInLowerCase);
}

function nameInLowerCase({ name }: RawName): string {
  return name.toLowerCase();
}

/**
 * Headers that are never forwarded from a client: headers of the connection, and headers that Rowgate itself sends.
 * Handlers trust the headers from Rowgate, so a client must not choose them.
 */
const ownHeaders: ReadonlySet<string> = new Set([
  ...['content-type', 'content-length', 'content-encoding', 'host', 'user-agent'],
  ...['connection', 'keep-alive', 'transfer-encoding', 'te', 'trailer', 'upgrade', 'expect'],
  ...['proxy-authorization', 'proxy-connection', 'accept-encoding', 'x-platform-api-token'],
]);

/** Prefixes of headers that authenticate the caller or claim an identity. */
const sessionPrefixes = ['x-gql-', 'x-hasura-'];

/**
 * Returns whether a client header (in lower case) may be forwarded to handlers. Headers that hold secrets of the
 * gateway may not be forwarded.
 */
export function isForwardable(name: string, headerPrefix: string): boolean {
  if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name) || ownHeaders.has(name)) return false;
  return ![headerPrefix.toLowerCase(), ...sessionPrefixes].some((one) => name.startsWith(one));
}
