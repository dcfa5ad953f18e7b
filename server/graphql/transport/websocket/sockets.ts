import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Request } from 'express';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { type WebSocket, WebSocketServer } from 'ws';
import type { SocketConfig } from '../../../config/socket-config.ts';
import { type Problem, sendProblem } from '../../../http/answers/problem.ts';
import { Admission } from './admission.ts';
import { Backlog } from './backlog.ts';
import { closeCode, closeSocket } from './closing.ts';
import { Connection } from './connection.ts';
import { Intake, ReadTurns } from './intake.ts';
import { protocols } from './protocols.ts';
import type { SocketCallerOptions } from './socket-caller.ts';
import { makeSocketMetrics, type SocketMetrics } from './socket-metrics.ts';

/*
 * The transport stands on `ws` alone. The server of the library graphql-ws was measured to take 11 KiB more for an idle
 * subscriber and twice the CPU, and it has neither the older protocol nor the limits that these files enforce.
 */

/** Milliseconds for a peer to close its side. */
const closeTimeoutMs = 5000;

const path = '/v1/graphql';

export interface SocketsOptions extends SocketCallerOptions {
  readonly limits: SocketConfig;
  /** The origins of pages that may open sockets. */
  readonly origins: ReadonlySet<string>;
  /** Largest message of a client. */
  readonly messageBytes: number;
  /** Counts sockets and operations; absent: they are not counted. */
  readonly registry: Registry | undefined;
  readonly logger: Logger;
}

interface Opened {
  readonly connection: Connection;
  /** Counts the socket off before it is closed. */
  release(): void;
}

/** The data API over WebSockets. */
export class Sockets {
  readonly #options: SocketsOptions;
  readonly #server: WebSocketServer;
  readonly #admission: Admission;
  readonly #metrics: SocketMetrics;
  readonly #backlog: Backlog;
  readonly #turns = new ReadTurns();
  readonly #opened = new Map<WebSocket, Opened>();
  #isDraining = false;

  constructor(options: SocketsOptions) {
    const { limits, messageBytes, registry, logger } = options;
    this.#options = options;
    this.#admission = new Admission(limits, options.origins);
    this.#metrics = makeSocketMetrics(registry);
    this.#backlog = new Backlog(limits.backlogBytes, (bytes) =>
      logger.warn({ bytes }, 'cut off the socket whose client takes its answers slowest'),
    );
    this.#server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      maxPayload: messageBytes,
      closeTimeout: closeTimeoutMs,
      handleProtocols: (offered) => [...offered].find((name) => protocols.has(name)) ?? false,
    });
    this.#server.on('wsClientError', ({ message }, socket, upgrade) =>
      refuse(upgrade as Request, socket, badHandshake(message)),
    );
  }

  /** Whether an upgrade asks for one of these sockets; all others are answered like any request. */
  isFor({ method, headers, url }: IncomingMessage): boolean {
    return (
      this.#options.limits.max > 0 &&
      method === 'GET' &&
      headers.upgrade?.toLowerCase() === 'websocket' &&
      url?.split('?')[0] === path
    );
  }

  /** Opens a socket, or refuses it over HTTP. @param head bytes that the client has sent after its request */
  open(upgrade: Request, socket: Duplex, head: Buffer): void {
    const problem = this.#problemOf(upgrade);
    if (problem) refuse(upgrade, socket, problem);
    else
      this.#server.handleUpgrade(upgrade, socket, head, (opened) => this.#welcome(upgrade, opened));
  }

  /** Opens no more sockets, closes each once its operations are answered, and cuts off the rest after `timeoutMs`. */
  async drain(timeoutMs: number): Promise<void> {
    this.#isDraining = true;
    const closed = [...this.#opened.keys()].map(
      (socket) => new Promise<void>((resolve) => void socket.once('close', () => resolve())),
    );
    for (const { connection } of this.#opened.values()) connection.drain();
    const cutting = setTimeout(() => {
      for (const socket of this.#opened.keys()) socket.terminate();
    }, timeoutMs);
    await Promise.all(closed);
    clearTimeout(cutting);
  }

  #problemOf(upgrade: Request): Problem | undefined {
    if (this.#isDraining) return stopping;
    const problem = this.#admission.problemOf(upgrade);
    return problem?.status === 503 && this.#cutOldestNew() ? undefined : problem;
  }

  /** Makes room by cutting off the client that has waited longest to introduce itself. */
  #cutOldestNew(): boolean {
    for (const [socket, { connection, release }] of this.#opened) {
      if (!connection.isNew) continue;
      release();
      this.#opened.delete(socket);
      socket.terminate();
      return true;
    }
    return false;
  }

  #welcome(upgrade: Request, socket: WebSocket): void {
    logEnd(socket, upgrade, this.#options.logger);
    const release = this.#admission.count(upgrade);
    socket.once('close', release);
    const backlog = this.#backlog;
    const { messageBytes } = this.#options;
    const raw = upgrade.socket;
    const intake = new Intake({ socket, raw, backlog, turns: this.#turns, messageBytes });
    const protocol = protocols.get(socket.protocol);
    if (!protocol) {
      closeSocket(socket, closeCode.unknownProtocol, unknownProtocol);
      return;
    }
    const { open, operations } = this.#metrics;
    const connection = new Connection({
      ...{ ...this.#options, socket, upgrade, protocol, backlog, intake },
      onAnswer: ({ error }) => operations.inc({ outcome: error ? 'error' : 'data' }),
    });
    this.#opened.set(socket, { connection, release });
    open.inc({ protocol: protocol.name });
    socket.once('close', () => {
      this.#opened.delete(socket);
      open.dec({ protocol: protocol.name });
    });
  }
}

const unknownProtocol = `ask for the subprotocol ${[...protocols.keys()].join(' or ')}`;

const stopping: Problem = {
  status: 503,
  code: 'stopping',
  detail: 'the server stops; try again',
  headers: { 'Retry-After': '1' },
};

function badHandshake(problem: string): Problem {
  const detail = `no socket can be opened: ${problem}`;
  const headers = { 'Sec-WebSocket-Version': '13' };
  return { status: 400, code: 'bad-request', detail, headers };
}

/** Answers an upgrade like any other request. */
function refuse(upgrade: Request, socket: Duplex, problem: Problem): void {
  const response = upgrade.res;
  socket.on('error', () => socket.destroy());
  if (!response) return void socket.destroy();
  response.shouldKeepAlive = false;
  response.assignSocket(socket as Socket);
  response.once('finish', () => socket.end());
  sendProblem(response, problem);
}

/** Logs one line for each socket, when it is closed. */
function logEnd(socket: WebSocket, upgrade: Request, logger: Logger): void {
  const begun = performance.now();
  const requestId = upgrade.res?.locals.requestId;
  socket.on('error', ({ message: reason }) => logger.debug({ requestId, reason }, 'socket failed'));
  socket.once('close', (code) => {
    const ms = Math.round(performance.now() - begun);
    logger.info({ requestId, path, protocol: socket.protocol, code, ms }, 'socket closed');
  });
}
