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

/**
 * The answers of a live query for one client. A client that reads slowly gets only the newest answer. No answer is held
 * for it, because the answers of many subscriptions would fill the memory: the query is fetched again.
 */
export class LatestAnswer {
  readonly #receiver: Receiver;
  /** The digest of the answer that was sent. */
  #digest: string | undefined;
  /** Fetches the answer again that the client could not take. */
  #refetch: (() => void) | undefined;
  #isWaiting = false;

  constructor(receiver: Receiver) {
    this.#receiver = receiver;
  }

  /**
   * Sends an answer unless the client has it. Returns true if the answer differs.
   * @param refetch called when the client could not take the answer, and has read enough for another one
   */
  offer(answer: FetchedAnswer, refetch: () => void): boolean {
    this.#refetch = undefined;
    if (answer.digest === this.#digest) return false;
    if (this.#receiver.isFull) this.#sendLater(refetch);
    else {
      this.#digest = answer.digest;
      this.#receiver.send(answer.text);
    }
    return true;
  }

  #sendLater(refetch: () => void): void {
    this.#refetch = refetch;
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    this.#receiver.onceReady(() => {
      this.#isWaiting = false;
      this.#refetch?.();
    });
  }
}
