import { upsertAccess } from '../../access/upserts.ts';
import { listed } from '../../text/listed.ts';
import type { TablePermissions } from '../../types/model.ts';
import type { TableModel } from '../../types/tables.ts';
import type { Change, ChangeClass } from '../change.ts';
import { type RolePair, ruleChange, without } from './scope.ts';

/** Compares what follows from several rules: upserts, references to visible rows, and keys that SQL alone shows. */
export function compareRelatedAccess(pair: RolePair): readonly Change[] {
  return [
    ...compareUpserts(pair),
    ...compareReferences(pair),
    ...compareHiddenKeys(pair),
    ...compareComputedRows(pair),
  ];
}

/** Compares the computed fields that return rows. With the owner's rights, no rule of the role limits these rows. */
function compareComputedRows(pair: RolePair): readonly Change[] {
  const fields = pair.tables.after?.computedFields;
  const [old, now] = [pair.before?.computedRows ?? [], pair.after?.computedRows ?? []];
  const added = without(now, old);
  const [owned, called] = [true, false].map((isOwner) =>
    added.filter((name) => (fields?.get(name)?.rights === 'owner') === isOwner),
  );
  // A field that the table lacks is reported with the table.
  const gone = without(old, now).filter((name) => fields?.has(name));
  const change = (
    names: readonly string[] | undefined,
    level: ChangeClass,
    word: string,
    note = '',
  ) =>
    names?.length
      ? [
          ruleChange(pair, {
            ...{ class: level, aspect: 'fields', command: 'select' },
            says: `may ${word} read the rows of the computed ${names.length === 1 ? 'field' : 'fields'} ${listed(names)} of ${pair.table}${note}`,
          }),
        ]
      : [];
  return [
    ...change(
      owned,
      'dangerous',
      'now',
      ', with the rights of the owner and so beyond its own rules',
    ),
    ...change(called, 'review', 'now'),
    ...change(gone, 'breaking', 'no longer'),
  ];
}

/** Compares through which constraints a role may turn an insert into an update of the row that exists. */
function compareUpserts(pair: RolePair): readonly Change[] {
  const [old, now] = (['before', 'after'] as const).map((version) => {
    const [role, table, rules] = [pair.roles[version], pair.tables[version], pair[version]];
    return role && table && rules ? conflictsOf(role, table, rules) : [];
  });
  const [added, gone] = [without(now ?? [], old ?? []), without(old ?? [], now ?? [])];
  const says = (word: string, names: readonly string[]) =>
    `may ${word} update a row of ${pair.table} by inserting it again, on a conflict with ${listed(names)}`;
  // A role that gains or loses a whole rule is reported with that rule.
  const isWhole = (['insert', 'update'] as const).every(
    (command) => pair.before?.[command] && pair.after?.[command],
  );
  if (!isWhole) return [];
  return [
    ...(added.length > 0
      ? [
          ruleChange(pair, {
            ...{ class: 'review', aspect: 'upserts', command: 'insert' },
            says: says('now', added),
          }),
        ]
      : []),
    ...(gone.length > 0
      ? [
          ruleChange(pair, {
            ...{ class: 'breaking', aspect: 'upserts', command: 'insert' },
            says: says('no longer', gone),
          }),
        ]
      : []),
  ];
}

type Role = Parameters<typeof upsertAccess>[0];

function conflictsOf(role: Role, table: TableModel, rules: TablePermissions): readonly string[] {
  if (!rules.insert || !rules.update) return [];
  const { conflictLookups } = upsertAccess(role, table, rules);
  const readable = rules.select?.columns ?? [];
  return table.uniqueConstraints
    .filter(
      ({ name, columns }) =>
        conflictLookups.has(name) || columns.every((column) => readable.includes(column)),
    )
    .map(({ name }) => name);
}

/** Compares which foreign keys must refer to a row that the role sees. */
function compareReferences(pair: RolePair): readonly Change[] {
  return (['insert', 'update'] as const).flatMap((command) => {
    const [old, now] = [pair.before?.[command], pair.after?.[command]];
    if (!old || !now) return [];
    const names = (rule: typeof old) => rule.references.map((one) => one.relationship.name);
    const isWritten = (name: string) => {
      const key = old.references.find((one) => one.relationship.name === name);
      return key?.relationship.columns.every(({ local }) => now.columns.includes(local));
    };
    const isOff = pair.scope.after.settings?.referencesVisible !== true;
    // Every role may write all values of an enum table.
    const isToEnum = (name: string) => {
      const key = old.references.find((one) => one.relationship.name === name);
      const remote = key && pair.scope.after.model.tables.get(key.relationship.table);
      return remote?.enum !== undefined;
    };
    const gone = without(names(old), names(now))
      .filter(isWritten)
      .filter((name) => isOff || isToEnum(name));
    if (gone.length === 0) return [];
    const columns = old.references.flatMap(({ relationship }) =>
      gone.includes(relationship.name) ? relationship.columns.map(({ local }) => local) : [],
    );
    const says = `may now let ${listed([...new Set(columns)])} of ${pair.table} refer to rows that it does not see`;
    return [ruleChange(pair, { class: 'dangerous', aspect: 'references', command, says })];
  });
}

/** Compares the key columns that a direct login of the role can read although GraphQL hides them. */
function compareHiddenKeys(pair: RolePair): readonly Change[] {
  if (!pair.before?.select || !pair.after) return [];
  const seen = [...pair.before.hiddenKeys, ...pair.before.select.columns];
  const added = without(pair.after.hiddenKeys, seen);
  if (added.length === 0) return [];
  const says = `may now read the ${added.length === 1 ? 'key' : 'keys'} ${listed(added)} of ${pair.table} in SQL, although GraphQL hides ${added.length === 1 ? 'it' : 'them'}`;
  return [ruleChange(pair, { class: 'review', aspect: 'columns', command: 'select', says })];
}
