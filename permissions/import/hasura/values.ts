import { isOrResemblesVariable, titledHeader } from '../../expressions/session-variables.ts';
import type { RawNode } from '../../metadata/yaml/node.ts';
import { variableName } from '../../text/names.ts';
import { type Plain, type PlainMap, Verbatim } from './imported.ts';
import { type Cursor, items } from './input/cursor.ts';

/** Hasura's prefix of session variables. Rowgate's prefix is configurable. */
export const hasuraPrefix = 'x-hasura-';

/** Collects the problems that occur while one rule is translated. */
export interface Refusals {
  /** The prefix of session variables in Rowgate, e.g. `X-Gql-`. */
  readonly headerPrefix: string;
  /** Records the reason why the rule cannot be imported. The import then omits the whole rule. */
  refuse(at: Cursor, message: string, hint?: string): void;
  /**
   * Records that an item has another meaning than in Hasura. The change must not permit more than the rule's author
   * intended.
   */
  note(at: Cursor, message: string, hint?: string): void;
}

/**
 * Translates a value of a comparison or a preset: a session variable under its new name, a list of values, or a
 * literal.
 */
export function translateValue(cursor: Cursor, refusals: Refusals): Plain {
  const { node } = cursor;
  if (node.kind === 'list') return translateList(cursor, refusals);
  if (node.kind === 'scalar' && typeof node.value === 'string')
    return translateText(node.value, cursor, refusals);
  return literal(cursor, refusals);
}

/**
 * Translates a list. The list may be a JSON value, inside which no single item can be marked as a text. So when an item
 * needs such a mark and no item is a session variable, the whole list is marked as a literal.
 */
function translateList(cursor: Cursor, refusals: Refusals): Plain {
  const listed = items(cursor);
  const translated = listed.map((item) => listItem(item, refusals));
  const hasEscape = translated.some((one) => isEscaped(one));
  const hasVariable = listed.some(({ node }) => isVariable(node));
  return hasEscape && !hasVariable ? escaped(plain(cursor.node)) : translated;
}

/** Marks a value so that Rowgate takes it literally, even when it looks like a session variable. */
function escaped(value: Plain): PlainMap {
  return new Map([['_literal', value]]);
}

/** Returns whether a value is marked as a literal. */
export function isEscaped(value: Plain): value is PlainMap {
  return value instanceof Map && value.size === 1 && value.has('_literal');
}

/**
 * Translates an item of a list. Hasura compares with the name of a variable in a list, not with its value. No author
 * intends that, so the import uses the variable.
 */
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

/**
 * Returns the name of a variable without Hasura's prefix. The first versions of Hasura wrote `REQ_USER_ID` for the id
 * of the user.
 */
function hasuraVariable(value: string): string | undefined {
  const lower = value.toLowerCase();
  if (lower === 'req_user_id') return 'user-id';
  return lower.startsWith(hasuraPrefix) ? lower.slice(hasuraPrefix.length) : undefined;
}

/**
 * Translates a literal value, such as a JSON value, without changing it. Refuses a session variable inside it, because
 * Rowgate does not replace variables there.
 */
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

/** Returns whether a node, or a value inside the node, satisfies a predicate. */
function holds(node: RawNode, isOne: (value: RawNode) => boolean): boolean {
  if (node.kind === 'list') return node.items.some((item) => holds(item, isOne));
  if (node.kind === 'map') return node.entries.some(({ value }) => holds(value, isOne));
  return isOne(node);
}

/** Returns whether a value contains a key that Rowgate would interpret, such as `_literal`, instead of storing it. */
function holdsLiteralKey(node: RawNode): boolean {
  if (node.kind === 'list') return node.items.some(holdsLiteralKey);
  if (node.kind !== 'map') return false;
  return node.entries.some(({ key, value }) => key === '_literal' || holdsLiteralKey(value));
}

/** Converts a node into data, and keeps all digits of numbers. */
export function plain(node: RawNode): Plain {
  if (node.kind === 'list') return node.items.map(plain);
  if (node.kind === 'map')
    return new Map(node.entries.map(({ key, value }) => [key, plain(value)]));
  return typeof node.value === 'number' ? new Verbatim(node.source) : node.value;
}
