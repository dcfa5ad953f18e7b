import { type SqlText, sql } from './sql-text.ts';

/**
 * Every operator symbol that rules and clients can use, as trusted SQL. The list guarantees that no text of a user
 * becomes part of a statement.
 */
const symbols = {
  '=': sql`=`,
  '<>': sql`<>`,
  '<': sql`<`,
  '<=': sql`<=`,
  '>': sql`>`,
  '>=': sql`>=`,
  '~~': sql`~~`,
  '!~~': sql`!~~`,
  '~~*': sql`~~*`,
  '!~~*': sql`!~~*`,
  '~': sql`~`,
  '!~': sql`!~`,
  '~*': sql`~*`,
  '!~*': sql`!~*`,
  '@>': sql`@>`,
  '<@': sql`<@`,
  '?': sql`?`,
  '?|': sql`?|`,
  '?&': sql`?&`,
  '@': sql`@`,
} as const satisfies Readonly<Record<string, SqlText>>;

export type OperatorSymbol = keyof typeof symbols;

export const operatorSymbols = Object.keys(symbols) as readonly OperatorSymbol[];

/** Returns a symbol as SQL. @throws RangeError if the symbol is not in the list */
export function operatorSymbol(symbol: string): SqlText {
  if (!Object.hasOwn(symbols, symbol)) throw new RangeError(`no operator ${symbol}`);
  return symbols[symbol as OperatorSymbol];
}
