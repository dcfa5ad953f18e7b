import type { Position } from '../diagnostics.ts';
import { apiSchema, digest } from '../text/object-names.ts';
import {
  ident,
  identifiers,
  join,
  literal,
  qualified,
  type SqlText,
  sql,
} from '../text/sql-text.ts';
import type { TableModel } from '../types/tables.ts';
import type { DesiredObject, StateKind } from './types.ts';

type Relation = { readonly schema: string; readonly name: string };

/** Ids of state objects; the reader of the database makes the same. */
export const stateId = {
  role: (name: string) => JSON.stringify(['role', name]),
  membership: (role: string, member: string) => JSON.stringify(['membership', role, member]),
  schema: (schema: string, role: string) => JSON.stringify(['schema', schema, role]),
  rowSecurity: (table: Relation) => JSON.stringify(['row security', table.schema, table.name]),
  statistics: (table: Relation, column: string) =>
    JSON.stringify(['statistics', table.schema, table.name, column]),
  openTable: (table: Relation) => JSON.stringify(['open table', table.schema, table.name]),
  call: (name: string) => JSON.stringify(['call', name]),
  view: (name: string) => JSON.stringify(['view', name]),
  function: (name: string) => JSON.stringify(['function', name]),
  grant: (relation: Relation, role: string, privilege: string) =>
    JSON.stringify(['grant', relation.schema, relation.name, role, privilege]),
  apiFunction: (signature: string) => JSON.stringify(['api function', signature]),
  execute: (schema: string, signature: string, role: string) =>
    JSON.stringify(['execute', schema, signature, role]),
  policy: (table: Relation, name: string) =>
    JSON.stringify(['policy', table.schema, table.name, name]),
  trigger: (table: Relation, name: string) =>
    JSON.stringify(['trigger', table.schema, table.name, name]),
  fingerprint: () => JSON.stringify(['fingerprint']),
};

export function label(relation: Relation): string {
  return `${relation.schema}.${relation.name}`;
}

export function place(position: Position | undefined): string {
  return position ? `${position.file}:${position.line}:${position.column}` : '';
}

interface Parts {
  readonly kind: StateKind;
  readonly id: string;
  readonly label: string;
  readonly definition: string;
  readonly create: readonly SqlText[];
  readonly alter?: readonly SqlText[];
  readonly position?: Position | undefined;
}

export function desired(parts: Parts): DesiredObject {
  return { note: undefined, alter: undefined, annotate: [], position: undefined, ...parts };
}

/** A thing whose SQL text cannot be read back as it was written: its comment carries the digest and the place. */
export function commented(
  parts: Omit<Parts, 'definition'> & {
    readonly facts: readonly string[];
    readonly body: SqlText;
    /** e.g. `policy "x" on "s"."t"`. */
    readonly target: SqlText;
    /** For people; absent: the place in the YAML. */
    readonly note?: string;
  },
): DesiredObject {
  const { facts, body, target, note = place(parts.position), ...rest } = parts;
  const hash = digest(body.text);
  const comment = sql`comment on ${target} is ${literal(`rowgate:${hash} ${note}`)}`;
  return {
    alter: undefined,
    position: undefined,
    ...rest,
    definition: JSON.stringify([...facts, hash]),
    note,
    create: [...parts.create, comment],
    annotate: [comment],
  };
}

/** A grant on a relation; without columns on the whole of it. */
export function grant(
  relation: Relation,
  role: string,
  privilege: string,
  columns: readonly string[] | undefined,
  position?: Position,
  object: SqlText = qualified(relation),
): DesiredObject {
  const list = columns ? sql` (${identifiers(columns)})` : sql``;
  return desired({
    kind: 'grant',
    id: stateId.grant(relation, role, privilege),
    label: `grant ${privilege.toLowerCase()} on ${label(relation)}${columns ? ` (${columns.join(', ')})` : ''} to ${role}`,
    definition: columns ? columns.toSorted().join('\0') : '*',
    create: [sql`grant ${privilegeSql(privilege)}${list} on ${object} to ${ident(role)}`],
    position,
  });
}

/** The right to call a function, of schema rowgate_api unless told otherwise; `id` is how inspectState names it. */
export function executeObject(
  called: {
    readonly schema?: string;
    readonly id: string;
    readonly label: string;
    readonly target: SqlText;
  },
  role: string,
): DesiredObject {
  const { schema = apiSchema } = called;
  return desired({
    kind: 'execute',
    id: stateId.execute(schema, called.id, role),
    label: `grant execute on function ${schema}.${called.label} to ${role}`,
    definition: 'EXECUTE',
    create: [sql`grant execute on function ${called.target} to ${ident(role)}`],
  });
}

const privileges: Readonly<Record<string, SqlText>> = {
  SELECT: sql`select`,
  INSERT: sql`insert`,
  UPDATE: sql`update`,
  DELETE: sql`delete`,
  USAGE: sql`usage`,
};

function privilegeSql(privilege: string): SqlText {
  const text = privileges[privilege];
  if (!text) throw new RangeError(`no privilege ${privilege}`);
  return text;
}

export function policy(
  table: TableModel,
  name: string,
  role: string,
  command: 'select' | 'insert' | 'update' | 'delete',
  clauses: { readonly using?: SqlText | undefined; readonly check?: SqlText | undefined },
  position?: Position,
): DesiredObject {
  const target = sql`policy ${ident(name)} on ${qualified(table)}`;
  const body = join(
    [
      ...(clauses.using ? [sql`using (${clauses.using})`] : []),
      ...(clauses.check ? [sql`with check (${clauses.check})`] : []),
    ],
    ' ',
  );
  return commented({
    kind: 'policy',
    id: stateId.policy(table, name),
    label: `policy ${name} on ${label(table)}`,
    facts: [command, 'permissive', role],
    body,
    target,
    create: [
      sql`create ${target} as permissive for ${commands[command]} to ${ident(role)} ${body}`,
    ],
    position,
  });
}

const commands = {
  select: sql`select`,
  insert: sql`insert`,
  update: sql`update`,
  delete: sql`delete`,
};
