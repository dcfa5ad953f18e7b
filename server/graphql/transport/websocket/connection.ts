import type { Request } from 'express';
import type { Logger } from 'pino';
import { WebSocket } from 'ws';
import { CallerError } from '../../../caller/authenticate.ts';
import type { SocketLimits } from '../../../config/socket-config.ts';
import { toClientError } from '../../errors/to-client-error.ts';
import { type Answer, handleRequest, type ReceivedOperations } from '../../handle-request.ts';
import { type Json, parseJson } from '../../json.ts';
import { errorBody, RequestError } from '../../request-error.ts';
import { atTime, type CloseCode, closeCode, closeSocket, failureCode } from './closing.ts';
import { Intake, type IntakeOptions } from './intake.ts';
import { OperationQueue } from './operation-queue.ts';
import { Outbox } from './outbox.ts';
import { answerMessages, type ClientMessage, type Protocol, readMessage } from './protocols.ts';
import { SocketCaller, type SocketCallerOptions } from './socket-caller.ts';
import type { SocketMetrics } from './socket-metrics.ts';

export interface ConnectionOptions extends SocketCallerOptions, Omit<IntakeOptions, 'onTurn'> {
  readonly protocol: Protocol;
  /** The request that opened the socket. */
  readonly upgrade: Request;
  readonly limits: SocketLimits;
  readonly metrics: SocketMetrics;
  readonly logger: Logger;
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
export class Connection {
  readonly #options: ConnectionOptions;
  readonly #operations: OperationQueue;
  readonly #intake: Intake;
  readonly #outbox: Outbox;
  readonly #heartbeat: NodeJS.Timeout;
  /** Whether the client has sent anything since the last ping. */
  #isAlive = true;
  #phase: 'new' | 'initializing' | 'ready' | 'draining' = 'new';
  #caller: SocketCaller | undefined;
  /** Cancels the end of the socket at a set time. */
  #cancelEnd: () => void;

  constructor(options: ConnectionOptions) {
    const { socket, limits } = options;
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
    if (this.#phase !== 'new')
      return this.#refuse(closeCode.repeatedInit, 'connection_init may come once');
    this.#phase = 'initializing';
    this.#cancelEnd();
    this.#pace();
    try {
      this.#caller = new SocketCaller(this.#options.upgrade, payload, this.#options);
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
      this.#operations.add(id, (signal) => this.#run(id, { ...received, signal }));
    }
  }

  async #run(id: string, received: ReceivedOperations): Promise<void> {
    const { protocol, metrics } = this.#options;
    try {
      const answer = await this.#answer(received);
      metrics.operations.inc({ outcome: answer.error ? 'error' : 'data' });
      if (!received.signal.aborted) this.#send(...answerMessages(protocol, id, answer));
    } catch (error) {
      this.#fail(error);
    }
  }

  async #answer(received: ReceivedOperations): Promise<Answer> {
    const { dialect, logger } = this.#options;
    const caller = this.#caller;
    try {
      if (!caller) throw initMissing();
      const http = await caller.request();
      const onIdentified = caller.refuseOther.bind(caller);
      const incoming = { http, isReadOnly: false, onIdentified, read: () => received };
      const [answer] = await handleRequest(incoming, dialect());
      if (answer) return answer;
      throw new Error('an operation has no answer');
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
    const isAlive = !this.#outbox.isLate && (socket.isPaused || this.#isAlive);
    // The server does not read pongs while the socket is paused.
    this.#isAlive = socket.isPaused;
    if (isAlive) {
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
