import type { WebSocket } from 'ws';
import { CallerError } from '../../../caller/authenticate.ts';
import type { RequestError } from '../../request-error.ts';

/** Close codes of RFC 6455 and, from 4400 on, of graphql-transport-ws. */
export const closeCode = {
  normal: 1000,
  goingAway: 1001,
  tooLarge: 1009,
  tryAgainLater: 1013,
  badMessage: 4400,
  unauthorized: 4401,
  forbidden: 4403,
  unknownProtocol: 4406,
  initTimeout: 4408,
  duplicateId: 4409,
  repeatedInit: 4429,
} as const;
export type CloseCode = (typeof closeCode)[keyof typeof closeCode];

/**
 * Maximum bytes of a reason: 123 by RFC 6455, minus the size of the replacement character for a character that was cut.
 */
const maxReasonBytes = 120;

/** Closes a socket after the messages that were sent before, even while reading is paused. */
export function closeSocket(socket: WebSocket, code: CloseCode, reason: string): void {
  // Closing needs the client's close frame, and a paused socket would never read it.
  socket.resume();
  socket.close(code, Buffer.from(reason).subarray(0, maxReasonBytes).toString());
}

const retryableCodes = new Set<string>(['unavailable', 'unexpected', 'rate-limit-exceeded']);

/** Returns the close code for a socket whose caller could not be identified. */
export function failureCode(cause: unknown, { code }: RequestError): CloseCode {
  if (cause instanceof CallerError) return closeCode.forbidden;
  return retryableCodes.has(code) ? closeCode.tryAgainLater : closeCode.badMessage;
}
