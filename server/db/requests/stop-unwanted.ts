import { setTimeout as delay } from 'node:timers/promises';
import type { PipelinedClient } from './pipelined-client.ts';

/** What a connection runs for somebody. */
export interface Running {
  readonly client: PipelinedClient;
  /** Before it nothing is stopped. */
  readonly begun: Promise<unknown>;
  /** Ends when nobody wants the outcome any more. */
  readonly signal: AbortSignal;
}

/** A request that comes while Postgres turns from one statement to the next is lost, and made again. */
const FIRST_PAUSE_MS = 100;

/**
 * Has Postgres stop what a connection runs when nobody wants it any more.
 * @returns to be called once all has ended, and awaited before the connection is used for anything else: whether
 * Postgres was asked to stop something. Never rejects
 */
export function stopWhenUnwanted({ client, begun, signal }: Running): () => Promise<boolean> {
  let end: AbortController | undefined;
  let asked: Promise<boolean> | undefined;
  const stop = () => {
    end = new AbortController();
    asked = askUntil(end.signal, client, begun);
  };
  signal.addEventListener('abort', stop, { once: true });
  return async () => {
    end?.abort();
    signal.removeEventListener('abort', stop);
    return (await asked) ?? false;
  };
}

async function askUntil(
  end: AbortSignal,
  client: PipelinedClient,
  begun: Promise<unknown>,
): Promise<boolean> {
  let isAsked = false;
  try {
    await begun;
    for (let pause = FIRST_PAUSE_MS; !end.aborted; pause *= 2) {
      isAsked = true;
      await client.stopRunning();
      await delay(pause, undefined, { signal: end });
    }
  } catch {
    // What has not begun fails by itself, what is over needs no pause, and the client knows of lost requests.
  }
  return isAsked;
}
