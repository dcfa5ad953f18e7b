import { listed } from '../../text/listed.ts';
import type { Model } from '../../types/model.ts';
import { type Change, makeChange } from '../change.ts';
import { compareNamed } from './named-parts.ts';
import { isEqual } from './rule-parts.ts';
import type { DiffScope } from './scope.ts';

/** Compares everything beside tables and roles: functions, actions, events, schedules and listed operations. */
export function compareOperations(scope: DiffScope): readonly Change[] {
  const [before, after] = [scope.before.model, scope.after.model];
  const models = { before, after };
  return [
    ...compareNamed(scope, {
      ...{ aspect: 'function', label: 'the function', added: 'review', removed: 'breaking' },
      ...{ before: before.functions, after: after.functions },
      rolesOf: ({ key }, version) => callersOf(key, models[version]),
      special: {
        rights: (old, now) =>
          old.rights === now.rights
            ? undefined
            : {
                level: now.rights === 'owner' ? 'dangerous' : 'review',
                says: `now runs with the rights of its ${now.rights}, before of its ${old.rights}`,
              },
        rootFields: (old, now) =>
          isEqual(old.rootFields, now.rootFields)
            ? undefined
            : {
                level: 'breaking',
                says: `has the root fields ${listed(Object.values(now.rootFields))}, before ${listed(Object.values(old.rootFields))}`,
              },
      },
    }),
    ...compareNamed(scope, {
      ...{ aspect: 'action', label: 'the action', added: 'review', removed: 'breaking' },
      ...{ before: before.actions, after: after.actions },
      rolesOf: ({ roles }) => [...roles],
    }),
    ...compareNamed(scope, {
      ...{ aspect: 'action', label: 'the type', added: 'safe', removed: 'breaking' },
      ...{ before: before.customTypes, after: after.customTypes },
    }),
    ...compareNamed(scope, {
      ...{ aspect: 'event', label: 'the event trigger', added: 'review', removed: 'review' },
      ...{ before: before.events, after: after.events },
      shown: ['columns', 'operations', 'payload'],
    }),
    ...compareNamed(scope, {
      ...{ aspect: 'schedule', label: 'the schedule', added: 'review', removed: 'review' },
      ...{ before: before.schedules, after: after.schedules },
      shown: ['cron', 'timeZone'],
    }),
    ...compareAllowList(scope),
    ...compareGraphile(scope),
  ];
}

function callersOf(key: string, { roles }: Model): readonly string[] {
  return [...roles.values()].filter((role) => role.functions.includes(key)).map(({ name }) => name);
}

function compareAllowList(scope: DiffScope): readonly Change[] {
  const byName = ({ allowList }: Model) =>
    new Map(allowList.map((one) => [`${one.collection}/${one.name}`, one]));
  return compareNamed(scope, {
    ...{
      aspect: 'allow-list',
      label: 'the listed operation',
      added: 'review',
      removed: 'breaking',
    },
    ...{ before: byName(scope.before.model), after: byName(scope.after.model) },
    rolesOf: ({ roles }) => (roles === 'everybody' ? ['every role'] : roles),
  });
}

/** Compares graphile.yaml, whose plugins can add fields that no rule describes. */
function compareGraphile(scope: DiffScope): readonly Change[] {
  const [before, after] = [scope.before.model.graphile, scope.after.model.graphile];
  const change = (level: Change['class'], sentence: string) =>
    makeChange({ class: level, aspect: 'graphile', sentence });
  if (!before && !after) return [];
  if (!before) return [change('review', "PostGraphile's own dialect is now served")];
  if (!after) return [change('breaking', "PostGraphile's own dialect is no longer served")];
  const fields = compareNamed(scope, {
    ...{ aspect: 'graphile', label: 'the field', added: 'review', removed: 'breaking' },
    ...{ before: before.extensions.fields, after: after.extensions.fields },
    rolesOf: ({ roles }) => [...roles],
  });
  const parts = (['endpoint', 'config', 'limits'] as const).filter(
    (name) => !isEqual(before[name], after[name]),
  );
  const related = isEqual(before.extensions.relationships, after.extensions.relationships);
  return [
    ...fields,
    ...(parts.length > 0 ? [change('review', `graphile.yaml differs in ${listed(parts)}`)] : []),
    ...(related ? [] : [change('review', 'graphile.yaml has other relationships')]),
  ];
}
