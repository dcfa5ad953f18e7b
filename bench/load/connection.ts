import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type Answer, readAnswer } from './answer.ts';

/**
 * One keep-alive connection that sends a request after the answer to the previous one. It does little else, because the
 * processor time of the load generator is missing to the servers on the same machine.
 */
export class Connection {
  readonly #socket: Socket;
  #arrived: Buffer | undefined;
  #waiting: PromiseWithResolvers<Answer> | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () => this.#fail(new Error('the server closed the connection')));
  }

  static async open(port: number): Promise<Connection> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new Connection(socket);
  }

  /** Sends the bytes of one request. Rejects when the connection breaks before the whole answer has arrived. */
  exchange(request: Buffer): Promise<Answer> {
    this.#waiting = Promise.withResolvers<Answer>();
    this.#socket.write(request);
    return this.#waiting.promise;
  }

  close(): void {
    this.#waiting = undefined;
    this.#socket.destroy();
  }

  #receive(chunk: Buffer): void {
    const bytes = this.#arrived ? Buffer.concat([this.#arrived, chunk]) : chunk;
    const answer = readAnswer(bytes);
    this.#arrived = answer ? undefined : bytes;
    if (answer) this.#waiting?.resolve(answer);
  }

  #fail(error: Error): void {
    this.#waiting?.reject(error);
  }
}
