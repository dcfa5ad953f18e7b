/** Statements that end the transaction, or change its role or settings. */
const REFUSED: ReadonlySet<string> = new Set([
  ...['begin', 'start', 'commit', 'end', 'rollback', 'abort', 'savepoint', 'release'],
  ...['set', 'reset', 'discard', 'listen', 'unlisten', 'prepare', 'deallocate', 'load', 'do'],
]);

/**
 * Matches the first word of a statement after white space, comments and parentheses. In Postgres, a carriage return
 * also ends a line comment.
 */
const FIRST_WORD = /^(?:[\s;(]|--[^\n\r]*|\/\*[\s\S]*?\*\/)*([a-z]+)/i;

/**
 * Matches the function that changes settings, and any name with Unicode escapes, which could be the name of that
 * function.
 */
const CHANGES_SETTINGS = /set_config|U&"/i;

/**
 * Refuses statements with which a plugin would leave the caller's transaction or role. The check prevents mistakes, not
 * attacks: database functions can also change settings, so plugins must be trusted code.
 */
export function refuseSessionChange(text: string): void {
  const [, word = ''] = FIRST_WORD.exec(text) ?? [];
  if (!REFUSED.has(word.toLowerCase()) && !CHANGES_SETTINGS.test(text)) return;
  const what = REFUSED.has(word.toLowerCase()) ? word.toLowerCase() : 'set_config';
  throw new Error(
    `a plugin cannot run "${what}": the transaction and its settings are the operation's; use withTransaction for savepoints`,
  );
}
