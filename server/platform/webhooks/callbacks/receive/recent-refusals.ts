import type { ProviderName } from '../providers/callback-provider.ts';

/** A refused callback, without its headers and body, which may contain secrets. */
export interface RefusedCallback {
  /** Counts the refused callbacks of this process. */
  readonly number: number;
  readonly at: Date;
  readonly provider: ProviderName;
  /** The reason in words. */
  readonly reason: string;
  readonly address: string | undefined;
  readonly requestId: string | undefined;
}

const maxRefusals = 200;

/**
 * Keeps the last refused callbacks of this process. They are not stored, because anybody can send callbacks that are
 * refused, and could fill a table.
 */
export class RecentRefusals {
  readonly #refusals: RefusedCallback[] = [];
  #count = 0;

  add(refusal: Omit<RefusedCallback, 'number' | 'at'>): void {
    this.#count += 1;
    this.#refusals.unshift({ ...refusal, number: this.#count, at: new Date() });
    this.#refusals.splice(maxRefusals);
  }

  /** Returns refusals, the newest first, that are older than the one with the number. */
  before(number = Infinity): readonly RefusedCallback[] {
    return this.#refusals.filter((refusal) => refusal.number < number);
  }
}
