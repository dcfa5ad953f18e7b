import type { Position } from '../../../diagnostics.ts';
import { RowgateError } from '../../../errors.ts';
import { describeNode } from '../../../metadata/yaml/locate.ts';
import type { RawNode } from '../../../metadata/yaml/node.ts';

/** A value in Hasura's metadata, with its path from the root for messages. */
export interface Cursor {
  readonly node: RawNode;
  /** E.g. `sources[0].tables[3].select_permissions[1]`; empty at the root. */
  readonly path: string;
}

/** Thrown for input that Hasura itself would refuse, so that no import is possible. */
export class UnreadableInput extends RowgateError<{ readonly position: Position }> {
  override readonly name = 'UnreadableInput';
  override readonly code = 'RG_SHAPE';

  constructor({ node, path }: Cursor, message: string) {
    super(path === '' ? message : `${path}: ${message}`, { position: node.position });
  }
}

/** One entry of a map. */
export interface Member {
  readonly key: string;
  readonly value: Cursor;
}

/** Returns the entries of a map in order; empty when there is no value. */
export function members(cursor: Cursor | undefined): readonly Member[] {
  if (!cursor || isNull(cursor)) return [];
  const { node, path } = cursor;
  if (node.kind !== 'map') throw unexpected(cursor, 'a map');
  return node.entries.map(({ key, value }) => ({
    key,
    value: { node: value, path: `${path}${step(key, path)}` },
  }));
}

/** Returns the items of a list in order; empty when there is no value. */
export function items(cursor: Cursor | undefined): readonly Cursor[] {
  if (!cursor || isNull(cursor)) return [];
  const { node, path } = cursor;
  if (node.kind !== 'list') throw unexpected(cursor, 'a list');
  return node.items.map((item, index) => ({ node: item, path: `${path}[${index}]` }));
}

/** Returns the value of a key; undefined when it is missing or null. */
export function field(cursor: Cursor, key: string): Cursor | undefined {
  const found = members(cursor).find((member) => member.key === key)?.value;
  return found && !isNull(found) ? found : undefined;
}

/** Returns the value of a required key. */
export function required(cursor: Cursor, key: string): Cursor {
  const found = field(cursor, key);
  if (!found) throw new UnreadableInput(cursor, `"${key}" is missing`);
  return found;
}

/** Returns the value as a text. */
export function text(cursor: Cursor): string {
  const { node } = cursor;
  if (node.kind !== 'scalar' || typeof node.value !== 'string') throw unexpected(cursor, 'a text');
  return node.value;
}

/** Returns a boolean; false when there is no value. */
export function flag(cursor: Cursor | undefined): boolean {
  if (!cursor || isNull(cursor)) return false;
  const { node } = cursor;
  if (node.kind !== 'scalar' || typeof node.value !== 'boolean')
    throw unexpected(cursor, 'true or false');
  return node.value;
}

/** Returns whether a value is empty: null, or a map or list that contains only empty values. */
export function isEmpty({ node }: Cursor): boolean {
  return holdsNothing(node);
}

function holdsNothing(node: RawNode): boolean {
  if (node.kind === 'scalar') return node.value === null;
  if (node.kind === 'list') return node.items.length === 0;
  return node.entries.every(({ value }) => holdsNothing(value));
}

function isNull({ node }: Cursor): boolean {
  return node.kind === 'scalar' && node.value === null;
}

function step(key: string, path: string): string {
  if (!/^[A-Za-z_$][\w$-]*$/.test(key)) return `[${JSON.stringify(key)}]`;
  return path === '' ? key : `.${key}`;
}

function unexpected(cursor: Cursor, expected: string): UnreadableInput {
  return new UnreadableInput(
    cursor,
    `${expected} is expected here, not ${describeNode(cursor.node)}`,
  );
}
