import type { RawNode } from '../../load/raw.ts';
import { headerOf, looksLikeVariable, variableName } from '../../model/names.ts';
import { type Cursor, items } from './cursor.ts';
import { type Plain, Verbatim } from './imported.ts';

/** Hasura's prefix; ours is configured. */
export const hasuraPrefix = 'x-hasura-';

/** What the translation of one rule needs to tell what it cannot do. */
export interface Refusals {
  /** e.g. `X-Gql-`. */
  readonly headerPrefix: string;
  /** Notes why the rule cannot come over; the rule is then left out whole. */
  refuse(at: Cursor, message: string, hint?: string): void;
  /** Notes that something means other than in Hasura, though not more than its author can have meant. */
  note(at: Cursor, message: string, hint?: string): void;
}

/** A value of a comparison or a preset: a session variable under its new name, a list of values, or a literal. */
export function translateValue(cursor: Cursor, refusals: Refusals): Plain {
  const { node } = cursor;
  if (node.kind === 'list') return items(cursor).map((item) => listItem(item, refusals));
  if (node.kind === 'scalar' && typeof node.value === 'string')
    return translateText(node.value, cursor, refusals);
  return literal(cursor, refusals);
}

/** Hasura itself takes a variable in a list for its name as a text, which nobody can have wanted. */
function listItem(item: Cursor, refusals: Refusals): Plain {
  if (isVariable(item.node)) {
    const message = 'a session variable within a list is a variable here; Hasura takes it for text';
    refusals.note(item, message);
  }
  return translateValue(item, refusals);
}

function translateText(value: string, cursor: Cursor, refusals: Refusals): Plain {
  const { headerPrefix } = refusals;
  const variable = hasuraVariable(value);
  if (variable === undefined) {
    if (looksLikeVariable(value, headerPrefix)) {
      const hint = `set ROWGATE_HEADER_PREFIX to another prefix than ${headerPrefix}`;
      refusals.refuse(cursor, `the text "${value}" would be a session variable here`, hint);
    }
    return value;
  }
  const name = variableName(`${headerPrefix}${variable}`, headerPrefix);
  if (name !== undefined) return titled(headerOf(name, headerPrefix), headerPrefix);
  const hint = 'name it with words of letters and digits joined by single hyphens, in Hasura first';
  refusals.refuse(cursor, `the session variable "${value}" cannot be one here`, hint);
  return value;
}

function isVariable(node: RawNode): boolean {
  return (
    node.kind === 'scalar' &&
    typeof node.value === 'string' &&
    hasuraVariable(node.value) !== undefined
  );
}

/** What follows the prefix. `REQ_USER_ID` is what the first versions called the user's id. */
function hasuraVariable(value: string): string | undefined {
  const lower = value.toLowerCase();
  if (lower === 'req_user_id') return 'user-id';
  return lower.startsWith(hasuraPrefix) ? lower.slice(hasuraPrefix.length) : undefined;
}

/** `x-gql-user-id` as people write it: `X-Gql-User-Id`. */
function titled(header: string, headerPrefix: string): string {
  const rest = header.slice(headerPrefix.length);
  return headerPrefix + rest.replace(/(^|-)([a-z])/g, (found) => found.toUpperCase());
}

/** A value as it is, for the columns that take maps and lists: JSON has no session variables in it. */
function literal(cursor: Cursor, refusals: Refusals): Plain {
  if (holdsVariable(cursor.node, refusals.headerPrefix)) {
    const hint = 'let the variable hold the whole JSON value';
    refusals.refuse(cursor, 'a session variable stands inside a JSON value', hint);
  }
  return plain(cursor.node);
}

function holdsVariable(node: RawNode, headerPrefix: string): boolean {
  if (node.kind === 'list') return node.items.some((item) => holdsVariable(item, headerPrefix));
  if (node.kind === 'map')
    return node.entries.some(({ value }) => holdsVariable(value, headerPrefix));
  return (
    isVariable(node) ||
    (typeof node.value === 'string' && looksLikeVariable(node.value, headerPrefix))
  );
}

/** A node as data, numbers digit by digit. */
export function plain(node: RawNode): Plain {
  if (node.kind === 'list') return node.items.map(plain);
  if (node.kind === 'map')
    return new Map(node.entries.map(({ key, value }) => [key, plain(value)]));
  return typeof node.value === 'number' ? new Verbatim(node.source) : node.value;
}
