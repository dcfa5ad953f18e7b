/** Statements that end the transaction, or change whose rights it has. */
const REFUSED: ReadonlySet<string> = new Set([
  ...['begin', 'start', 'commit', 'end', 'rollback', 'abort', 'savepoint', 'release'],
  ...['set', 'reset', 'discard', 'listen', 'unlisten', 'prepare', 'deallocate', 'load', 'do'],
]);

/** White space, comments and opening parentheses, and the word after them. A carriage return ends a comment, too. */
const FIRST_WORD = /^(?:[\s;(]|--[^\n\r]*|\/\*[\s\S]*?\*\/)*([a-z]+)/i;

/** The function that changes settings; a name with escapes could be its own. */
const CHANGES_SETTINGS = /set_config|U&"/i;

/**
 * Refuses a statement by which a plugin would leave the caller's transaction or its rights. It keeps plugins from doing
 * so unawares; a plugin is trusted code all the same, since functions of the database can change settings too.
 */
export function refuseSessionChange(text: string): void {
  const [, word = ''] = FIRST_WORD.exec(text) ?? [];
  if (!REFUSED.has(word.toLowerCase()) && !CHANGES_SETTINGS.test(text)) return;
  const what = REFUSED.has(word.toLowerCase()) ? word.toLowerCase() : 'set_config';
  throw new Error(
    `a plugin cannot run "${what}": the transaction and its settings are the operation's; use withTransaction for savepoints`,
  );
}
