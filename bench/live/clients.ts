import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Received } from './latency.ts';
import type { Audience } from './plan.ts';

/** A command to the process of the clients. */
export type Command =
  | { readonly open: Audience; readonly port: number }
  | { readonly record: true }
  /** The newest write of each tenant, for which the process waits. */
  | { readonly take: readonly (readonly [tenant: number, number: number])[] }
  | { readonly close: true };

export interface Reply {
  readonly received?: readonly Received[];
  /** Why the measurement ended, for example a wrong answer. */
  readonly failure?: string;
}

/** Subscribers in a separate process, each with a socket of its own. */
export class Clients {
  readonly #process: ChildProcess = fork(path.join(import.meta.dirname, 'client-process.ts'));

  /** Opens subscriptions, and waits for the first answer of each. */
  async open(port: number, audience: Audience): Promise<void> {
    await this.#send({ open: audience, port });
  }

  /** Forgets earlier messages. */
  async record(): Promise<void> {
    await this.#send({ record: true });
  }

  /**
   * Waits until each subscriber has received the newest write of its tenant. Returns the messages since `record`.
   * @throws Error when a write does not arrive, or when an answer was wrong
   */
  async take(newest: ReadonlyMap<number, number>): Promise<readonly Received[]> {
    const { received = [] } = await this.#send({ take: [...newest] });
    return received;
  }

  async close(): Promise<void> {
    await this.#send({ close: true });
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
