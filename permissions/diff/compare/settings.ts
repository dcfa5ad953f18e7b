import { isDeepStrictEqual } from 'node:util';
import { startOf } from '../../metadata/files/file-failure.ts';
import type { RawSettings } from '../../metadata/schemas/settings.ts';
import { listed } from '../../text/listed.ts';
import { type Change, type ChangeClass, makeChange } from '../change.ts';
import { type Both, type DiffScope, without } from './scope.ts';

/** Compares rowgate.yaml: how callers are identified, and the settings that rules depend on. */
export function compareSettings(scope: DiffScope): readonly Change[] {
  return [...compareAuthentication(scope), ...compareSwitches(scope)];
}

/**
 * Compares the settings that identify callers. The comparison names members and shows only values that are public,
 * because others may be keys.
 */
function compareAuthentication({ before, after }: DiffScope): readonly Change[] {
  const [old, now] = [before.settings?.authentication, after.settings?.authentication];
  const members = changedPaths(old?.name, now?.name, 'authentication');
  if (members.length === 0) return [];
  const sentence = !old
    ? 'rowgate.yaml now has the section authentication, which decides who callers are and which roles they have'
    : !now
      ? 'rowgate.yaml no longer has the section authentication, so it no longer identifies callers'
      : `who callers are is decided by other settings: ${listed(members)} changed`;
  const change: ChangeClass = now ? 'dangerous' : 'breaking';
  return [
    makeChange({
      ...{ class: change, aspect: 'authentication', sentence },
      details: members.flatMap((path) =>
        publicChange(path, { before: old?.name, after: now?.name }),
      ),
      before: before.placeOf(old?.position),
      after: after.placeOf(now?.position),
    }),
  ];
}

/** The members of the authentication whose values every client may know. */
const publicMembers = ['issuer', 'audience', 'jwk_url'];

/** Returns the values of a public member in both versions, without credentials in URLs. */
function publicChange(path: string, { before, after }: Both<unknown>): readonly string[] {
  const names = path.split('.').slice(1);
  if (!publicMembers.includes(names.at(-1) ?? '')) return [];
  const [old, now] = [before, after].map((whole) => {
    const value = names.reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), whole);
    if (typeof value !== 'string') return 'none';
    const url = URL.parse(value);
    return url ? `${url.origin}${url.pathname}` : value;
  });
  return [`${path}: ${now} (before: ${old})`];
}

/** Returns the paths at which two values differ, e.g. `authentication.jwt.key`. */
function changedPaths(before: unknown, after: unknown, path: string): readonly string[] {
  // Deep equality, because names of claims such as `default` and `position` count here.
  if (isDeepStrictEqual(before, after)) return [];
  if (!isObject(before) || !isObject(after)) return [path];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => changedPaths(before[name], after[name], `${path}.${name}`));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function compareSwitches({ before, after }: DiffScope): readonly Change[] {
  const [old, now] = [before.settings, after.settings];
  const place = after.placeOf({ ...startOf('rowgate.yaml'), inFolder: 'rowgate.yaml' });
  const change = (level: ChangeClass, sentence: string) =>
    makeChange({ class: level, aspect: 'settings', sentence, after: place });
  const turned = (name: 'referencesVisible' | 'strictKeys') =>
    (old?.[name] ?? false) === (now?.[name] ?? false) ? undefined : (now?.[name] ?? false);
  const [references, keys] = [turned('referencesVisible'), turned('strictKeys')];
  const accepted = acceptedOf(now).filter((one) => !acceptedOf(old).includes(one));
  const variables = without(variablesOf(now), variablesOf(old));
  return [
    ...(references === undefined
      ? []
      : [
          references
            ? change(
                'breaking',
                'a foreign key that clients write must now refer to a row that the role sees (before: to any row)',
              )
            : change(
                'dangerous',
                'a foreign key that clients write may now refer to any row (before: only to rows that the role sees)',
              ),
        ]),
    ...(keys === undefined
      ? []
      : [
          keys
            ? change('breaking', 'hidden keys are now hidden in SQL too')
            : change('review', 'hidden keys can now be read in SQL'),
        ]),
    ...(accepted.length > 0
      ? [
          change(
            'review',
            `rowgate.yaml accepts ${accepted.length} more ${accepted.length === 1 ? 'warning' : 'warnings'} of check`,
          ),
        ]
      : []),
    ...(variables.length > 0
      ? [
          change(
            'safe',
            `rules may now use the session ${variables.length === 1 ? 'variable' : 'variables'} ${listed(variables)}`,
          ),
        ]
      : []),
  ];
}

function acceptedOf(settings: RawSettings | undefined): readonly string[] {
  return (settings?.acceptedFindings ?? []).map(({ finding }) => finding.name);
}

function variablesOf(settings: RawSettings | undefined): readonly string[] {
  return (settings?.variables ?? []).map(({ name }) => name);
}
