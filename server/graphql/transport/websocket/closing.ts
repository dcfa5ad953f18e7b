import type { WebSocket } from 'ws';
import { CallerError } from '../../../caller/authenticate.ts';
import type { RequestError } from '../../request-error.ts';

/** The codes that a socket is closed with: from 4400 on those of graphql-transport-ws, below those of WebSockets. */
export const closeCode = {
  done: 1000,
  goingAway: 1001,
  tooLarge: 1009,
  tryAgain: 1013,
  badMessage: 4400,
  notIntroduced: 4401,
  forbidden: 4403,
  unknownProtocol: 4406,
  introducedTooLate: 4408,
  sameId: 4409,
  introducedTwice: 4429,
} as const;
export type CloseCode = (typeof closeCode)[keyof typeof closeCode];

/** Bytes that the reason may have, with room for a last character that was cut in two. */
const reasonBytes = 120;

/** Ends a socket after the messages that were sent before; also a socket that is not read at the moment. */
export function closeSocket(socket: WebSocket, code: CloseCode, reason: string): void {
  // The peer's answer to the closing has to be read.
  socket.resume();
  socket.close(code, Buffer.from(reason).subarray(0, reasonBytes).toString());
}

/** Chooses the code for a socket whose caller could not be identified. */
export function failureCode(cause: unknown, { code }: RequestError): CloseCode {
  if (cause instanceof CallerError) return closeCode.forbidden;
  return retryableCodes.has(code) ? closeCode.tryAgain : closeCode.badMessage;
}

const retryableCodes: ReadonlySet<string> = new Set([
  'unavailable',
  'unexpected',
  'rate-limit-exceeded',
]);

/** The longest time that a timer of Node waits. */
const maxTimerMs = 2 ** 31 - 1;

/** Acts at a time, at once where it has passed; returns a function that cancels it. */
export function atTime(time: Date, act: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const wait = () => {
    const left = time.getTime() - Date.now();
    if (left <= 0) return act();
    timer = setTimeout(wait, Math.min(left, maxTimerMs)).unref();
  };
  wait();
  return () => clearTimeout(timer);
}
