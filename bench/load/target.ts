import type { Answer } from './answer.ts';
import { Connection } from './connection.ts';

/** A request and what a correct answer to it begins with. */
export interface Exchange {
  /** The body of a POST; absent: GET. */
  readonly body?: string;
  /** Any other answer ends the measurement. */
  readonly opening: string;
}

/** An endpoint and the requests that it receives in turns. */
export interface Target {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly exchanges: readonly Exchange[];
}

/** An exchange as bytes, made before the measurement. */
export interface ReadyExchange {
  readonly request: Buffer;
  readonly opening: Buffer;
}

export function readyExchanges(target: Target): readonly ReadyExchange[] {
  return target.exchanges.map(({ body, opening }) => ({
    request: requestOf(target, body),
    opening: Buffer.from(opening),
  }));
}

/** Returns the bytes of a request: a POST, or a GET without a body. */
export function requestOf(
  { port, path, headers }: Omit<Target, 'exchanges'>,
  body: string | undefined,
): Buffer {
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  const lines = Object.entries({ host: `127.0.0.1:${port}`, ...headers, ...length });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.from(
    `${body === undefined ? 'GET' : 'POST'} ${path} HTTP/1.1\r\n${head}\r\n${body ?? ''}`,
  );
}

/** @throws Error for any other answer than the expected one */
export function checkAnswer({ status, body }: Answer, { opening }: ReadyExchange): void {
  if (status === 200 && body.subarray(0, opening.length).equals(opening)) return;
  throw new Error(
    `a wrong answer, status ${status}: ${body.toString('utf8', 0, 300)}\nexpected: ${opening.toString('utf8', 0, 300)}`,
  );
}

/** Sends each request of a target once, one after the other. Returns the answers. */
export async function askAll(target: Target): Promise<readonly string[]> {
  const connection = await Connection.open(target.port);
  try {
    const answers: string[] = [];
    for (const exchange of readyExchanges(target)) {
      const answer = await connection.exchange(exchange.request);
      checkAnswer(answer, exchange);
      answers.push(answer.body.toString());
    }
    return answers;
  } finally {
    connection.close();
  }
}
