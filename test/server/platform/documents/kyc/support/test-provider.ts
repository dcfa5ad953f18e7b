import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A provider of files whose every answer a test decides. */
export interface TestProvider {
  readonly url: string;
  /** Requests so far. */
  readonly asked: IncomingMessage[];
  /** One answer a request; the last one goes on. */
  answerWith(...answers: readonly RequestListener[]): void;
  stop(): Promise<void>;
}

export async function startTestProvider(): Promise<TestProvider> {
  const asked: IncomingMessage[] = [];
  let answers: readonly RequestListener[] = [];
  let number = 0;
  const server = createServer((request, response) => {
    asked.push(request);
    const answer = answers[number] ?? answers.at(-1);
    number += 1;
    answer?.(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    answerWith: (...given) => {
      answers = given;
      number = 0;
      asked.length = 0;
    },
    stop: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Until the connection of a request has ended. */
export async function closed(request: IncomingMessage | undefined): Promise<void> {
  if (request && !request.socket.destroyed) await once(request.socket, 'close');
}

/** Answers with a file in one piece. */
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

/** Ends the connection without a word. */
export const hangUp: RequestListener = (request) => request.socket.destroy();

/** Never says anything. */
export const silence: RequestListener = () => undefined;

/** Begins, and then says no more. */
export const stall =
  (beginning: string): RequestListener =>
  (_request, response) => {
    response.writeHead(200, { 'Content-Type': 'image/png' });
    response.flushHeaders();
    response.write(beginning);
  };

/** Begins, and then ends the connection. */
export const breakOff =
  (beginning: string): RequestListener =>
  (_request, response) => {
    response.writeHead(200, { 'Content-Type': 'image/png', 'Content-Length': '1000' });
    response.write(beginning, () => response.destroy());
  };

/** So many bytes, in pieces, as fast as they are taken, without telling how many. */
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
