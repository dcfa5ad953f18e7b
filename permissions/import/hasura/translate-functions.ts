import { withPermissions } from './count.ts';
import type { ImportReport } from './import-report.ts';
import type { ImportedFunction, Plain, PlainMap } from './imported.ts';
import {
  type Cursor,
  field,
  isEmpty,
  items,
  members,
  required,
  text,
  UnreadableInput,
} from './input/cursor.ts';
import { isPossibleRole } from './possible-role.ts';
import { compare } from './rules/translate-permissions.ts';
import { readTableName, type TableName, tableKey, tableLabel, tableNode } from './table-name.ts';
import { hasuraPrefix } from './values.ts';

interface FunctionScope {
  readonly headerPrefix: string;
  readonly report: ImportReport;
}

const settings = ['custom_name', 'custom_root_fields', 'session_argument', 'exposed_as'];

/**
 * Translates the `functions` of a database, sorted. They get the rights of an owner, because Hasura calls each function
 * with its own login and then returns only the rows that the caller's rule shows.
 */
export function translateFunctions(
  source: Cursor | undefined,
  scope: FunctionScope,
): readonly ImportedFunction[] {
  const seen = new Set<string>();
  const functions = items(source && field(source, 'functions')).map((from) => {
    const named = readTableName(required(from, 'function'));
    const key = tableKey(named);
    const label = `the function "${tableLabel(named)}"`;
    if (seen.has(key)) throw new UnreadableInput(from, `${label} is tracked twice`);
    seen.add(key);
    return translateFunction(named, from, scope);
  });
  return functions.toSorted((a, b) => compare(a.schema, b.schema) || compare(a.name, b.name));
}

/** Returns the message about a function that is not imported. */
export function lostFunction(called: ImportedFunction): string {
  return `the function "${tableLabel(called)}" is left out${withPermissions(called.roles.length)}`;
}

function translateFunction(
  named: TableName,
  from: Cursor,
  { headerPrefix, report }: FunctionScope,
): ImportedFunction {
  const where = `function "${tableLabel(named)}"`;
  const configuration = field(from, 'configuration');
  report.unknownKeys(members(from), ['function', 'configuration', 'permissions', 'comment'], where);
  report.unknownKeys(members(configuration), settings, `${where}, configuration`);
  const setting = (key: string) => configuration && field(configuration, key);
  const body = new Map<string, Plain>([['function', tableNode(named)]]);
  for (const key of ['exposed_as', 'session_argument']) {
    const value = setting(key);
    if (value && !isEmpty(value)) body.set(key, text(value));
  }
  const session = setting('session_argument');
  if (session && !isEmpty(session) && headerPrefix.toLowerCase() !== hasuraPrefix) {
    const message = `it gets session variables as ${headerPrefix.toLowerCase()}…, not as ${hasuraPrefix}…`;
    const hint = 'change what it looks for, or set ROWGATE_HEADER_PREFIX=X-Hasura-';
    report.add('change', session, `${where}: ${message}`, hint);
  }
  body.set('rights', 'owner');
  const roles = rolesOf(from, report);
  if (roles.length > 0) body.set('permissions', roles.toSorted());
  const graphql = namesOf(from, configuration, where, report);
  if (graphql.size > 0) body.set('graphql', graphql);
  return { ...named, body, roles, from };
}

/** Returns the roles that may call the function, without duplicates. */
function rolesOf(from: Cursor, report: ImportReport): readonly string[] {
  const named = items(field(from, 'permissions')).map((one) => required(one, 'role'));
  const possible = named.filter((role) => isPossibleRole(role, report, 'permission'));
  return [...new Set(possible.map(text))];
}

function namesOf(
  from: Cursor,
  configuration: Cursor | undefined,
  where: string,
  report: ImportReport,
): PlainMap {
  const graphql = new Map<string, Plain>();
  const name = configuration && field(configuration, 'custom_name');
  const comment = field(from, 'comment');
  if (name && !isEmpty(name)) graphql.set('name', text(name));
  if (comment && !isEmpty(comment)) graphql.set('description', text(comment));
  const given = members(configuration && field(configuration, 'custom_root_fields'));
  report.unknownKeys(given, ['function', 'function_aggregate'], `${where}, custom_root_fields`);
  const fields = given.filter(({ value }) => !isEmpty(value));
  const roots = fields.map(({ key, value }): [string, Plain] => [key, text(value)]);
  if (roots.length > 0) graphql.set('root_fields', new Map(roots));
  return graphql;
}
