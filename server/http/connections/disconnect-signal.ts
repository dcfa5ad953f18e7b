import type { ServerResponse } from 'node:http';

/**
 * Makes a signal that aborts when the client disconnects before the answer is complete.
 * @param reason makes the reason of the signal, which is the error of the waiting work
 */
export function disconnectSignal(response: ServerResponse, reason: () => Error): AbortSignal {
  const abort = new AbortController();
  const end = () => {
    if (!response.writableEnded) abort.abort(reason());
  };
  if (response.destroyed) end();
  else response.on('close', end);
  return abort.signal;
}
