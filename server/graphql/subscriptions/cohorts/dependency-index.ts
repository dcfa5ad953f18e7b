import type { TableKey } from '../../../../permissions/index.ts';
import type { TableDependency } from '../../request/live-operation.ts';
import type { TableChange } from '../changes/changes.ts';

/** One occurrence of a table in what a subject depends on. */
interface Occurrence<Subject> {
  readonly subject: Subject;
  readonly keys: TableDependency['keys'];
}

type Occurrences<Subject> = Set<Occurrence<Subject>>;

/** The occurrences of one table. Those with keys are found by the values of their first key column. */
interface TableIndex<Subject> {
  readonly all: Occurrences<Subject>;
  readonly withoutKeys: Occurrences<Subject>;
  readonly byValue: Map<string, Occurrences<Subject>>;
  readonly byColumn: Map<string, Occurrences<Subject>>;
}

/** Finds the subjects that a change can concern, without looking at the others. */
export class DependencyIndex<Subject> {
  readonly #tables = new Map<TableKey, TableIndex<Subject>>();

  /** Returns a function that removes the subject. */
  add(subject: Subject, dependencies: readonly TableDependency[]): () => void {
    const removals = dependencies.map(({ table, keys }) => this.#add(table, { subject, keys }));
    return () => {
      for (const remove of removals) remove();
    };
  }

  /** Returns each subject that the change can concern once. */
  find({ table, keys }: TableChange): ReadonlySet<Subject> {
    const index = this.#tables.get(table);
    if (!index) return new Set();
    if (keys === null) return subjectsOf(index.all);
    const given = new Set(keys);
    const found = subjectsOf(index.withoutKeys);
    for (const key of given) {
      const near = key.endsWith('*') ? index.byColumn.get(key.slice(0, -1)) : undefined;
      for (const occurrences of [index.byValue.get(key), near]) {
        for (const one of occurrences ?? []) if (concerns(given, one)) found.add(one.subject);
      }
    }
    return found;
  }

  #add(table: TableKey, occurrence: Occurrence<Subject>): () => void {
    const index = this.#tables.get(table) ?? emptyIndex<Subject>();
    this.#tables.set(table, index);
    const removals = placesOf(index, occurrence).map((place) => insert(place, occurrence));
    return () => {
      for (const remove of removals) remove();
      if (index.all.size === 0) this.#tables.delete(table);
    };
  }
}

function emptyIndex<Subject>(): TableIndex<Subject> {
  return { all: new Set(), withoutKeys: new Set(), byValue: new Map(), byColumn: new Map() };
}

function subjectsOf<Subject>(occurrences: Iterable<Occurrence<Subject>>): Set<Subject> {
  const subjects = new Set<Subject>();
  for (const { subject } of occurrences) subjects.add(subject);
  return subjects;
}

/** A set of occurrences, and how to forget the set when it is empty. */
interface Place<Subject> {
  readonly occurrences: Occurrences<Subject>;
  readonly forget: () => void;
}

function placesOf<Subject>(
  index: TableIndex<Subject>,
  { keys }: Occurrence<Subject>,
): readonly Place<Subject>[] {
  const kept = (occurrences: Occurrences<Subject>) => ({ occurrences, forget: () => {} });
  const [first] = keys;
  if (!first) return [kept(index.all), kept(index.withoutKeys)];
  const [column, values] = first;
  return [
    kept(index.all),
    placeIn(index.byColumn, column),
    ...[...new Set(values)].map((value) => placeIn(index.byValue, `${column}=${value}`)),
  ];
}

function placeIn<Subject>(map: Map<string, Occurrences<Subject>>, key: string): Place<Subject> {
  const occurrences = map.get(key) ?? new Set();
  map.set(key, occurrences);
  return { occurrences, forget: () => map.delete(key) };
}

function insert<Subject>(
  { occurrences, forget }: Place<Subject>,
  occurrence: Occurrence<Subject>,
): () => void {
  occurrences.add(occurrence);
  return () => {
    occurrences.delete(occurrence);
    if (occurrences.size === 0) forget();
  };
}

/** Returns true if, for each key column of the occurrence, the change has one of its values or too many values. */
function concerns<Subject>(given: ReadonlySet<string>, { keys }: Occurrence<Subject>): boolean {
  for (const [column, values] of keys) {
    const has = (value: string) => given.has(`${column}=${value}`);
    if (!given.has(`${column}*`) && !values.some(has)) return false;
  }
  return true;
}
