import type { Imported, ImportedAllowList, Plain, PlainMap } from './hasura/imported.ts';
import { compare } from './hasura/rules/translate-permissions.ts';

/** Returns the content of roles.yaml: every role with its settings. */
export function rolesOf(imported: Imported): PlainMap {
  const { tables, functions, actions, inheritingRoles, roleSettings, allowList } = imported;
  const parents = new Map(inheritingRoles.map(({ role, inherits }) => [role, inherits]));
  const names = new Set([
    ...tables.flatMap(({ rules }) => rules.map(({ role }) => role)),
    ...[...parents].flat(2),
    ...roleSettings.keys(),
    ...allowList.allow.flatMap(({ roles }) => roles ?? []),
    ...[...functions, ...actions].flatMap(({ roles }) => roles),
  ]);
  const body = (name: string): PlainMap => {
    const inherits = parents.get(name);
    return new Map<string, Plain>([
      ...(inherits ? [['inherits', inherits] as const] : []),
      ...(roleSettings.get(name) ?? []),
    ]);
  };
  return new Map([...names].sort(compare).map((name) => [name, body(name)]));
}

/** Returns the content of allow_list.yaml. */
export function allowListMap({ collections, allow }: ImportedAllowList): PlainMap {
  const entries = allow.map(({ collection, roles }) => {
    const entry = new Map<string, Plain>([['collection', collection]]);
    return roles ? entry.set('roles', roles) : entry;
  });
  return new Map<string, Plain>([
    ['collections', new Map([...collections].map(([name, list]) => [name, operations(list)]))],
    ...(entries.length > 0 ? [['allow', entries] as const] : []),
  ]);
}

function operations(list: readonly PlainMap[]): PlainMap {
  return new Map([['operations', list]]);
}
