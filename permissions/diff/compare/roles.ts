import { shortTable } from '../../expressions/describe.ts';
import { titledHeader } from '../../expressions/session-variables.ts';
import { listed } from '../../text/listed.ts';
import type { RoleModel } from '../../types/model.ts';
import type { RoleLimits } from '../../types/role-limits.ts';
import { type Change, type ChangeClass, makeChange } from '../change.ts';
import { isEqual } from './rule-parts.ts';
import { type Both, type DiffScope, without } from './scope.ts';

/** Compares the roles themselves: which exist, what they require, inherit and may spend. */
export function compareRoles(scope: DiffScope): readonly Change[] {
  const { before, after } = scope;
  const [old, now] = [before.model.roles, after.model.roles];
  const names = [...new Set([...now.keys(), ...old.keys()])].filter((name) => name !== 'admin');
  return names.flatMap((name) => {
    const [was, is] = [old.get(name), now.get(name)];
    const places = { before: before.placeOfRole(name), after: after.placeOfRole(name) };
    const change = { aspect: 'role', role: name, ...places } as const;
    if (was && is) {
      const found = compareRole({ before: was, after: is }, after.model.headerPrefix);
      return found.map((one) => ({ ...one, ...places }));
    }
    // A new role that inherits is reported with the rules that it inherits.
    if (is && is.inherits.length > 0) return [];
    const sentence = is
      ? `${name} is a new role, with access to ${tablesOf(is)}`
      : `${name} is no longer a role: its callers are refused, so they lose access to ${was ? tablesOf(was) : ''}`;
    const tables = [...((is ?? was)?.tables.keys() ?? [])].map(shortTable).sort();
    const details = tables.length > 0 ? [`tables: ${tables.join(', ')}`] : [];
    return [makeChange({ ...change, class: is ? 'review' : 'breaking', sentence, details })];
  });
}

function tablesOf({ tables }: RoleModel): string {
  return `${tables.size} ${tables.size === 1 ? 'table' : 'tables'}`;
}

function compareRole({ before, after }: Both<RoleModel>, headerPrefix: string): readonly Change[] {
  const { name } = after;
  const change = (level: ChangeClass, aspect: Change['aspect'], says: string) =>
    makeChange({ class: level, aspect, role: name, sentence: `${name} ${says}` });
  const header = (one: string) => titledHeader(one, headerPrefix);
  const fewer = without(before.requires, after.requires).map(header);
  const more = without(after.requires, before.requires).map(header);
  const lost = without(before.inherits, after.inherits);
  return [
    ...(fewer.length > 0
      ? [
          change(
            'review',
            'role',
            `no longer requires ${listed(fewer)}: without it, only requests that use a rule which reads it are refused`,
          ),
        ]
      : []),
    ...(more.length > 0
      ? [
          change(
            'breaking',
            'role',
            `now requires ${listed(more)}: requests without it are refused`,
          ),
        ]
      : []),
    ...(lost.length > 0
      ? [change('breaking', 'role', `no longer inherits from ${listed(lost)}`)]
      : []),
    ...(before.introspection === after.introspection
      ? []
      : [
          change(
            after.introspection ? 'review' : 'breaking',
            'role',
            `may ${after.introspection ? 'now' : 'no longer'} query the GraphQL schema`,
          ),
        ]),
    ...limitChanges(before.limits, after.limits).map(({ level, says }) =>
      change(level, 'limits', says),
    ),
  ];
}

/** Limits of one operation: a smaller number refuses more. */
const counted = ['depth', 'nodes', 'crossings', 'seconds'] as const;

interface LimitChange {
  readonly level: ChangeClass;
  readonly says: string;
}

function limitChanges(
  before: RoleLimits | undefined,
  after: RoleLimits | undefined,
): readonly LimitChange[] {
  const text = (limit: number | undefined) =>
    limit === undefined ? 'no limit' : `the limit ${limit}`;
  const found = counted.flatMap((name): readonly LimitChange[] => {
    const [old, now] = [before?.[name], after?.[name]];
    if (old === now) return [];
    const isLower = now !== undefined && (old === undefined || now < old);
    const says = `has ${text(now)} for the ${name} of an operation (before: ${old ?? 'no limit'})`;
    return [{ level: isLower ? 'breaking' : 'review', says }];
  });
  if (!isEqual(before?.rate, after?.rate))
    found.push({
      level: 'review',
      says: `has the rate limit ${rateText(after)} (before: ${rateText(before)})`,
    });
  if (before?.weight !== after?.weight)
    found.push({
      level: 'safe',
      says: `has the weight ${after?.weight ?? 1} (before: ${before?.weight ?? 1})`,
    });
  return found;
}

function rateText(limits: RoleLimits | undefined): string {
  const rate = limits?.rate;
  if (!rate) return 'none';
  const by = typeof rate.by === 'string' ? rate.by : rate.by.join(' and ');
  return `${rate.requests} in ${rate.seconds} s by ${by}`;
}
