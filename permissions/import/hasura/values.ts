import { isOrResemblesVariable, titledHeader } from '../../expressions/session-variables.ts';
import type { RawNode } from '../../metadata/yaml/node.ts';
import { variableName } from '../../text/names.ts';
import { type Plain, type PlainMap, Verbatim } from './imported.ts';
import { type Cursor, items } from './input/cursor.ts';

/** Hasura's prefix; ours is configured. */
export const hasuraPrefix = 'x-hasura-';

/** Everything that reports what the translation of one rule cannot do. */
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
  if (node.kind === 'list') return translateList(cursor, refusals);
  if (node.kind === 'scalar' && typeof node.value === 'string')
    return translateText(node.value, cursor, refusals);
  return literal(cursor, refusals);
}

/** A list without variables may be one of JSON, in which an item cannot say by itself that it is a text. */
function translateList(cursor: Cursor, refusals: Refusals): Plain {
  const listed = items(cursor);
  const translated = listed.map((item) => listItem(item, refusals));
  const hasEscape = translated.some((one) => isEscaped(one));
  const hasVariable = listed.some(({ node }) => isVariable(node));
  return hasEscape && !hasVariable ? escaped(plain(cursor.node)) : translated;
}

/** A value that is no session variable, whatever it looks like. */
function escaped(value: Plain): PlainMap {
  return new Map([['_literal', value]]);
}

/** Whether a value says of itself that it is no session variable. */
export function isEscaped(value: Plain): value is PlainMap {
  return value instanceof Map && value.size === 1 && value.has('_literal');
}

/** Hasura itself takes a variable in a list for its name as a text, which is never meant. */
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
    if (!isOrResemblesVariable(value, headerPrefix)) return value;
    const message = `"${value}" looks like a session variable; Hasura takes it for text`;
    refusals.note(cursor, message, 'look whether a variable was meant');
    return escaped(value);
  }
  const name = variableName(`${headerPrefix}${variable}`, headerPrefix);
  if (name !== undefined) return titledHeader(name, headerPrefix);
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

/** A value as it is, for the columns that take maps and lists: JSON has no session variables in it. */
function literal(cursor: Cursor, refusals: Refusals): Plain {
  const { node } = cursor;
  if (holds(node, isVariable)) {
    const hint = 'let the variable hold the whole JSON value';
    refusals.refuse(cursor, 'a session variable stands inside a JSON value', hint);
  }
  const value = plain(node);
  const isDoubtful = (text: RawNode) =>
    text.kind === 'scalar' &&
    typeof text.value === 'string' &&
    isOrResemblesVariable(text.value, refusals.headerPrefix);
  return holds(node, isDoubtful) || holdsLiteralKey(node) ? escaped(value) : value;
}

/** Whether one of the values in a node, or the node itself, is of a kind. */
function holds(node: RawNode, isOne: (value: RawNode) => boolean): boolean {
  if (node.kind === 'list') return node.items.some((item) => holds(item, isOne));
  if (node.kind === 'map') return node.entries.some(({ value }) => holds(value, isOne));
  return isOne(node);
}

/** JSON with a key that would be taken for Rowgate's own. */
function holdsLiteralKey(node: RawNode): boolean {
  if (node.kind === 'list') return node.items.some(holdsLiteralKey);
  if (node.kind !== 'map') return false;
  return node.entries.some(({ key, value }) => key === '_literal' || holdsLiteralKey(value));
}

/** A node as data, numbers digit by digit. */
export function plain(node: RawNode): Plain {
  if (node.kind === 'list') return node.items.map(plain);
  if (node.kind === 'map')
    return new Map(node.entries.map(({ key, value }) => [key, plain(value)]));
  return typeof node.value === 'number' ? new Verbatim(node.source) : node.value;
}
