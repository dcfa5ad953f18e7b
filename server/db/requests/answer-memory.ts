import { BusyError } from './busy-error.ts';
import { FairShares, type Share } from './fair-shares.ts';

/** Bytes of each answer that do not count, so that small answers pass whatever large ones hold. */
const UNCOUNTED_BYTES = 64 * 1024;

/**
 * The bytes of answers that a process holds, from when Postgres sends them until the client has taken them. While an
 * answer is received and assembled, the process needs up to six times its bytes.
 */
export class AnswerMemory {
  readonly #shares: FairShares;

  constructor(bytes: number) {
    this.#shares = new FairShares(bytes);
  }

  /** Memory for one answer; none is taken yet. */
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

  /** Counts bytes that have arrived. @returns false where the caller may hold no more */
  receive(bytes: number): boolean {
    const more = this.#count(bytes);
    if (more > 0 && !this.#shares.take(this.#share, more)) return false;
    this.#taken += more;
    return true;
  }

  /** Counts bytes of an answer that must not be refused any more, since what it reports is done. */
  receiveAnyway(bytes: number): void {
    const more = this.#count(bytes);
    if (more > 0) this.#shares.takeAnyway(this.#share, more);
    this.#taken += more;
  }

  /** All bytes that have arrived. */
  get received(): number {
    return this.#received;
  }

  /** @throws BusyError where the caller's answers hold all that they may */
  refuseWhereFull(): void {
    const { byCaller } = this.#shares.held(this.#share);
    if (byCaller > 0 && !this.#shares.mayTake(this.#share, 1)) throw answersHoldTooMuch();
  }

  /** Whether the caller may hold an answer of so many bytes; otherwise Postgres need not make it. */
  mayHold(bytes: number): boolean {
    const counted = bytes - UNCOUNTED_BYTES;
    return counted <= 0 || this.#shares.mayTakeInPieces(this.#share, counted);
  }

  /** Gives everything back. Safe to call again. */
  release(): void {
    if (this.#taken > 0) this.#shares.giveBack(this.#share, this.#taken);
    this.#taken = 0;
  }

  /** @returns how many more bytes are to be taken */
  #count(bytes: number): number {
    this.#received += bytes;
    return Math.max(0, this.#received - UNCOUNTED_BYTES - this.#taken);
  }
}

/** The error of a caller for whose answer there is no memory. */
export function answersHoldTooMuch(): BusyError {
  return new BusyError('large answers hold the memory that there is for them');
}
