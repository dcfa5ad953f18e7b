import { actionsPath, cronPath, type FolderFile } from './folder-files.ts';
import type { Imported, ImportedTable, Plain } from './hasura/imported.ts';
import type { Cursor } from './hasura/input/cursor.ts';

/** A unit of an import that can be omitted separately when it contains a mistake. */
export type Subject =
  | { readonly kind: 'role'; readonly role: string }
  | { readonly kind: 'table' }
  | { readonly kind: 'enum' }
  | { readonly kind: 'name'; readonly path: readonly string[] }
  | { readonly kind: 'relationship'; readonly name: string }
  | { readonly kind: 'computed field'; readonly name: string }
  | { readonly kind: 'event'; readonly name: string }
  | { readonly kind: 'schedule'; readonly name: string }
  | { readonly kind: 'action'; readonly name: string }
  | { readonly kind: 'custom type'; readonly name: string }
  | { readonly kind: 'type relationship'; readonly type: string; readonly name: string }
  | { readonly kind: 'rule'; readonly role: string; readonly command: string };

/**
 * Returns the subject that a key of a file begins. Undefined for a key inside a subject, or for a key that contains
 * several subjects.
 */
export function subjectOf(
  path: string,
  keys: readonly string[],
  value: Plain,
): Subject | undefined {
  if (path === cronPath) return keys.length === 1 ? named('schedule', keys[0]) : undefined;
  return path === actionsPath ? subjectOfActions(keys) : subjectOfTable(keys, value);
}

function subjectOfActions([section, ...keys]: readonly string[]): Subject | undefined {
  if (section === 'actions') return keys.length === 1 ? named('action', keys[0]) : undefined;
  const [, type = '', part, name = ''] = keys;
  if (keys.length === 2) return named('custom type', type);
  const isRelationship = keys.length === 4 && part === 'relationships';
  return isRelationship ? { kind: 'type relationship', type, name } : undefined;
}

function subjectOfTable(keys: readonly string[], value: Plain): Subject | undefined {
  const [section = '', name = '', below = ''] = keys;
  const depth = keys.length;
  switch (section) {
    case 'is_enum':
      return depth === 1 ? { kind: 'enum' } : undefined;
    case 'roles':
      return depth === 2 ? { kind: 'role', role: name } : undefined;
    case 'permissions':
      return depth === 3 ? { kind: 'rule', role: name, command: below } : undefined;
    case 'relationships':
      return depth === 2 ? named('relationship', name) : undefined;
    case 'computed_fields':
      return depth === 2 ? named('computed field', name) : undefined;
    case 'events':
      return depth === 2 ? named('event', name) : undefined;
    case 'graphql':
      return isName(keys, value) ? { kind: 'name', path: keys.slice(1) } : undefined;
    default:
      return depth === 1 ? { kind: 'table' } : undefined;
  }
}

/**
 * Returns whether a path is a name that can be omitted separately: `graphql.name`, or an entry of `graphql.columns` or
 * `graphql.root_fields`.
 */
function isName({ length }: readonly string[], value: Plain): boolean {
  const isMap = value instanceof Map && value.size > 0;
  return length === 3 || (length === 2 && !isMap);
}

function named<
  K extends 'relationship' | 'computed field' | 'event' | 'schedule' | 'action' | 'custom type',
>(kind: K, name = ''): { readonly kind: K; readonly name: string } {
  return { kind, name };
}

/**
 * Returns the place in Hasura's metadata from which a subject was made; undefined when several places contributed to
 * it.
 */
export function sourceOf(
  subject: Subject,
  { table, called }: FolderFile,
  imported: Imported,
): Cursor | undefined {
  if (called) return called.from;
  switch (subject.kind) {
    case 'role':
      return sourceOfRole(subject.role, imported);
    case 'schedule':
      return imported.schedules.find(({ name }) => name === subject.name)?.from;
    case 'action':
      return imported.actions.find(({ name }) => name === subject.name)?.from;
    case 'custom type':
      return imported.customTypes.find(({ name }) => name === subject.name)?.from;
    case 'type relationship':
      return imported.customTypes.find(({ name }) => name === subject.type)?.from;
    default:
      return table && (sourceInTable(subject, table) ?? table.from);
  }
}

/**
 * Returns the place in Hasura's metadata from which a subject of a table was made; undefined when the subject is the
 * table itself.
 */
export function sourceInTable(subject: Subject, table: ImportedTable): Cursor | undefined {
  switch (subject.kind) {
    case 'relationship':
      return table.relationships.find(({ name }) => name === subject.name)?.from;
    case 'computed field':
      return table.computedFields.find(({ name }) => name === subject.name)?.from;
    case 'event':
      return table.events.find(({ name }) => name === subject.name)?.from;
    case 'rule':
      return table.rules.find(
        ({ role, command }) => role === subject.role && command === subject.command,
      )?.from;
    default:
      return undefined;
  }
}

/** Returns the place that stands for a role in messages: the first permission or inherited role that names it. */
function sourceOfRole(role: string, { tables, inheritingRoles }: Imported): Cursor | undefined {
  const rules = tables.flatMap((table) => table.rules);
  return [...inheritingRoles, ...rules].find((one) => one.role === role)?.from;
}
