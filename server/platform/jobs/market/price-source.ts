/** The price of one coin in US dollars, as decimal text. */
export interface Quote {
  readonly coin: string;
  readonly price: string;
}

/** A source of coin prices in US dollars. */
export interface PriceSource {
  readonly name: string;
  /**
   * Returns the fresh prices of the given coins, and omits coins without a fresh price.
   * @throws Error when the source does not answer or its answer is invalid
   */
  quotes(coins: readonly string[], signal: AbortSignal): Promise<readonly Quote[]>;
}

/** The answer of a source, or its error. */
export type SourceAnswer<T> =
  | { readonly name: string; readonly answer: T }
  | { readonly name: string; readonly error: string };

/** The maximum age of a fresh trade or quote. */
export const freshMs = 30 * 60 * 1000;
