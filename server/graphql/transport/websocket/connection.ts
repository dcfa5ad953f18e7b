import type { Request } from 'express';
import type { Logger } from 'pino';
import { WebSocket } from 'ws';
import { atTime } from '../../../at-time.ts';
import { type Caller, CallerError } from '../../../caller/authenticate.ts';
import type { SocketLimits } from '../../../config/socket-config.ts';
import { toClientError } from '../../errors/to-client-error.ts';
import type { Answer, ReceivedOperations } from '../../handle-request.ts';
import { type Json, parseJson } from '../../json.ts';
import { errorBody, RequestError } from '../../request-error.ts';
import type { CompiledSubscription } from '../../subscriptions/compile-subscription.ts';
import { isSubscription, startOperation } from '../../subscriptions/start-operation.ts';
import type { ClientConnection, Subscriptions } from '../../subscriptions/subscriptions.ts';
import { type CloseCode, closeCode, closeSocket, failureCode } from './closing.ts';
import { Intake, type IntakeOptions } from './intake.ts';
import { OperationQueue } from './operation-queue.ts';
import { Outbox } from './outbox.ts';
import {
  answerMessages,
  type ClientMessage,
  dataMessage,
  errorMessage,
  type Protocol,
  readMessage,
} from './protocols.ts';
import { SocketCaller, type SocketCallerOptions, type UpgradeParts } from './socket-caller.ts';
import type { SocketMetrics } from './socket-metrics.ts';

export interface ConnectionOptions extends SocketCallerOptions, Omit<IntakeOptions, 'onTurn'> {
  readonly protocol: Protocol;
  readonly limits: SocketLimits;
  readonly metrics: SocketMetrics;
  readonly subscriptions: Subscriptions;
  /** Maximum open subscriptions of the socket. */
  readonly maxSubscriptions: number;
  readonly logger: Logger;
}

/** An operation that has begun, and a function that ends its subscription. */
interface StartedOperation extends ReceivedOperations {
  readonly id: string;
  readonly end: () => void;
}

const doNothing = () => {};

const tooSlow = 'the client reads its messages too slowly';

function tooMany(max: number): RequestError {
  const message = `a socket may have ${max} subscriptions; close one, or open another socket`;
  return new RequestError('subscription-limit-exceeded', message);
}

const initMissing = () => new RequestError('access-denied', 'connection_init is expected first');

const expired = new CallerError(
  'access-denied',
  'the session or token has expired; connect with a new one',
);

/**
 * One socket. The client sends `connection_init` and then operations. The caller is identified again for each
 * operation.
 */
export class Connection implements ClientConnection {
  readonly #options: ConnectionOptions;
  readonly #operations: OperationQueue;
  readonly #intake: Intake;
  readonly #outbox: Outbox;
  readonly #heartbeat: NodeJS.Timeout;
  /** Whether the client has sent anything since the last ping. */
  #isAlive = true;
  #phase: 'new' | 'initializing' | 'ready' | 'draining' = 'new';
  #caller: SocketCaller | undefined;
  /** The request that opened the socket, until the caller is identified. */
  #upgrade: UpgradeParts | undefined;
  /** Cancels the end of the socket at a set time. */
  #cancelEnd: () => void;

  constructor(upgrade: UpgradeParts, options: ConnectionOptions) {
    const { socket, limits } = options;
    this.#upgrade = upgrade;
    this.#options = options;
    this.#intake = new Intake({ ...options, onTurn: () => this.#pace() });
    const onTaken = () => this.#operations.begin();
    this.#outbox = new Outbox({ ...options, graceMs: limits.keepAliveMs, onTaken });
    this.#operations = new OperationQueue({
      max: limits.operations,
      mayBegin: (running) =>
        this.#isOpen && this.#phase === 'ready' && this.#outbox.hasRoomBeside(running),
      onChange: () => this.#pace(),
    });
    this.#heartbeat = setInterval(() => this.#beat(), limits.keepAliveMs).unref();
    this.#cancelEnd = atTime(new Date(Date.now() + limits.initTimeoutMs), () =>
      this.#close(closeCode.initTimeout, initMissing()),
    );
    socket.on('pong', () => {
      this.#isAlive = true;
    });
    // By default, ws passes each message as one Buffer.
    socket.on('message', (data, isBinary) => this.#receive(data as Buffer, isBinary));
    socket.on('close', () => {
      this.#cancelEnd();
      clearInterval(this.#heartbeat);
      this.#operations.stopAll();
    });
  }

  /** Whether the client has not sent `connection_init` yet. */
  get isNew(): boolean {
    return this.#phase === 'new';
  }

  /**
   * Begins no more operations, and closes the socket after the client has received the answers of the running
   * operations.
   */
  drain(): void {
    this.#phase = 'draining';
    // Waiting operations are dropped. The client sends unanswered operations to another server after this socket
    // closes.
    this.#operations.stopWaiting();
    this.#operations.stopSubscriptions();
    this.#pace();
  }

  #receive(data: Buffer, isBinary: boolean): void {
    if (!this.#isOpen || this.#phase === 'draining') return;
    this.#isAlive = true;
    // An exception here would end the process instead of one socket.
    try {
      const json = isBinary ? null : parseJson(data.toString(), 'the message');
      const message = readMessage(json, this.#options.protocol);
      if (message) this.#handle(message, data.length);
      else this.#refuse(closeCode.badMessage, 'not a message of the protocol');
    } catch (error) {
      this.#fail(error);
    }
  }

  #handle({ type, id, payload }: ClientMessage, bytes: number): void {
    if (type === 'connection_init') void this.#initialize(payload);
    else if (type === 'subscribe' || type === 'start') this.#start(id, payload ?? null, bytes);
    else if (type === 'complete' || type === 'stop') this.#operations.stop(id);
    else if (type === 'ping') this.#send(JSON.stringify({ type: 'pong', payload }));
    else if (type === 'connection_terminate')
      closeSocket(this.#options.socket, closeCode.normal, '');
  }

  async #initialize(payload: Json | undefined): Promise<void> {
    const upgrade = this.#upgrade;
    if (this.#phase !== 'new' || !upgrade)
      return this.#refuse(closeCode.repeatedInit, 'connection_init may come once');
    this.#phase = 'initializing';
    this.#upgrade = undefined;
    this.#cancelEnd();
    this.#cancelEnd = doNothing;
    this.#pace();
    try {
      this.#caller = new SocketCaller(upgrade, payload, this.#options);
      const { expiresAt } = await this.#caller.identify();
      if (!this.#isOpen || this.#phase !== 'initializing') return;
      if (expiresAt) this.#cancelEnd = atTime(expiresAt, () => this.#fail(expired));
      if (!this.#isOpen) return;
      this.#phase = 'ready';
      this.#intake.initialize();
      this.#send('{"type":"connection_ack"}');
      this.#keepAlive();
      this.#operations.begin();
    } catch (error) {
      this.#fail(error);
    }
  }

  #start(id: string, payload: Json, bytes: number): void {
    const { isStrict } = this.#options.protocol;
    if (this.#phase === 'new' || (this.#phase === 'initializing' && isStrict))
      this.#close(closeCode.unauthorized, initMissing());
    else if (isStrict && this.#operations.has(id))
      this.#refuse(closeCode.duplicateId, `there is an operation already with the id "${id}"`);
    else {
      const received = { operations: [payload], bytes, whenSent: undefined };
      this.#operations.add(id, (signal, end) => this.#run({ ...received, id, signal, end }));
    }
  }

  /** Answers an operation, or opens its subscription. Returns true for an open subscription. */
  async #run(received: StartedOperation): Promise<boolean> {
    const { protocol, metrics } = this.#options;
    const { id, signal } = received;
    try {
      const started = await this.#answer(received);
      const error = isSubscription(started) ? this.#subscribe(started, received) : started.error;
      metrics.operations.inc({ outcome: error ? 'error' : 'data' });
      if (isSubscription(started)) {
        if (error && !signal.aborted) this.#send(errorMessage(protocol, id, error));
        return error === undefined;
      }
      if (!signal.aborted) this.#send(...answerMessages(protocol, id, started));
    } catch (error) {
      this.#fail(error);
    }
    return false;
  }

  /** Opens a subscription. Returns the error if it is refused. */
  #subscribe(
    compiled: CompiledSubscription,
    { id, signal, end }: StartedOperation,
  ): RequestError | undefined {
    const { protocol, subscriptions, maxSubscriptions, logger } = this.#options;
    const outbox = this.#outbox;
    if (signal.aborted) return undefined;
    if (this.#operations.subscriptions >= maxSubscriptions) return tooMany(maxSubscriptions);
    const receiver = {
      get isFull() {
        return outbox.isFullForSubscriptions;
      },
      onceReady: (resume: () => void) => outbox.onceReady(resume),
      send: (text: string) => this.#send(dataMessage(protocol, id, text)),
      end: (error: RequestError) => {
        end();
        this.#send(errorMessage(protocol, id, error));
      },
    };
    try {
      signal.addEventListener('abort', subscriptions.open(this, compiled, receiver));
    } catch (error) {
      return toClientError(error, logger);
    }
    return undefined;
  }

  /** Returns the request that identifies the caller of subscriptions now. */
  async request(): Promise<Request> {
    if (!this.#caller) throw initMissing();
    return this.#caller.request();
  }

  accept(caller: Caller): void {
    this.#caller?.refuseOther(caller);
  }

  refuse(error: unknown): void {
    this.#fail(error);
  }

  async #answer(received: ReceivedOperations): Promise<Answer | CompiledSubscription> {
    const { dialect, logger } = this.#options;
    const caller = this.#caller;
    try {
      if (!caller) throw initMissing();
      const http = await caller.request();
      const onIdentified = caller.refuseOther.bind(caller);
      const incoming = { http, readOnlyReason: undefined, onIdentified, read: () => received };
      return await startOperation(incoming, dialect());
    } catch (cause) {
      const error = toClientError(cause, logger);
      // A caller who may no longer use the socket first gets the answer, then the socket closes.
      if (cause instanceof CallerError) setImmediate(() => this.#fail(cause));
      return { text: errorBody(error), error };
    }
  }

  /** Disconnects a client that answers no pings or reads its messages too slowly. */
  #beat(): void {
    const { socket } = this.#options;
    const isAlive = socket.isPaused || this.#isAlive;
    // The server does not read pongs while the socket is paused.
    this.#isAlive = socket.isPaused;
    if (this.#outbox.isLate) closeSocket(socket, closeCode.tryAgainLater, tooSlow);
    else if (isAlive) {
      socket.ping();
      this.#keepAlive();
    } else socket.terminate();
  }

  #keepAlive(): void {
    const { keepAlive } = this.#options.protocol;
    if (this.#phase === 'ready' && keepAlive !== undefined) this.#send(keepAlive);
  }

  #fail(cause: unknown): void {
    const error = toClientError(cause, this.#options.logger);
    this.#close(failureCode(cause, error), error);
  }

  #refuse(code: CloseCode, message: string): void {
    this.#close(code, new RequestError('bad-request', message));
  }

  #close(code: CloseCode, error: RequestError): void {
    if (!this.#isOpen) return;
    const refusal = this.#options.protocol.refusal(error);
    if (refusal !== undefined) this.#send(refusal);
    closeSocket(this.#options.socket, code, error.message);
  }

  #send(...messages: readonly string[]): void {
    if (!this.#isOpen) return;
    for (const message of messages) this.#outbox.send(message);
    this.#pace();
  }

  /** Reads no faster than the server runs operations and the client reads answers. */
  #pace(): void {
    const { socket } = this.#options;
    if (!this.#isOpen) return;
    const isBusy = this.#operations.hasWaiting || this.#outbox.isFull || this.#intake.isWaiting;
    if (this.#phase === 'draining' && this.#operations.isIdle && this.#outbox.isEmpty)
      closeSocket(socket, closeCode.goingAway, 'the server stops');
    else if (this.#phase === 'initializing' || isBusy) socket.pause();
    else socket.resume();
  }

  get #isOpen(): boolean {
    return this.#options.socket.readyState === WebSocket.OPEN;
  }
}
