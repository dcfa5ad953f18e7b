import { titledHeader } from '../../../expressions/session-variables.ts';
import { variableName } from '../../../text/names.ts';
import type { ImportReport } from '../import-report.ts';
import type { Plain, PlainMap } from '../imported.ts';
import { type Cursor, field, flag, isEmpty, items, members, text } from '../input/cursor.ts';
import { isPossibleName, isPossibleRole } from '../possible-role.ts';
import { hasuraPrefix } from '../values.ts';

/** Rowgate's key and maximum value of a limit, by Hasura's key. */
const numbers: Readonly<Record<string, readonly [string, number]>> = {
  depth_limit: ['depth', 1000],
  node_limit: ['nodes', 20_000],
  time_limit: ['seconds', 3600],
};

const known = ['disabled', 'rate_limit', 'batch_limit', ...Object.keys(numbers)];

/** The settings of one role in roles.yaml. */
type Settings = Map<string, Plain>;

interface Scope {
  readonly headerPrefix: string;
  readonly report: ImportReport;
}

/**
 * Translates `api_limits` and `graphql_schema_introspection` to settings of roles.
 * @param roles roles with rules; global limits are written for each of them
 */
export function translateRoleSettings(
  root: Cursor,
  roles: readonly string[],
  scope: Scope,
): ReadonlyMap<string, PlainMap> {
  const settings = new Map<string, Settings>();
  const settingsOf = (role: string) => {
    const own = settings.get(role) ?? new Map<string, Plain>();
    settings.set(role, own);
    return own;
  };
  for (const [role, limits] of limitsByRole(root, roles, scope)) {
    settingsOf(role).set('limits', limits);
  }
  const switches = field(root, 'graphql_schema_introspection');
  for (const role of items(switches && field(switches, 'disabled_for_roles'))) {
    if (isPossibleRole(role, scope.report)) settingsOf(text(role)).set('introspection', false);
  }
  return settings;
}

function limitsByRole(
  root: Cursor,
  roles: readonly string[],
  scope: Scope,
): ReadonlyMap<string, PlainMap> {
  const { report } = scope;
  const limits = field(root, 'api_limits');
  if (!limits || isEmpty(limits)) return new Map();
  if (flag(field(limits, 'disabled'))) {
    report.add('change', limits, 'API limits: they are switched off, and left out');
    return new Map();
  }
  report.unknownKeys(members(limits), known, 'API limits');
  const batch = field(limits, 'batch_limit');
  if (batch) {
    const message = 'API limits: "batch_limit" is not imported';
    report.add('feature', batch, message, 'ROWGATE_MAX_BATCH says it for all roles');
  }
  const found = new Map<string, Settings>();
  const add = (role: string, key: string, value: Plain) =>
    found.set(role, (found.get(role) ?? new Map<string, Plain>()).set(key, value));
  const read = (key: string, ours: string, translate: (value: Cursor) => Plain) => {
    const limit = field(limits, key);
    if (!limit) return;
    report.unknownKeys(members(limit), ['global', 'per_role', 'state'], `API limits, "${key}"`);
    const common = field(limit, 'global');
    if (common) for (const role of roles) add(role, ours, translate(common));
    for (const { key: role, value } of members(field(limit, 'per_role'))) {
      if (isPossibleName(role, value, report)) add(role, ours, translate(value));
    }
  };
  read('rate_limit', 'rate', (value) => translateRate(value, scope));
  for (const [key, [ours, max]] of Object.entries(numbers)) {
    read(key, ours, (value) => whole(value, max, report));
  }
  return found;
}

function translateRate(from: Cursor, { headerPrefix, report }: Scope): PlainMap {
  const requests = field(from, 'max_reqs_per_min');
  const rate = new Map<string, Plain>([
    ['requests', requests ? whole(requests, 1_000_000, report) : 1],
    ['seconds', 60],
  ]);
  const unique = field(from, 'unique_params');
  if (!unique) return rate.set('by', 'role');
  if (unique.node.kind !== 'list') return rate.set('by', 'address');
  const variables = items(unique).flatMap((item) => variableIn(item, headerPrefix) ?? []);
  return rate.set('by', variables.length > 0 ? variables : 'role');
}

function variableIn(item: Cursor, headerPrefix: string): string | undefined {
  const rest = text(item).slice(hasuraPrefix.length);
  const name = variableName(`${headerPrefix}${rest}`, headerPrefix);
  return name === undefined ? undefined : titledHeader(name, headerPrefix);
}

/** Returns the value as an integer within Rowgate's range. Reports when the value had to be changed. */
function whole(from: Cursor, max: number, report: ImportReport): number {
  const given = from.node.kind === 'scalar' ? Number(from.node.value) : 1;
  const fits = Math.min(Math.max(Math.floor(given) || 1, 1), max);
  if (fits !== given) report.add('change', from, `API limits: ${given} is ${fits} here`);
  return fits;
}
