import { shortTable } from '../../expressions/describe.ts';
import { tableLabel } from '../../init/table-label.ts';
import { listed } from '../../text/listed.ts';
import type { TypeName } from '../../types/names.ts';
import type { Relationship, TableModel } from '../../types/tables.ts';
import { type Change, type ChangeClass, makeChange } from '../change.ts';
import { isEqual } from './rule-parts.ts';
import { type Both, type DiffScope, without } from './scope.ts';

/** Compares the tables themselves: names in GraphQL, types of columns, relationships and computed fields. */
export function compareTables(scope: DiffScope): readonly Change[] {
  const { before, after } = scope;
  const keys = [...new Set([...before.model.tables.keys(), ...after.model.tables.keys()])].sort();
  return keys.flatMap((key) => {
    const [old, now] = [before.model.tables.get(key), after.model.tables.get(key)];
    if (old && now) return compareTable(scope, { before: old, after: now });
    return old ? [removed(scope, old)] : now ? [added(scope, now)] : [];
  });
}

function removed(scope: DiffScope, table: TableModel): Change {
  const roles = rolesOf(scope.before, table.key);
  const name = tableLabel(table);
  return tableChange(
    scope,
    { before: table, after: undefined },
    {
      ...{ class: 'breaking', aspect: 'table' },
      sentence: `${name} is no longer served${roles.length > 0 ? ` to ${listed(roles)}` : ''}`,
    },
  );
}

function added(scope: DiffScope, table: TableModel): Change {
  const roles = rolesOf(scope.after, table.key);
  return tableChange(
    scope,
    { before: undefined, after: table },
    {
      ...{ class: roles.length > 0 ? 'review' : 'safe', aspect: 'table' },
      sentence: `${tableLabel(table)} is now served${roles.length > 0 ? ` to ${listed(roles)}` : ', to no role yet'}`,
    },
  );
}

function rolesOf({ model }: DiffScope['before'], key: string): readonly string[] {
  return [...model.roles.values()]
    .filter((role) => role.name !== 'admin' && role.tables.has(key))
    .map(({ name }) => name);
}

type TableSentence = Pick<Change, 'class' | 'aspect' | 'sentence'> &
  Partial<Pick<Change, 'details'>>;

function tableChange(
  { before, after }: DiffScope,
  tables: Both<TableModel | undefined>,
  change: TableSentence,
): Change {
  const table = tables.after ?? tables.before;
  return makeChange({
    ...{ ...change, table: table && tableLabel(table) },
    before: before.placeOf(tables.before?.position),
    after: after.placeOf(tables.after?.position),
  });
}

function compareTable(scope: DiffScope, tables: Both<TableModel>): readonly Change[] {
  const { before, after } = tables;
  const name = tableLabel(after);
  const change = (sentence: TableSentence) => tableChange(scope, tables, sentence);
  const found = [
    ...renamed(name, tables).map((sentence) =>
      change({ class: 'breaking', aspect: 'root-fields', sentence }),
    ),
    ...typeChanges(name, tables).map((sentence) =>
      change({ class: 'breaking', aspect: 'columns', sentence }),
    ),
    ...collationChanges(name, tables).map((sentence) =>
      change({ class: 'review', aspect: 'columns', sentence }),
    ),
    ...relationshipChanges(name, tables).map(({ sentence, level }) =>
      change({ class: level, aspect: 'fields', sentence }),
    ),
    ...computedChanges(name, tables).map(({ sentence, level }) =>
      change({ class: level, aspect: 'fields', sentence }),
    ),
  ];
  if (!isEqual(before.enum, after.enum))
    found.push(
      change({
        ...{ class: 'breaking', aspect: 'table' },
        sentence: `${name} ${after.enum ? (before.enum ? 'is another enum' : 'becomes an enum') : 'is no longer an enum'} in GraphQL`,
      }),
    );
  return found;
}

/** Returns one sentence for each name that GraphQL clients can no longer use. */
function renamed(name: string, { before, after }: Both<TableModel>): readonly string[] {
  const found: string[] = [];
  if (before.graphqlName !== after.graphqlName)
    found.push(`${name} is called ${after.graphqlName} in GraphQL, before ${before.graphqlName}`);
  const fields = Object.entries(before.rootFields).flatMap(([key, old]) => {
    const now = Object.entries(after.rootFields).find(([other]) => other === key)?.[1];
    return now === undefined || now === old ? [] : [`${old} to ${now}`];
  });
  if (fields.length > 0) found.push(`${name} has renamed root fields: ${listed(fields)}`);
  for (const [column, old] of before.columns) {
    const now = after.columns.get(column);
    if (now && now.graphqlName !== old.graphqlName)
      found.push(
        `the column ${column} of ${name} is called ${now.graphqlName} in GraphQL, before ${old.graphqlName}`,
      );
  }
  return found;
}

function typeChanges(name: string, { before, after }: Both<TableModel>): readonly string[] {
  return [...before.columns.values()].flatMap((old) => {
    const now = after.columns.get(old.name);
    if (!now) return [];
    const [was, is] = [typeText(old.type), typeText(now.type)];
    if (was !== is) return [`the column ${old.name} of ${name} has the type ${is}, before ${was}`];
    if (old.notNull && !now.notNull) return [`the column ${old.name} of ${name} may now be null`];
    return [];
  });
}

/** Equal conditions may let other rows through under another collation, and no comparison of rules can decide that. */
function collationChanges(name: string, { before, after }: Both<TableModel>): readonly string[] {
  return [...before.columns.values()].flatMap((old) => {
    const now = after.columns.get(old.name);
    const isSame =
      old.collation === now?.collation && old.nondeterministic === now?.nondeterministic;
    if (!now || isSame) return [];
    return [
      `the column ${old.name} of ${name} has another collation, so conditions on its texts may let other rows through`,
    ];
  });
}

function typeText({ schema, name, element }: TypeName): string {
  if (element) return `${typeText(element)}[]`;
  return schema === 'pg_catalog' ? name : `${schema}.${name}`;
}

interface Graded {
  readonly sentence: string;
  readonly level: ChangeClass;
}

function relationshipChanges(name: string, { before, after }: Both<TableModel>): readonly Graded[] {
  const [old, now] = [before.relationships, after.relationships];
  const gone = without([...old.keys()], [...now.keys()]);
  const fresh = without([...now.keys()], [...old.keys()]);
  const rewritten = [...old.values()].flatMap((was): readonly Graded[] => {
    const is = now.get(was.name);
    if (!is || pathText(was) === pathText(is)) return [];
    const sentence = `the relationship ${was.name} of ${name} leads to ${pathText(is)}, before to ${pathText(was)}`;
    return [{ sentence, level: 'review' }];
  });
  const plural = (names: readonly string[]) => (names.length === 1 ? '' : 's');
  return [
    ...rewritten,
    ...(fresh.length > 0
      ? [
          {
            sentence: `${name} has the new relationship${plural(fresh)} ${listed(fresh)}`,
            level: 'safe' as const,
          },
        ]
      : []),
    ...(gone.length > 0
      ? [
          {
            sentence: `${name} no longer has the relationship${plural(gone)} ${listed(gone)}`,
            level: 'breaking' as const,
          },
        ]
      : []),
  ];
}

function pathText({ kind, table, columns }: Relationship): string {
  const pairs = columns.map(({ local, remote }) => `${local} = ${remote}`);
  return `${kind === 'object' ? 'one row' : 'rows'} of ${shortTable(table)} by ${pairs.join(' and ')}`;
}

function computedChanges(name: string, { before, after }: Both<TableModel>): readonly Graded[] {
  return [...before.computedFields.values()].flatMap((old): readonly Graded[] => {
    const now = after.computedFields.get(old.name);
    const field = `the computed field ${old.name} of ${name}`;
    if (!now) return [{ sentence: `${field} is gone`, level: 'breaking' }];
    if (old.rights !== now.rights)
      return [
        {
          sentence: `${field} now runs with the rights of its ${now.rights}`,
          level: now.rights === 'owner' ? 'dangerous' : 'review',
        },
      ];
    if (!isEqual(old, now))
      return [
        { sentence: `${field} calls another function or takes other arguments`, level: 'review' },
      ];
    return [];
  });
}
