/** What one coin costs, in US dollars, as decimal text. */
export interface Quote {
  readonly coin: string;
  readonly price: string;
}

/** Somebody who knows prices of coins in US dollars. */
export interface PriceSource {
  readonly name: string;
  /**
   * What it has a fresh price of. Coins that it does not know, or has no fresh price of, are left out.
   * @throws Error where it does not answer, or not as it should
   */
  quotes(coins: readonly string[], signal: AbortSignal): Promise<readonly Quote[]>;
}

/** What a source said, or why it said nothing. */
export type Answered<T> =
  | { readonly name: string; readonly answer: T }
  | { readonly name: string; readonly error: string };

/** Trades and quotes of before this are not of now. */
export const freshMs = 30 * 60 * 1000;
