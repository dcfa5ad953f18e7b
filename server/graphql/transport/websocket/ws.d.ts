/** The part of ws that the server and its tests use, because the package contains no types. */
declare module 'ws' {
  import type { EventEmitter } from 'node:events';
  import type { IncomingMessage } from 'node:http';
  import type { Duplex } from 'node:stream';

  interface WebSocketEvents {
    open: [];
    message: [data: Buffer, isBinary: boolean];
    ping: [data: Buffer];
    pong: [data: Buffer];
    close: [code: number, reason: Buffer];
    error: [error: Error];
    'unexpected-response': [request: unknown, response: IncomingMessage];
  }

  interface ClientOptions {
    readonly headers?: Readonly<Record<string, string>>;
    readonly autoPong?: boolean;
    readonly maxPayload?: number;
  }

  export class WebSocket extends EventEmitter<WebSocketEvents> {
    static readonly OPEN: 1;
    constructor(url: string, protocols: readonly string[], options?: ClientOptions);
    readonly readyState: number;
    /** The subprotocol; empty without a subprotocol. */
    readonly protocol: string;
    /** Bytes that wait to be sent. */
    readonly bufferedAmount: number;
    readonly isPaused: boolean;
    send(data: string | Buffer, done?: (error?: Error) => void): void;
    ping(): void;
    pause(): void;
    resume(): void;
    /** Throws when the reason is longer than 123 bytes. */
    close(code?: number, reason?: string): void;
    terminate(): void;
  }

  interface ServerOptions {
    readonly noServer: true;
    readonly clientTracking: boolean;
    readonly maxPayload: number;
    readonly closeTimeout: number;
    readonly handleProtocols: (protocols: ReadonlySet<string>) => string | false;
  }

  export class WebSocketServer extends EventEmitter<{
    wsClientError: [error: Error, socket: Duplex, request: IncomingMessage];
  }> {
    constructor(options: ServerOptions);
    handleUpgrade: (
      ...upgrade: [IncomingMessage, Duplex, Buffer, done: (socket: WebSocket) => void]
    ) => void;
  }
}
