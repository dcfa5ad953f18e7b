import type { Response } from 'express';

/** Ends when the client hangs up before it was answered. @param reason what is thrown then, where nobody hears it */
export function disconnectSignal(response: Response, reason: () => Error): AbortSignal {
  const abort = new AbortController();
  const end = () => {
    if (!response.writableEnded) abort.abort(reason());
  };
  if (response.destroyed) end();
  else response.once('close', end);
  return abort.signal;
}
