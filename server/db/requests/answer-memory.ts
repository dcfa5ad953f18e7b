import { BusyError } from './fairness/busy-error.ts';
import { FairShares, type Share } from './fairness/fair-shares.ts';

/** The first bytes of each answer are not counted, so that large answers never cause refusal of a small answer. */
const UNCOUNTED_BYTES = 64 * 1024;

/**
 * Limits the bytes of answers in a process, from their arrival from Postgres until the client has received them. While
 * the process receives and assembles an answer, it needs up to six times the bytes of the answer.
 */
export class AnswerMemory {
  readonly #shares: FairShares;

  constructor(bytes: number) {
    this.#shares = new FairShares(bytes);
  }

  /** Starts the accounting of one answer, which holds no memory yet. */
  open(share: Share): AnswerBytes {
    return new AnswerBytes(this.#shares, share);
  }
}

/** The bytes of one answer. */
export class AnswerBytes {
  readonly #shares: FairShares;
  readonly #share: Share;
  #received = 0;
  #taken = 0;

  constructor(shares: FairShares, share: Share) {
    this.#shares = shares;
    this.#share = share;
  }

  /**
   * Counts received bytes.
   * @returns false when the caller may hold no more bytes
   */
  receive(bytes: number): boolean {
    const more = this.#count(bytes);
    if (more > 0 && !this.#shares.take(this.#share, more)) return false;
    this.#taken += more;
    return true;
  }

  /**
   * Counts bytes of an answer to a committed mutation, even above the maximum. A refusal would wrongly suggest to the
   * client that nothing was changed.
   */
  receiveAnyway(bytes: number): void {
    const more = this.#count(bytes);
    if (more > 0) this.#shares.takeAnyway(this.#share, more);
    this.#taken += more;
  }

  /** All received bytes. */
  get received(): number {
    return this.#received;
  }

  /** Whether the answer uses a part of the caller's share. Most answers are too small for that. */
  get holdsMemory(): boolean {
    return this.#taken > 0;
  }

  /** @throws BusyError when the caller's answers already hold the maximum */
  refuseWhereFull(): void {
    const { byCaller } = this.#shares.held(this.#share);
    if (byCaller > 0 && !this.#shares.mayTake(this.#share, 1)) throw answersHoldTooMuch();
  }

  /**
   * Returns true when the caller may hold an answer of this size. The check runs before a query is sent, so that
   * Postgres computes no answer that would be refused.
   */
  mayHold(bytes: number): boolean {
    const counted = bytes - UNCOUNTED_BYTES;
    return counted <= 0 || this.#shares.mayTakeInPieces(this.#share, counted);
  }

  /** Releases all counted bytes. Can be called again. */
  release(): void {
    if (this.#taken > 0) this.#shares.giveBack(this.#share, this.#taken);
    this.#taken = 0;
  }

  /** @returns the number of bytes to add to the caller's share */
  #count(bytes: number): number {
    this.#received += bytes;
    return Math.max(0, this.#received - UNCOUNTED_BYTES - this.#taken);
  }
}

/** Makes the error for an answer for which the server has no memory. */
export function answersHoldTooMuch(): BusyError {
  return new BusyError('large answers use all of the memory for answers');
}
