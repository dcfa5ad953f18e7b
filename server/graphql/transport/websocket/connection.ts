import type { Request } from 'express';
import type { Logger } from 'pino';
import { WebSocket } from 'ws';
import { CallerError } from '../../../caller/authenticate.ts';
import type { SocketLimits } from '../../../config/socket-config.ts';
import { type Answer, handleRequest } from '../../handle-request.ts';
import { type Json, parseJson } from '../../json.ts';
import { errorBody, RequestError } from '../../request-error.ts';
import { toClientError } from '../../to-client-error.ts';
import type { Backlog } from './backlog.ts';
import { atTime, type CloseCode, closeCode, closeSocket, failureCode } from './closing.ts';
import type { Intake } from './intake.ts';
import { OperationQueue } from './operation-queue.ts';
import { Outbox } from './outbox.ts';
import { answerMessages, type ClientMessage, type Protocol, readMessage } from './protocols.ts';
import { SocketCaller, type SocketCallerOptions } from './socket-caller.ts';

export interface ConnectionOptions extends SocketCallerOptions {
  readonly socket: WebSocket;
  readonly protocol: Protocol;
  /** The request that opened the socket. */
  readonly upgrade: Request;
  readonly limits: SocketLimits;
  readonly backlog: Backlog;
  readonly intake: Intake;
  readonly logger: Logger;
  /** Called for each operation that was answered. */
  readonly onAnswer: (answer: Answer) => void;
}

/** The operation in a message, and the signal that ends when the client stops it. */
interface GivenMessage {
  readonly payload: Json;
  readonly bytes: number;
  readonly signal: AbortSignal;
}

const notIntroduced = () => new RequestError('access-denied', 'connection_init is expected first');

const expired = new CallerError(
  'access-denied',
  'the session or token has expired; connect with a new one',
);

/** One socket: the client introduces itself, then runs operations, for each of which its caller is identified anew. */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly #operations: OperationQueue;
  readonly #outbox: Outbox;
  readonly #heartbeat: NodeJS.Timeout;
  /** Whether the client has sent anything since the last ping. */
  #hasAnswered = true;
  #phase: 'new' | 'entering' | 'entered' | 'draining' = 'new';
  #caller: SocketCaller | undefined;
  /** Cancels the end of the socket at a set time. */
  #cancelEnd: () => void;

  constructor(options: ConnectionOptions) {
    const { socket, limits, backlog, intake } = options;
    this.#options = options;
    this.#outbox = new Outbox({
      ...{ socket, backlog, graceMs: limits.keepAliveMs },
      onTaken: () => this.#operations.begin(),
    });
    this.#operations = new OperationQueue({
      max: limits.operations,
      mayBegin: (running) =>
        this.#isOpen && this.#phase === 'entered' && this.#outbox.hasRoomBeside(running),
      onChange: () => this.#pace(),
    });
    this.#heartbeat = setInterval(() => this.#beat(), limits.keepAliveMs).unref();
    socket.on('pong', () => {
      this.#hasAnswered = true;
    });
    this.#cancelEnd = atTime(new Date(Date.now() + limits.initTimeoutMs), () =>
      this.#close(closeCode.introducedTooLate, notIntroduced()),
    );
    socket.on('message', (data, isBinary) => this.#receive(isBinary ? undefined : data));
    socket.on('close', () => this.#closed());
    intake.watch(() => this.#pace());
  }

  /** Whether the client has not introduced itself yet. */
  get isNew(): boolean {
    return this.#phase === 'new';
  }

  /** Begins nothing more, and closes the socket once the client has taken the answers to what runs. */
  drain(): void {
    this.#phase = 'draining';
    // Clients bring to another server what was not begun: the end of the socket is all that they learn of it.
    this.#operations.stopWaiting();
    this.#pace();
  }

  #receive(data: Buffer | undefined): void {
    // Messages after the end was decided do not count.
    if (!this.#isOpen || this.#phase === 'draining') return;
    this.#hasAnswered = true;
    // A message of a client ends no more than its own socket.
    try {
      const json = data && parseJson(data.toString(), 'the message');
      const message = json === undefined ? undefined : readMessage(json, this.#options.protocol);
      if (message) this.#take(message, data?.length ?? 0);
      else this.#refuse(closeCode.badMessage, 'not a message of the protocol');
    } catch (error) {
      this.#fail(error);
    }
  }

  #take(message: ClientMessage, bytes: number): void {
    const { kind, id, payload } = message;
    if (kind === 'init') void this.#introduce(payload);
    else if (kind === 'start') this.#start(id, payload ?? null, bytes);
    else if (kind === 'stop') this.#operations.stop(id);
    else if (kind === 'ping') this.#send([JSON.stringify({ type: 'pong', payload })]);
    else if (kind === 'end') closeSocket(this.#options.socket, closeCode.done, '');
  }

  async #introduce(payload: Json | undefined): Promise<void> {
    if (this.#phase !== 'new')
      return this.#refuse(closeCode.introducedTwice, 'connection_init may come once');
    this.#phase = 'entering';
    this.#cancelEnd();
    this.#pace();
    try {
      this.#caller = new SocketCaller(this.#options.upgrade, payload, this.#options);
      const { expiresAt } = await this.#caller.identify();
      if (!this.#isOpen || this.#phase !== 'entering') return;
      if (expiresAt) this.#cancelEnd = atTime(expiresAt, () => this.#fail(expired));
      if (!this.#isOpen) return;
      this.#phase = 'entered';
      this.#options.intake.welcome();
      this.#send(['{"type":"connection_ack"}']);
      this.#keepAlive();
      this.#operations.begin();
    } catch (error) {
      this.#fail(error);
    }
  }

  #start(id: string, payload: Json, bytes: number): void {
    const { isStrict } = this.#options.protocol;
    const isEarly = this.#phase === 'new' || (this.#phase === 'entering' && isStrict);
    if (isEarly) this.#close(closeCode.notIntroduced, notIntroduced());
    else if (isStrict && this.#operations.has(id))
      this.#refuse(closeCode.sameId, `there is an operation already with the id "${id}"`);
    else this.#operations.add(id, (signal) => this.#run(id, { payload, bytes, signal }));
  }

  async #run(id: string, given: GivenMessage): Promise<void> {
    try {
      const answer = await this.#answer(given);
      this.#options.onAnswer(answer);
      if (!given.signal.aborted) this.#send(answerMessages(this.#options.protocol, id, answer));
    } catch (error) {
      this.#fail(error);
    }
  }

  async #answer({ payload, bytes, signal }: GivenMessage): Promise<Answer> {
    const { dialect, logger } = this.#options;
    const caller = this.#caller;
    try {
      if (!caller) throw notIntroduced();
      const incoming = {
        http: await caller.request(),
        isReadOnly: false,
        onIdentified: caller.keep.bind(caller),
        read: () => ({ operations: [payload], signal, bytes, whenSent: undefined }),
      };
      const [answer] = await handleRequest(incoming, dialect());
      if (answer) return answer;
      throw new Error('an operation has no answer');
    } catch (cause) {
      const error = toClientError(cause, logger);
      // The socket of a caller who is refused by now ends once the operation itself is answered.
      if (cause instanceof CallerError) setImmediate(() => this.#fail(cause));
      return { text: errorBody(error), error };
    }
  }

  /** Cuts off a client that is gone: one that answers no ping, or hardly takes its messages. */
  #beat(): void {
    const { socket } = this.#options;
    const isAlive = !this.#outbox.isLate && (socket.isPaused || this.#hasAnswered);
    // The answer to a ping is not read while the socket is paused.
    this.#hasAnswered = socket.isPaused;
    if (!isAlive) {
      socket.terminate();
      return;
    }
    socket.ping();
    this.#keepAlive();
  }

  #keepAlive(): void {
    const { keepAlive } = this.#options.protocol;
    if (this.#phase === 'entered' && keepAlive !== undefined) this.#send([keepAlive]);
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
    if (refusal !== undefined) this.#send([refusal]);
    closeSocket(this.#options.socket, code, error.message);
  }

  #closed(): void {
    this.#cancelEnd();
    clearInterval(this.#heartbeat);
    this.#operations.stopAll();
  }

  #send(messages: readonly string[]): void {
    if (!this.#isOpen) return;
    for (const message of messages) this.#outbox.send(message);
    this.#pace();
  }

  /** Reads no faster than the server runs operations and the client takes answers. */
  #pace(): void {
    const { socket, intake } = this.#options;
    if (!this.#isOpen) return;
    const isBusy = this.#operations.isFull || this.#outbox.isFull || intake.isWaiting;
    if (this.#phase === 'draining' && this.#operations.isIdle && this.#outbox.isEmpty) {
      closeSocket(socket, closeCode.goingAway, 'the server stops');
    } else if (this.#phase === 'entering' || isBusy) {
      socket.pause();
    } else {
      socket.resume();
    }
  }

  get #isOpen(): boolean {
    return this.#options.socket.readyState === WebSocket.OPEN;
  }
}
