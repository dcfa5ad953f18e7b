import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Request } from 'express';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { type WebSocket, WebSocketServer } from 'ws';
import type { SocketConfig } from '../../../config/socket-config.ts';
import { type Problem, sendProblem } from '../../../http/problem.ts';
import { Admission, type AdmissionOptions } from './admission.ts';
import { Backlog } from './backlog.ts';
import { closeCode, closeSocket } from './closing.ts';
import { Connection } from './connection.ts';
import { Intake, ReadTurns } from './intake.ts';
import { type Protocol, protocols } from './protocols.ts';
import type { SocketCallerOptions } from './socket-caller.ts';
import { makeSocketMetrics } from './socket-metrics.ts';

/*
 * The transport stands on `ws` alone. The server of the library graphql-ws was measured to take 11 KiB more for an idle
 * subscriber and twice the CPU, and it knows neither the older protocol nor the limits below.
 */

/** Milliseconds for a peer to close its side. */
const closeTimeoutMs = 5000;

const path = '/v1/graphql';

export interface SocketsOptions extends SocketCallerOptions, Omit<AdmissionOptions, 'limits'> {
  readonly limits: SocketConfig;
  /** Largest message of a client. */
  readonly messageBytes: number;
  /** Counts sockets and operations; absent: they are not counted. */
  readonly registry: Registry | undefined;
  readonly logger: Logger;
}

/** The data API over WebSockets. */
export interface Sockets {
  /** Whether an upgrade asks for one of these sockets; all others are answered like any request. */
  isFor(request: IncomingMessage): boolean;
  /** Opens a socket, or refuses it over HTTP. @param head bytes that the client has sent after its request */
  open(upgrade: Request, socket: Duplex, head: Buffer): void;
  /** Opens no more sockets, closes each once its operations are answered, and cuts off the rest after `timeoutMs`. */
  drain(timeoutMs: number): Promise<void>;
}

interface Opened {
  readonly connection: Connection;
  /** Gives its place to another socket. */
  release(): void;
}

export function openSockets(options: SocketsOptions): Sockets {
  const admission = new Admission(options);
  const metrics = makeSocketMetrics(options.registry);
  const backlog = new Backlog(options.limits.backlogBytes, (bytes) =>
    options.logger.warn({ bytes }, 'cut off the socket whose client takes its answers slowest'),
  );
  const turns = new ReadTurns();
  const opened = new Map<WebSocket, Opened>();
  let isDraining = false;
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: options.messageBytes,
    closeTimeout: closeTimeoutMs,
    handleProtocols: (offered) => [...offered].find((name) => protocols.has(name)) ?? false,
  });
  server.on('wsClientError', ({ message }, socket, upgrade) =>
    refuse(upgrade as Request, socket, badHandshake(message)),
  );
  const welcome = (upgrade: Request, socket: WebSocket) => {
    watch(socket, upgrade, options.logger);
    const release = admission.count(upgrade);
    socket.once('close', release);
    const { messageBytes } = options;
    const intake = new Intake({ socket, raw: upgrade.socket, backlog, turns, messageBytes });
    const protocol = protocols.get(socket.protocol);
    if (!protocol) return closeSocket(socket, closeCode.unknownProtocol, unknownProtocol);
    const connection = new Connection({
      ...{ ...options, socket, upgrade, protocol, backlog, intake },
      onAnswer: ({ error }) => metrics.operations.inc({ outcome: error ? 'error' : 'data' }),
    });
    opened.set(socket, { connection, release });
    countOpen(socket, protocol);
  };
  const countOpen = (socket: WebSocket, { name: protocol }: Protocol) => {
    metrics.open.inc({ protocol });
    socket.once('close', () => {
      opened.delete(socket);
      metrics.open.dec({ protocol });
    });
  };
  /** Makes room by cutting off the client that has waited longest to introduce itself. */
  const cutOldestNew = (): boolean => {
    for (const [socket, { connection, release }] of opened) {
      if (!connection.isNew) continue;
      release();
      opened.delete(socket);
      socket.terminate();
      return true;
    }
    return false;
  };
  const problemOf = (upgrade: Request): Problem | undefined => {
    if (isDraining) return stopping;
    const problem = admission.problemOf(upgrade);
    return problem?.status === 503 && cutOldestNew() ? undefined : problem;
  };
  return {
    isFor: ({ method, headers, url }) =>
      options.limits.max > 0 &&
      method === 'GET' &&
      headers.upgrade?.toLowerCase() === 'websocket' &&
      url?.split('?')[0] === path,
    open: (upgrade, socket, head) => {
      const problem = problemOf(upgrade);
      if (problem) return refuse(upgrade, socket, problem);
      server.handleUpgrade(upgrade, socket, head, (webSocket) => welcome(upgrade, webSocket));
    },
    drain: async (timeoutMs) => {
      isDraining = true;
      const closed = [...opened.keys()].map(
        (socket) => new Promise<void>((resolve) => void socket.once('close', () => resolve())),
      );
      for (const { connection } of opened.values()) connection.drain();
      const cutting = setTimeout(() => {
        for (const socket of opened.keys()) socket.terminate();
      }, timeoutMs);
      await Promise.all(closed);
      clearTimeout(cutting);
    },
  };
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
function watch(socket: WebSocket, upgrade: Request, logger: Logger): void {
  const begun = performance.now();
  const requestId = upgrade.res?.locals.requestId;
  socket.on('error', ({ message: reason }) => logger.debug({ requestId, reason }, 'socket failed'));
  socket.once('close', (code) => {
    const ms = Math.round(performance.now() - begun);
    logger.info({ requestId, path, protocol: socket.protocol, code, ms }, 'socket closed');
  });
}
