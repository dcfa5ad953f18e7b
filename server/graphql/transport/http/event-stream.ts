import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { atTime } from '../../../at-time.ts';
import { type Caller, CallerError } from '../../../caller/authenticate.ts';
import { rereadSession } from '../../../caller/reread-session.ts';
import { writeHead } from '../../../http/answers/write-head.ts';
import { readLimits } from '../../../http/connections/slow-readers.ts';
import type { DirectRequest } from '../../../http/direct.ts';
import { expectDisconnection } from '../../../http/request-log.ts';
import { decodeAnswer } from '../../answer-text.ts';
import { toClientError } from '../../errors/to-client-error.ts';
import type { Answer } from '../../handle-request.ts';
import { errorBody, type RequestError } from '../../request-error.ts';
import type { CompiledSubscription } from '../../subscriptions/compile-subscription.ts';
import type { Receiver } from '../../subscriptions/receiver.ts';
import type { ClientConnection, Subscriptions } from '../../subscriptions/subscriptions.ts';
import type { Backlog, Watched } from '../websocket/backlog.ts';

const mediaType = 'text/event-stream';

/**
 * Returns whether a client accepts an event stream: no, as an alternative to JSON, or only that. Clients that accept both
 * get JSON for queries and mutations.
 */
export function acceptsStream({
  headers: { accept = '' },
}: Pick<IncomingMessage, 'headers'>): 'no' | 'also' | 'only' {
  const types = accept.split(',').map((one) => one.split(';')[0]?.trim().toLowerCase() ?? '');
  if (!types.includes(mediaType)) return 'no';
  const acceptsJson = types.some((type) => type.endsWith('json') || type === '*/*');
  return acceptsJson ? 'also' : 'only';
}

export interface EventStreamOptions {
  readonly http: DirectRequest;
  readonly response: ServerResponse;
  readonly subscriptions: Subscriptions;
  /** Reads the session of requests that carry its cookie; absent when there are no sessions. */
  readonly readSession: RequestHandler | undefined;
  readonly keepAliveMs: number;
  /** Bounds the bytes of all event streams that their clients have not read. */
  readonly backlog: Backlog;
  readonly logger: Logger;
}

/**
 * The answer to an operation as a stream of events, in the distinct connections mode.
 * https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md
 */
export class EventStream implements Receiver, ClientConnection {
  readonly #options: EventStreamOptions;
  readonly #client: Watched;
  #first: Caller | undefined;
  #close: () => void = () => {};

  constructor(options: EventStreamOptions) {
    const { response } = options;
    this.#options = options;
    this.#client = {
      once: (event, onClose) => response.once(event, onClose),
      terminate: () => response.destroy(),
    };
  }

  /** Sends the only answer of an operation. */
  answer({ text }: Answer): void {
    this.#open();
    this.send(decodeAnswer(text));
    this.#complete();
  }

  /** Opens a subscription, or answers with the error. */
  subscribe(compiled: CompiledSubscription): void {
    const { response, subscriptions, keepAliveMs, backlog, logger } = this.#options;
    const { caller } = compiled.requestCaller;
    this.#first = caller;
    this.#open();
    backlog.watch(this.#client);
    try {
      const close = subscriptions.open(this, compiled, this);
      const comment = setInterval(() => this.#write(':\n\n'), keepAliveMs).unref();
      const cancelEnd = caller.expiresAt && atTime(caller.expiresAt, () => this.refuse(expired));
      this.#close = () => {
        clearInterval(comment);
        cancelEnd?.();
        close();
      };
      expectDisconnection(response);
      if (response.destroyed) this.#close();
      else response.once('close', () => this.#close());
    } catch (error) {
      this.end(toClientError(error, logger));
    }
  }

  get isFull(): boolean {
    return this.#options.response.writableNeedDrain;
  }

  onceReady(resume: () => void): void {
    this.#options.response.once('drain', resume);
  }

  send(text: string): void {
    // Postgres breaks lines between the elements of an array, but an event ends its data at a line break.
    this.#write(`event: next\ndata: ${text.replaceAll('\n', ' ')}\n\n`);
  }

  end(error: RequestError): void {
    this.send(errorBody(error));
    this.#complete();
  }

  request(): ReturnType<ClientConnection['request']> {
    return rereadSession(this.#options.http, this.#options.readSession);
  }

  accept({ identity }: Caller): void {
    if (identity !== this.#first?.identity) throw expired;
  }

  refuse(cause: unknown): void {
    this.#close();
    this.end(toClientError(cause, this.#options.logger));
  }

  /** Ends without the event `complete`, so that the client connects again. */
  drain(): void {
    this.#close();
    this.#options.response.end();
  }

  #open(): void {
    const { response } = this.#options;
    response.setHeader('cache-control', 'private, no-store');
    writeHead(response, 200, [
      ...['Content-Type', `${mediaType}; charset=utf-8`, 'X-Content-Type-Options', 'nosniff'],
      // Proxies that buffer answers must send these at once.
      ...['X-Accel-Buffering', 'no'],
    ]);
    response.flushHeaders();
  }

  #complete(): void {
    this.#write('event: complete\ndata:\n\n');
    this.#close();
    this.#options.response.end();
  }

  #write(text: string): void {
    const { response } = this.#options;
    if (response.writableEnded || response.destroyed) return;
    const wasFull = response.writableNeedDrain;
    response.write(text);
    if (!wasFull && response.writableNeedDrain) this.#expectReading();
  }

  /** Counts the bytes that the client has not read, and disconnects a client that reads them too slowly. */
  #expectReading(): void {
    const { response, keepAliveMs, backlog } = this.#options;
    const bytes = response.writableLength;
    const maxMs = keepAliveMs + bytes / readLimits.bytesPerMs;
    const timer = setTimeout(() => response.destroy(), maxMs).unref();
    const onRead = () => {
      clearTimeout(timer);
      response.off('drain', onRead).off('close', onRead);
      backlog.note(this.#client, { sent: 0 });
    };
    response.once('drain', onRead).once('close', onRead);
    backlog.note(this.#client, { sent: bytes });
  }
}

const expired = new CallerError(
  'access-denied',
  'the session or token has expired; connect with a new one',
);
