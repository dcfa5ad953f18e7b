import { setTimeout as delay } from 'node:timers/promises';
import type { PipelinedClient } from './pipelined-client.ts';

/** A running transaction that can be cancelled. */
export interface Running {
  readonly client: PipelinedClient;
  /**
   * Resolves when the transaction has begun. Nothing is cancelled earlier, because a cancelled beginning would leave
   * the role of the caller unset.
   */
  readonly begun: Promise<unknown>;
  /** Aborting this signal cancels the statement. */
  readonly signal: AbortSignal;
}

/**
 * The first pause between cancel requests. A request is repeated, because Postgres ignores a request that arrives
 * between two statements.
 */
const FIRST_PAUSE_MS = 100;

/**
 * Cancels the running statements of a connection when the signal aborts. @returns a function to call after the last
 * statement. When it returns a promise, the connection must not be used before that resolves. The promise resolves to
 * true when a cancel request was sent, and never rejects
 */
export function cancelOnAbort({
  client,
  begun,
  signal,
}: Running): () => Promise<boolean> | undefined {
  let end: AbortController | undefined;
  let requested: Promise<boolean> | undefined;
  const stop = () => {
    end = new AbortController();
    requested = cancelUntil(end.signal, client, begun);
  };
  signal.addEventListener('abort', stop, { once: true });
  return () => {
    end?.abort();
    signal.removeEventListener('abort', stop);
    return requested;
  };
}

async function cancelUntil(
  end: AbortSignal,
  client: PipelinedClient,
  begun: Promise<unknown>,
): Promise<boolean> {
  let isRequested = false;
  try {
    await begun;
    for (let pause = FIRST_PAUSE_MS; !end.aborted; pause *= 2) {
      isRequested = true;
      await client.cancelRunning();
      await delay(pause, undefined, { signal: end });
    }
  } catch {
    // Three errors end here: the transaction did not begin and fails anyway, `end` aborted the pause, or Postgres did
    // not confirm a cancel request, which `isThreatened` reports.
  }
  return isRequested;
}
