/**
 * Signals within this time count as one. The terminal and npm both send a signal for Ctrl-C, so one keystroke would
 * otherwise count as a second signal and immediately end the process.
 */
export const echoMs = 1000;

/** Receives the signals of a command. A command that ends itself when it is interrupted asks for a signal first. */
export class Interruption {
  readonly #end: (signal: NodeJS.Signals) => void;
  readonly #controller = new AbortController();
  #isExpected = false;
  #first: number | undefined;

  /** @param end ends the process */
  constructor(end: (signal: NodeJS.Signals) => void) {
    this.#end = end;
  }

  /** Returns a signal that aborts at the first SIGINT. Only a later one then ends the process. */
  expect(): AbortSignal {
    this.#isExpected = true;
    return this.#controller.signal;
  }

  readonly receive = (signal: NodeJS.Signals): void => {
    const now = performance.now();
    this.#first ??= now;
    if (signal !== 'SIGINT' || !this.#isExpected || now - this.#first > echoMs) this.#end(signal);
    else this.#controller.abort();
  };
}
