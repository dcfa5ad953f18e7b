import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Target } from './target.ts';

/** How fast requests were answered. */
export interface Rates {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** The next step of the generator's process: open connections and warm them up, or measure. */
export type Command =
  | { readonly target: Target; readonly count: number }
  | { readonly milliseconds: number };

export interface Reply {
  readonly rates?: Rates;
  /** Why the measurement ended, for example a wrong answer. */
  readonly failure?: string;
}

/** Sends requests from a separate process, one at a time on each connection. */
export class LoadGenerator {
  readonly #process: ChildProcess = fork(path.join(import.meta.dirname, 'generator.ts'));

  /** Opens connections and sends requests for a moment, so that the measurement includes neither. */
  async prepare(target: Target, count: number): Promise<void> {
    await this.#send({ target, count });
  }

  /** Rejects when an answer is wrong. */
  async run(milliseconds: number): Promise<Rates> {
    const { rates } = await this.#send({ milliseconds });
    if (!rates) throw new Error('the load generator returned no figures');
    return rates;
  }

  stop(): void {
    this.#process.kill();
  }

  async #send(command: Command): Promise<Reply> {
    const replied = once(this.#process, 'message');
    this.#process.send(command);
    const [reply] = (await replied) as [Reply];
    if (reply.failure !== undefined) throw new Error(reply.failure);
    return reply;
  }
}
