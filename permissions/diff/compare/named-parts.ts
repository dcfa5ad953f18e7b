import type { Position } from '../../diagnostics.ts';
import { meaningOf } from '../../expressions/combine.ts';
import { listed } from '../../text/listed.ts';
import { type Aspect, type Change, type ChangeClass, makeChange } from '../change.ts';
import { type DiffScope, without } from './scope.ts';

/** A kind of named part of the metadata, such as event triggers, and how it is compared. */
export interface NamedKind<T> {
  readonly aspect: Aspect;
  /** The kind in sentences, e.g. `the event trigger`. */
  readonly label: string;
  readonly before: ReadonlyMap<string, T>;
  readonly after: ReadonlyMap<string, T>;
  /** The class of a new part, and of one that is gone. */
  readonly added: ChangeClass;
  readonly removed: ChangeClass;
  /** The roles that may use a part. Absent: the kind has no roles. */
  readonly rolesOf?: (part: T, version: 'before' | 'after') => readonly string[];
  /** Members whose values are no secrets and are shown. */
  readonly shown?: readonly string[];
  /** Changes of members that have a class and a sentence of their own; their names are left out of the rest. */
  readonly special?: Readonly<Record<string, (before: T, after: T) => SpecialChange | undefined>>;
}

/** A change of one member of a part. */
export interface SpecialChange {
  readonly level: ChangeClass;
  /** The sentence after the label and the name. */
  readonly says: string;
}

type Part = { readonly position?: Position | undefined };

/** Compares the parts of one kind by their names. */
export function compareNamed<T extends Part>(
  scope: DiffScope,
  kind: NamedKind<T>,
): readonly Change[] {
  const names = [...new Set([...kind.before.keys(), ...kind.after.keys()])].sort();
  return names.flatMap((name) => {
    const [old, now] = [kind.before.get(name), kind.after.get(name)];
    const title = `${kind.label} ${name}`;
    const change = (level: ChangeClass, sentence: string) =>
      makeChange({
        ...{ class: level, aspect: kind.aspect, sentence },
        before: scope.before.placeOf(old?.position),
        after: scope.after.placeOf(now?.position),
      });
    if (old && now) return comparePart(kind, { old, now, title }, change);
    const roles = listed(
      now ? rolesIn(kind, now, 'after') : old ? rolesIn(kind, old, 'before') : [],
    );
    if (now) return [change(kind.added, `${title} is new${roles && `, for ${roles}`}`)];
    return [change(kind.removed, `${title} is gone${roles && `, before for ${roles}`}`)];
  });
}

function rolesIn<T>(kind: NamedKind<T>, part: T, version: 'before' | 'after'): readonly string[] {
  return (kind.rolesOf?.(part, version) ?? []).filter((role) => role !== 'admin');
}

function comparePart<T extends Part>(
  kind: NamedKind<T>,
  { old, now, title }: { readonly old: T; readonly now: T; readonly title: string },
  change: (level: ChangeClass, sentence: string) => Change,
): readonly Change[] {
  const [before, after] = [rolesIn(kind, old, 'before'), rolesIn(kind, now, 'after')];
  const [added, gone] = [without(after, before), without(before, after)];
  const special = Object.entries(kind.special ?? {});
  const differing = changedMembers(old, now).filter(
    ({ name }) => name !== 'roles' && !special.some(([one]) => one === name),
  );
  const shown = (kind.shown ?? []).flatMap((one) => differing.filter(({ name }) => name === one));
  const hidden = differing.filter((member) => !shown.includes(member));
  const says = [
    ...shown.map(
      ({ name, was, is }) => `has the ${words(name)} ${valueText(is)} (before: ${valueText(was)})`,
    ),
    ...(hidden.length > 0 ? [`differs in ${listed(hidden.map(({ name }) => words(name)))}`] : []),
  ];
  return [
    ...(added.length > 0 ? [change('review', `${listed(added)} may now use ${title}`)] : []),
    ...(gone.length > 0 ? [change('breaking', `${listed(gone)} may no longer use ${title}`)] : []),
    ...special.flatMap(([, compare]) => {
      const found = compare(old, now);
      return found ? [change(found.level, `${title} ${found.says}`)] : [];
    }),
    ...(says.length > 0 ? [change('review', `${title} ${listed(says)}`)] : []),
  ];
}

/** A member that differs. Its values may be secret. */
interface ChangedMember {
  readonly name: string;
  readonly was: unknown;
  readonly is: unknown;
}

/** Returns the members that differ, without members that have no meaning. */
function changedMembers(before: object, after: object): readonly ChangedMember[] {
  const [old, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  return [...new Set([...old.keys(), ...now.keys()])]
    .map((name) => ({ name, was: old.get(name), is: now.get(name) }))
    .filter(({ name, was, is }) => meaningOf({ [name]: was }) !== meaningOf({ [name]: is }));
}

function valueText(value: unknown): string {
  if (value instanceof Set) return valueText([...value]);
  if (Array.isArray(value)) return value.map(String).join(', ') || 'none';
  return value === undefined ? 'none' : String(value);
}

/** Splits a name such as `forwardClientHeaders` into words. */
function words(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
