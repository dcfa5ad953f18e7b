import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Request } from 'express';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { type WebSocket, WebSocketServer } from 'ws';
import type { SocketConfig } from '../../../config/socket-config.ts';
import { type Problem, sendProblem } from '../../../http/answers/problem.ts';
import type { Subscriptions } from '../../subscriptions/subscriptions.ts';
import { Admission } from './admission.ts';
import { Backlog } from './backlog.ts';
import { closeCode, closeSocket } from './closing.ts';
import { Connection } from './connection.ts';
import { ReadTurns } from './intake.ts';
import { protocols, transportProtocol } from './protocols.ts';
import { partsOf, type SocketCallerOptions } from './socket-caller.ts';
import { makeSocketMetrics, type SocketMetrics } from './socket-metrics.ts';

/*
 * The transport uses `ws` directly. The server of the library graphql-ws costs 11 KiB more for an idle subscriber and
 * twice the CPU, by our measurements. It also lacks the older protocol and the limits that these files enforce.
 */

const path = '/v1/graphql';

/** Milliseconds that a client has for closing its side of a socket. */
const closeTimeout = 5000;

export interface SocketsOptions extends SocketCallerOptions {
  readonly limits: SocketConfig;
  readonly subscriptions: Subscriptions;
  /** Maximum open subscriptions of one socket. */
  readonly maxSubscriptions: number;
  /** Origins of pages that may open sockets. */
  readonly origins: ReadonlySet<string>;
  /** Maximum bytes of a client's message. */
  readonly messageBytes: number;
  /** The registry for the metrics of sockets. Absent: the metrics are not published. */
  readonly registry: Registry | undefined;
  readonly logger: Logger;
}

/** The data API over WebSockets. */
export class Sockets {
  readonly #options: SocketsOptions;
  readonly #server: WebSocketServer;
  readonly #admission: Admission;
  readonly #metrics: SocketMetrics;
  readonly #backlog: Backlog;
  readonly #turns = new ReadTurns();
  readonly #connections = new Map<WebSocket, Connection>();
  #isDraining = false;

  constructor(options: SocketsOptions) {
    const { limits, origins, messageBytes, registry, logger } = options;
    this.#options = options;
    this.#admission = new Admission(limits, origins);
    this.#metrics = makeSocketMetrics(registry);
    this.#backlog = new Backlog(limits.backlogBytes, (bytes) =>
      logger.warn({ bytes }, 'cut off the socket whose client takes its answers slowest'),
    );
    this.#server = new WebSocketServer({
      ...{ noServer: true, clientTracking: false, maxPayload: messageBytes, closeTimeout },
      handleProtocols: (offered) => [...offered].find((name) => protocols.has(name)) ?? false,
    });
    this.#server.on('wsClientError', ({ message }, socket, upgrade) =>
      refuse(upgrade as Request, socket, badHandshake(message)),
    );
  }

  /**
   * Whether an upgrade request is for these sockets. Any other upgrade request is answered like an ordinary request.
   */
  isFor({ method, headers, url }: IncomingMessage): boolean {
    return (
      this.#options.limits.max > 0 &&
      method === 'GET' &&
      headers.upgrade?.toLowerCase() === 'websocket' &&
      url?.split('?')[0] === path
    );
  }

  /**
   * Opens a socket, or refuses the request over HTTP.
   * @param head bytes that the client has sent after its request
   */
  open(upgrade: Request, socket: Duplex, head: Buffer): void {
    const problem = this.#problemOf(upgrade);
    if (problem) refuse(upgrade, socket, problem);
    else this.#server.handleUpgrade(upgrade, socket, head, (opened) => this.#add(upgrade, opened));
  }

  /**
   * Opens no more sockets, closes each socket after its operations are answered, and disconnects the remaining sockets
   * after `timeoutMs`.
   */
  async drain(timeoutMs: number): Promise<void> {
    this.#isDraining = true;
    const closed = [...this.#connections.keys()].map(
      (socket) => new Promise<void>((resolve) => void socket.once('close', () => resolve())),
    );
    for (const connection of this.#connections.values()) connection.drain();
    const cutting = setTimeout(() => {
      for (const socket of this.#connections.keys()) socket.terminate();
    }, timeoutMs);
    await Promise.all(closed);
    clearTimeout(cutting);
  }

  #problemOf(upgrade: Request): Problem | undefined {
    if (this.#isDraining) return stopping;
    const problem = this.#admission.problemOf(upgrade);
    return problem?.status === 503 && this.#cutOldestNew() ? undefined : problem;
  }

  /**
   * Disconnects the client that has waited longest before its `connection_init`, so that another client can connect.
   * Returns false without such a client.
   */
  #cutOldestNew(): boolean {
    for (const [socket, { isNew }] of this.#connections) {
      if (!isNew) continue;
      // Deleted immediately, so that the next upgrade request does not select the same connection.
      this.#connections.delete(socket);
      socket.terminate();
      return true;
    }
    return false;
  }

  #add(upgrade: Request, socket: WebSocket): void {
    logEnd(socket, upgrade, this.#options.logger);
    this.#admission.count(upgrade, socket);
    const known = protocols.get(socket.protocol);
    const connection = new Connection(partsOf(upgrade), {
      ...{ ...this.#options, backlog: this.#backlog, turns: this.#turns, metrics: this.#metrics },
      ...{ socket, raw: upgrade.socket, protocol: known ?? transportProtocol },
    });
    // A socket with an unknown protocol also has a connection, although it is closed immediately: the connection limits
    // the bytes that arrive until the client has closed its side.
    if (known) this.#register(socket, connection, known.name);
    else closeSocket(socket, closeCode.unknownProtocol, unknownProtocol);
  }

  #register(socket: WebSocket, connection: Connection, protocol: string): void {
    const { open } = this.#metrics;
    this.#connections.set(socket, connection);
    open.inc({ protocol });
    socket.once('close', () => {
      this.#connections.delete(socket);
      open.dec({ protocol });
    });
  }
}

const unknownProtocol = `request the subprotocol ${[...protocols.keys()].join(' or ')}`;

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

/** Answers an upgrade request like any other request. */
function refuse(upgrade: Request, socket: Duplex, problem: Problem): void {
  const response = upgrade.res;
  socket.on('error', () => socket.destroy());
  if (!response) return void socket.destroy();
  response.shouldKeepAlive = false;
  response.assignSocket(socket as Socket);
  response.once('finish', () => socket.end());
  sendProblem(response, problem);
}

/** Logs one line when a socket closes. */
function logEnd(socket: WebSocket, upgrade: Request, logger: Logger): void {
  const begun = performance.now();
  const { requestId } = upgrade;
  socket.on('error', ({ message: reason }) => logger.debug({ requestId, reason }, 'socket failed'));
  socket.once('close', (code) => {
    const ms = Math.round(performance.now() - begun);
    logger.info({ requestId, path, protocol: socket.protocol, code, ms }, 'socket closed');
  });
}
