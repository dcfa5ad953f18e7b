import { listed } from '../../text/listed.ts';
import type { RoleModel } from '../../types/model.ts';
import type { TableKey } from '../../types/names.ts';
import { type Change, makeChange } from '../change.ts';
import { compareMasks } from './masks.ts';
import { compareRelatedAccess } from './related-access.ts';
import { compareRowRules } from './row-rules.ts';
import { compareExistence, compareRuleParts } from './rule-parts.ts';
import { type DiffScope, type RolePair, tableName } from './scope.ts';

/** Compares the rules of all roles on all tables. Effects on inheriting roles are summarized. */
export function compareRoleTables(scope: DiffScope): readonly Change[] {
  const { before, after } = scope;
  const names = [...new Set([...after.model.roles.keys(), ...before.model.roles.keys()])];
  const changes = parentsFirst(names, scope)
    .filter((role) => role !== 'admin')
    .flatMap((role) => compareRole(role, scope));
  return foldInherited(changes);
}

function compareRole(role: string, scope: DiffScope): readonly Change[] {
  const roles = {
    before: scope.before.model.roles.get(role),
    after: scope.after.model.roles.get(role),
  };
  if (!roles.after) return [];
  const keys = new Set([...roles.after.tables.keys(), ...(roles.before?.tables.keys() ?? [])]);
  const changes = [...keys].sort().flatMap((key) => compareTable({ role, roles, key, scope }));
  const parents = newParents(roles.before, roles.after);
  return parents.length > 0
    ? summarizeParents({ role, parents, changes, scope, isNew: !roles.before })
    : changes;
}

function compareTable(
  given: Pick<RolePair, 'role' | 'roles' | 'scope'> & { readonly key: TableKey },
): readonly Change[] {
  const { roles, scope, key } = given;
  const tables = {
    before: scope.before.model.tables.get(key),
    after: scope.after.model.tables.get(key),
  };
  // A table that is gone is one change of its own.
  if (!tables.after) return [];
  const rules = { before: roles.before?.tables.get(key), after: roles.after?.tables.get(key) };
  const pair: RolePair = { ...given, ...rules, tables, table: tableName(key, scope) };
  return [
    ...compareExistence(pair),
    ...compareRowRules(pair),
    ...compareMasks(pair),
    ...compareRuleParts(pair),
    ...compareRelatedAccess(pair),
  ];
}

function newParents(before: RoleModel | undefined, after: RoleModel): readonly string[] {
  return after.inherits.filter((name) => !before?.inherits.includes(name));
}

interface NewParents {
  readonly role: string;
  readonly parents: readonly string[];
  readonly changes: readonly Change[];
  readonly scope: DiffScope;
  /** Whether the role itself is new. */
  readonly isNew: boolean;
}

/** Replaces the new rules that a role has by a new parent with one change for the role. */
function summarizeParents({ role, parents, changes, scope, isNew }: NewParents): readonly Change[] {
  const isInherited = ({ aspect, inheritedFrom }: Change) =>
    aspect === 'rule' && inheritedFrom.some((name) => parents.includes(name));
  const summarized = changes.filter(isInherited);
  const tables = new Set(summarized.map(({ table }) => table));
  const change = makeChange({
    ...{ class: 'review', aspect: 'role', role, inheritedFrom: parents },
    sentence: `${role} ${isNew ? 'is a new role that' : 'now'} inherits from ${listed(parents)} and so gets access to ${tables.size} ${tables.size === 1 ? 'table' : 'tables'}`,
    details: accessOf(role, summarized),
    ...{ before: scope.before.placeOfRole(role), after: scope.after.placeOfRole(role) },
  });
  return [change, ...changes.filter((one) => !isInherited(one))];
}

/** Lists what new rules allow, without the role: what it may write first, and the tables that it sees as a whole last. */
function accessOf(role: string, changes: readonly Change[]): readonly string[] {
  const sentences = changes
    .toSorted((a, b) => Number(a.command === 'select') - Number(b.command === 'select'))
    .map(({ sentence }) => sentence.slice(role.length + 1));
  const prefix = 'may now see every row of ';
  const whole = sentences.filter((one) => one.startsWith(prefix));
  return [
    ...sentences.filter((one) => !one.startsWith(prefix)),
    ...(whole.length > 0 ? [prefix + listed(whole.map((one) => one.slice(prefix.length)))] : []),
  ];
}

/** Returns the roles in an order in which each role stands after the roles that it inherits from. */
function parentsFirst(names: readonly string[], { before, after }: DiffScope): readonly string[] {
  const found = new Set<string>();
  const visit = (name: string): void => {
    const role = after.model.roles.get(name) ?? before.model.roles.get(name);
    for (const parent of role?.inherits ?? []) if (!found.has(parent)) visit(parent);
    found.add(name);
  };
  for (const name of names) visit(name);
  return [...found];
}

/**
 * Adds each change of an inheriting role to the same change of a role that it inherits from. A change that differs,
 * e.g. because another parent shows the rows anyway, stays a change of its own.
 */
function foldInherited(changes: readonly Change[]): readonly Change[] {
  const kept = new Map<string, Change>();
  const standsFor = new Map<string, string>();
  for (const change of changes) {
    const own = keyOf(change, change.role);
    const parent = change.inheritedFrom
      .map((name) => standsFor.get(keyOf(change, name)))
      .find((key) => key !== undefined);
    const root = parent === undefined ? undefined : kept.get(parent);
    if (parent !== undefined && root && change.role !== undefined) {
      kept.set(parent, { ...root, inheritedBy: [...root.inheritedBy, change.role] });
      standsFor.set(own, parent);
    } else {
      kept.set(own, change);
      standsFor.set(own, own);
    }
  }
  return [...kept.values()];
}

/** Identifies a change as it would stand for a role. */
function keyOf(change: Change, role: string | undefined): string {
  const { aspect, table, command, sentence } = change;
  const rest = sentence.slice(change.role?.length ?? 0);
  return JSON.stringify([role, aspect, table, command, rest]);
}
