import { createHash } from 'node:crypto';
import { type AnswerText, decodeAnswer } from '../../answer-text.ts';
import type { Receiver } from '../receiver.ts';

/** The answer of one fetch, for all subscribers of a cohort. It is decoded at most once. */
export class FetchedAnswer {
  readonly digest: string;
  readonly #answer: AnswerText;
  #text: string | undefined;

  constructor(answer: AnswerText) {
    this.#answer = answer;
    this.digest = digestOf(answer);
  }

  get text(): string {
    this.#text ??= decodeAnswer(this.#answer);
    return this.#text;
  }
}

function digestOf(answer: AnswerText): string {
  const hash = createHash('sha256');
  if (typeof answer === 'string') hash.update(answer, 'utf8');
  // Each character of encoded JSON is one byte.
  else hash.update(answer.bytes, 'latin1');
  return hash.digest('base64');
}

/** The answers of a live query for one client. A client that reads slowly gets only the newest answer. */
export class LatestAnswer {
  readonly #receiver: Receiver;
  /** The digest of the answer that was sent or is held. */
  #digest: string | undefined;
  /** The answer that waits until the client has read the earlier ones. */
  #held: FetchedAnswer | undefined;

  constructor(receiver: Receiver) {
    this.#receiver = receiver;
  }

  /** Sends an answer unless the client has it. Returns true if the answer differs. */
  offer(answer: FetchedAnswer): boolean {
    if (answer.digest === this.#digest) return false;
    this.#digest = answer.digest;
    const isWaiting = this.#held !== undefined;
    if (isWaiting || this.#receiver.isFull) this.#held = answer;
    else this.#receiver.send(answer.text);
    if (!isWaiting && this.#held) this.#receiver.onceReady(() => this.#sendHeld());
    return true;
  }

  #sendHeld(): void {
    const held = this.#held;
    this.#held = undefined;
    if (held) this.#receiver.send(held.text);
  }
}
