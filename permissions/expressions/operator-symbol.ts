import { type SqlText, sql } from '../text/sql-text.ts';

/** Operator symbols come from a fixed list; each is spelled out here so that no text is spliced. */
export function operatorSymbol(symbol: string): SqlText {
  const found = symbolTexts.find((one) => one.text === symbol);
  if (!found) throw new RangeError(`no operator ${symbol}`);
  return found;
}

const symbolTexts = [
  sql`=`,
  sql`<>`,
  sql`<`,
  sql`<=`,
  sql`>`,
  sql`>=`,
  sql`~~`,
  sql`!~~`,
  sql`~~*`,
  sql`!~~*`,
  sql`~`,
  sql`!~`,
  sql`~*`,
  sql`!~*`,
  sql`@>`,
  sql`<@`,
  sql`?`,
  sql`?|`,
  sql`?&`,
  sql`@`,
];
