import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A KYC file provider whose answers a test sets. */
export interface TestProvider {
  readonly url: string;
  /** The requests that the provider has received. */
  readonly requests: IncomingMessage[];
  /** Sets one answer for each following request. The last answer is repeated. */
  answerWith(...answers: readonly RequestListener[]): void;
  stop(): Promise<void>;
}

export async function startTestProvider(): Promise<TestProvider> {
  const requests: IncomingMessage[] = [];
  let answers: readonly RequestListener[] = [];
  let number = 0;
  const server = createServer((request, response) => {
    requests.push(request);
    const answer = answers[number] ?? answers.at(-1);
    number += 1;
    answer?.(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    answerWith: (...given) => {
      answers = given;
      number = 0;
      requests.length = 0;
    },
    stop: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Resolves when the connection of a request to the provider has ended. */
export async function closed(request: IncomingMessage | undefined): Promise<void> {
  if (request && !request.socket.destroyed) await once(request.socket, 'close');
}

/** Makes an answer that sends a file in one piece. */
export const file =
  (content: Buffer | string, contentType?: string): RequestListener =>
  (_request, response) => {
    if (contentType !== undefined) response.setHeader('Content-Type', contentType);
    response.setHeader('Content-Length', Buffer.byteLength(content)).end(content);
  };

export const status =
  (code: number, body = 'the words of the provider'): RequestListener =>
  (_request, response) => {
    response.writeHead(code, { 'Content-Type': 'text/plain' }).end(body);
  };

/** An answer that closes the connection without sending anything. */
export const hangUp: RequestListener = (request) => request.socket.destroy();

/** An answer that never comes. The connection stays open. */
export const silence: RequestListener = () => undefined;

/** Makes an answer that sends its beginning and then nothing more. */
export const stall =
  (beginning: string): RequestListener =>
  (_request, response) => {
    response.writeHead(200, { 'Content-Type': 'image/png' });
    response.flushHeaders();
    response.write(beginning);
  };

/** Makes an answer that sends its beginning and then closes the connection. */
export const breakOff =
  (beginning: string): RequestListener =>
  (_request, response) => {
    response.writeHead(200, { 'Content-Type': 'image/png', 'Content-Length': '1000' });
    response.write(beginning, () => response.destroy());
  };

/**
 * Makes an answer that sends this many bytes in pieces, as fast as they are read, without a
 * declared length.
 */
export const pour =
  (bytes: number, poured: { bytes: number } = { bytes: 0 }): RequestListener =>
  async (_request, response) => {
    const piece = Buffer.alloc(64 * 1024, 7);
    const closed = once(response, 'close');
    while (poured.bytes < bytes && !response.destroyed) {
      const part = piece.subarray(0, Math.min(piece.length, bytes - poured.bytes));
      poured.bytes += part.length;
      if (!response.write(part)) await Promise.race([once(response, 'drain'), closed]);
    }
    response.end();
  };
