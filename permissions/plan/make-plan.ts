import { createHash } from 'node:crypto';
import type { Position } from '../diagnostics.ts';
import {
  type DesiredObject,
  type FoundObject,
  type StateKind,
  stateKinds,
} from '../objects/state/state-object.ts';
import { qualified, type SqlText } from '../text/sql-text.ts';

export interface Change {
  readonly action: 'create' | 'replace' | 'drop' | 'annotate';
  readonly kind: StateKind;
  /** Id of the object that changes. */
  readonly id: string;
  readonly label: string;
  /** Statements that remove the old object. They run before any statement that creates an object. */
  readonly remove: readonly SqlText[];
  /**
   * Index of the old object among the found objects. Removals run in this order, so that dependent objects are dropped
   * first.
   */
  readonly removedAs: number;
  readonly statements: readonly SqlText[];
  /** The place of the rule in the YAML; undefined when the object comes from no rule. */
  readonly position: Position | undefined;
}

/** One statement of a plan, with the change that the statement belongs to. */
export interface Step {
  readonly statement: SqlText;
  readonly change: Change;
}

/** The changes that make the database match the metadata. */
export interface Plan {
  readonly changes: readonly Change[];
  /**
   * Digest of all changes. Plans with equal digests make the same changes, so a person can confirm a plan by its
   * digest.
   */
  readonly digest: string;
}

/**
 * Compares the objects that the metadata needs with the objects that exist, and returns the changes in the order in
 * which they run.
 * @param desired in the order of creation
 * @param found within each kind, every object before the objects that it depends on
 */
export function makePlan(desired: readonly DesiredObject[], found: readonly FoundObject[]): Plan {
  const there = new Map(found.map((object, removedAs) => [object.id, { object, removedAs }]));
  const desiredIds = new Set(desired.map((object) => object.id));
  const broken = brokenByOthers(desired, there);
  const changes = [
    ...[...there.values()]
      .filter(({ object }) => !desiredIds.has(object.id) && object.drop.length > 0)
      .map(dropChange),
    ...desired.flatMap((object) => changeFor(object, there.get(object.id), broken) ?? []),
  ];
  const ordered = stateKinds.flatMap((kind) => changes.filter((change) => change.kind === kind));
  return { changes: ordered, digest: digestOf(ordered) };
}

/**
 * Returns whether a plan changes nothing that Postgres enforces. It may correct comments, which name places in the YAML.
 */
export function changesNothing({ changes }: Plan): boolean {
  return changes.every(({ action }) => action === 'annotate');
}

/**
 * Returns all statements of a plan. Removals come first, in the reverse order of creation by kind, so that an object is
 * dropped only after the objects that depend on it. All other statements follow.
 */
export function planSteps(plan: Plan): readonly Step[] {
  const leaving = plan.changes.toSorted((one, other) => one.removedAs - other.removedAs);
  const removals = stateKinds
    .toReversed()
    .flatMap((kind) => leaving.filter((change) => change.kind === kind));
  return [
    ...removals.flatMap((change) => change.remove.map((statement) => ({ statement, change }))),
    ...plan.changes.flatMap((change) =>
      change.statements.map((statement) => ({ statement, change })),
    ),
  ];
}

/** A found object, with its index among the found objects. */
type Found = { readonly object: FoundObject } & Pick<Change, 'removedAs'>;

function dropChange({ object, removedAs }: Found): Change {
  return {
    action: 'drop',
    kind: object.kind,
    id: object.id,
    label: object.label,
    remove: object.drop,
    removedAs,
    statements: [],
    position: undefined,
  };
}

function changeFor(
  object: DesiredObject,
  there: Found | undefined,
  broken: ReadonlySet<string>,
): Change | undefined {
  const { kind, id, label, position } = object;
  const old = there?.object;
  const isSame = old?.definition === object.definition && !broken.has(id);
  if (isSame && (object.note === undefined || old?.note === object.note)) return undefined;
  const base = { kind, id, label, position, removedAs: there?.removedAs ?? 0 };
  if (!old) return { ...base, action: 'create', remove: [], statements: object.create };
  if (isSame) return { ...base, action: 'annotate', remove: [], statements: object.annotate };
  const remove = object.alter ? [] : old.drop;
  return { ...base, action: 'replace', remove, statements: object.alter ?? object.create };
}

const named: ReadonlySet<StateKind> = new Set<StateKind>([
  'call',
  'view',
  'function',
  'login view',
]);

/**
 * Returns the unchanged objects that must be created again, because they name a view or function that is created again.
 */
function brokenByOthers(
  desired: readonly DesiredObject[],
  there: ReadonlyMap<string, Found>,
): ReadonlySet<string> {
  const broken = new Set<string>();
  const names = new Set<string>();
  for (const object of desired.filter((one) => named.has(one.kind))) {
    const old = there.get(object.id)?.object;
    const reads = [...names].some((name) => mentions(object, name));
    if (!old || (old.definition === object.definition && !reads)) continue;
    broken.add(object.id);
    names.add(nameIn(object));
  }
  if (names.size === 0) return broken;
  for (const object of desired) {
    if ([...names].some((name) => mentions(object, name))) broken.add(object.id);
  }
  return broken;
}

/**
 * Returns the text by which other statements name an object. Most names hold a digest. A view for direct logins may have
 * any name, so its schema is included.
 */
function nameIn({ kind, id }: DesiredObject): string {
  const [, first, name] = JSON.parse(id);
  return kind === 'login view' ? qualified({ schema: first, name }).text : first;
}

function mentions(object: DesiredObject, name: string): boolean {
  return object.create.some((statement) => statement.text.includes(name));
}

function digestOf(changes: readonly Change[]): string {
  const hash = createHash('sha256');
  for (const change of changes) {
    const texts = [...change.remove, ...change.statements].map((statement) => statement.text);
    hash.update(JSON.stringify([change.action, change.label, texts]));
  }
  return hash.digest('hex');
}
