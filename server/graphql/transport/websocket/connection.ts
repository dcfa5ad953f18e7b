import type { Request } from 'express';
import type { Logger } from 'pino';
import { WebSocket } from 'ws';
import { CallerError } from '../../../caller/authenticate.ts';
import type { SocketLimits } from '../../../config/socket-config.ts';
import { type Answer, type Awaited, answerOperation, told } from '../../answer.ts';
import { type Json, parseJson } from '../../json.ts';
import { errorBody, type RequestError } from '../../request-error.ts';
import { atTime } from './at-time.ts';
import type { Backlog } from './backlog.ts';
import { type CloseCode, closeCode, closeSocket } from './close-code.ts';
import { givenHeaders } from './given-headers.ts';
import { Heartbeat } from './heartbeat.ts';
import type { Intake } from './intake.ts';
import { Operations, type Started } from './operations.ts';
import { Outbox } from './outbox.ts';
import { type ClientMessage, type Protocol, rawMessage } from './protocol.ts';
import {
  badMessage,
  expired,
  introducedTwice,
  notIntroduced,
  sameId,
  turnAwayCode,
} from './refusals.ts';
import { Visitor, type VisitorOptions } from './visitor.ts';

export interface ConnectionOptions extends VisitorOptions {
  readonly socket: WebSocket;
  readonly protocol: Protocol;
  /** What the socket began with. */
  readonly upgrade: Request;
  readonly headerPrefix: string;
  readonly limits: SocketLimits;
  readonly backlog: Backlog;
  readonly intake: Intake;
  readonly logger: Logger;
  /** Called for each operation that was answered. */
  readonly onAnswer: (answer: Answer) => void;
}

/** One socket: introduces itself, then runs operations, each as whoever it stands for at that moment. */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly #operations: Operations;
  readonly #outbox: Outbox;
  readonly #heartbeat: Heartbeat;
  #phase: 'new' | 'entering' | 'entered' | 'draining' = 'new';
  #visitor: Visitor | undefined;
  /** Calls off what would end the socket at some time. */
  #callOff: () => void;

  constructor(options: ConnectionOptions) {
    const { socket, limits, backlog, intake } = options;
    this.#options = options;
    this.#outbox = new Outbox({
      ...{ socket, backlog, graceMs: limits.keepAliveMs },
      onTaken: () => this.#operations.begin(),
    });
    this.#operations = new Operations({
      most: limits.operations,
      mayBegin: (running) =>
        this.#isOpen && this.#phase === 'entered' && this.#outbox.hasRoomBeside(running),
      onChange: () => this.#pace(),
    });
    this.#heartbeat = new Heartbeat({
      ...{ socket, intervalMs: limits.keepAliveMs },
      isLate: () => this.#outbox.isLate,
      onBeat: () => this.#keepAlive(),
    });
    this.#callOff = atTime(new Date(Date.now() + limits.initTimeoutMs), () =>
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

  /** Begins nothing more, and closes the socket once what runs is answered and the answers are taken. */
  drain(): void {
    this.#phase = 'draining';
    // Clients bring what was not begun to another server, since they are told nothing of it but the end.
    this.#operations.takeBackWaiting();
    this.#pace();
  }

  #receive(data: Buffer | undefined): void {
    // What comes after the end was decided does not count.
    if (!this.#isOpen || this.#phase === 'draining') return;
    this.#heartbeat.note();
    // Whatever a client says ends no more than its socket.
    try {
      const message = data && readMessage(data, this.#options.protocol);
      if (message) this.#take(message, data.length);
      else this.#close(closeCode.badMessage, badMessage());
    } catch (error) {
      this.#turnAway(error);
    }
  }

  #take(message: ClientMessage, bytes: number): void {
    switch (message.kind) {
      case 'init':
        if (this.#phase === 'new') void this.#introduce(message.payload);
        else this.#close(closeCode.introducedTwice, introducedTwice());
        break;
      case 'start':
        this.#start(message.id, message.payload, bytes);
        break;
      case 'stop':
        this.#operations.takeBack(message.id);
        break;
      case 'ping':
        this.#send([JSON.stringify({ type: 'pong', payload: message.payload })]);
        break;
      case 'pong':
        break;
      case 'end':
        closeSocket(this.#options.socket, closeCode.done, '');
    }
  }

  async #introduce(payload: Json | undefined): Promise<void> {
    const { headerPrefix, upgrade } = this.#options;
    this.#phase = 'entering';
    this.#callOff();
    this.#pace();
    try {
      this.#visitor = new Visitor(upgrade, givenHeaders(payload, headerPrefix), this.#options);
      const { caller } = await this.#visitor.enter();
      if (!this.#isOpen || this.#phase !== 'entering') return;
      const { expiresAt } = caller;
      if (expiresAt) this.#callOff = atTime(expiresAt, () => this.#turnAway(expired()));
      if (!this.#isOpen) return;
      this.#phase = 'entered';
      this.#options.intake.welcome();
      this.#send(['{"type":"connection_ack"}']);
      this.#keepAlive();
      this.#operations.begin();
    } catch (error) {
      this.#turnAway(error);
    }
  }

  #start(id: string, payload: Json | undefined, bytes: number): void {
    const { mayHurry, replaces } = this.#options.protocol;
    const isEarly = this.#phase === 'new' || (this.#phase === 'entering' && !mayHurry);
    if (isEarly) this.#close(closeCode.notIntroduced, notIntroduced());
    else if (!replaces && this.#operations.has(id)) this.#close(closeCode.sameId, sameId(id));
    else this.#operations.add(id, (started) => this.#run(started, payload, bytes));
  }

  async #run(
    { id, wanted: signal }: Started,
    payload: Json | undefined,
    bytes: number,
  ): Promise<void> {
    try {
      const answer = await this.#answer(payload, { signal, bytes });
      this.#options.onAnswer(answer);
      if (!signal.aborted) this.#tell(id, answer);
    } catch (error) {
      this.#turnAway(error);
    }
  }

  /** Whoever is no longer let in is told so, and the socket ends. */
  async #answer(payload: Json | undefined, awaited: Awaited): Promise<Answer> {
    const { logger } = this.#options;
    try {
      if (!this.#visitor) throw notIntroduced();
      const { session } = await this.#visitor.enter();
      return await answerOperation(session, payload ?? null, logger, awaited);
    } catch (cause) {
      const error = told(cause, logger);
      // Once the operation itself is answered.
      if (cause instanceof CallerError) setImmediate(() => this.#turnAway(cause));
      return { text: errorBody(error), error };
    }
  }

  #tell(id: string, { text, error }: Answer): void {
    const { protocol } = this.#options;
    this.#send(error ? [protocol.failure(id, error)] : protocol.result(id, text));
  }

  #keepAlive(): void {
    const { keepAlive } = this.#options.protocol;
    if (this.#phase === 'entered' && keepAlive !== undefined) this.#send([keepAlive]);
  }

  #turnAway(cause: unknown): void {
    const error = told(cause, this.#options.logger);
    this.#close(turnAwayCode(cause, error), error);
  }

  #close(code: CloseCode, error: RequestError): void {
    if (!this.#isOpen) return;
    const refusal = this.#options.protocol.refusal(error);
    if (refusal !== undefined) this.#send([refusal]);
    closeSocket(this.#options.socket, code, error.message);
  }

  #closed(): void {
    this.#callOff();
    this.#heartbeat.stop();
    this.#operations.takeBackAll();
  }

  #send(messages: readonly string[]): void {
    if (!this.#isOpen) return;
    for (const message of messages) this.#outbox.say(message);
    this.#pace();
  }

  /** Reads no faster than what was read is dealt with, and what is answered is taken. */
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

function readMessage(data: Buffer, protocol: Protocol): ClientMessage | undefined {
  const message = rawMessage(parseJson(data.toString(), 'the message'));
  return message && protocol.read(message);
}
