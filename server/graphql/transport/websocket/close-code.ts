import type { WebSocket } from 'ws';

/** Why a socket is closed: those from 4400 on are of the protocol of graphql-ws, the others of WebSockets. */
export const closeCode = {
  done: 1000,
  goingAway: 1001,
  tooLarge: 1009,
  tryAgain: 1013,
  badMessage: 4400,
  notIntroduced: 4401,
  turnedAway: 4403,
  unknownProtocol: 4406,
  introducedTooLate: 4408,
  sameId: 4409,
  introducedTwice: 4429,
} as const;
export type CloseCode = (typeof closeCode)[keyof typeof closeCode];

/** Of the bytes that a reason may have, with room for a last character that was cut in two. */
const reasonBytes = 120;

/** Ends a socket after what was sent before; also one of which nothing is read at the moment. */
export function closeSocket(socket: WebSocket, code: CloseCode, reason: string): void {
  // The peer's own word that it has closed has to be read.
  socket.resume();
  socket.close(code, Buffer.from(reason).subarray(0, reasonBytes).toString());
}
