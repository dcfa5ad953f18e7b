import { Agent, request } from 'node:http';

/** The result of one round of requests. */
export interface Round {
  readonly perSecond: number;
  /** The median latency. */
  readonly medianMs: number;
}

export interface Target {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body of a POST; absent: GET. */
  readonly body?: (turn: number) => string;
  /** The text with which every correct answer begins. Any other answer ends the measurement. */
  readonly opening: string;
}

const CONNECTIONS = 16;

/** Sends requests repeatedly, one at a time on each connection. Rejects when an answer is wrong. */
export async function load(target: Target, durationMs: number): Promise<Round> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const times: number[] = [];
  const start = performance.now();
  let turn = 0;
  const worker = async () => {
    while (performance.now() - start < durationMs) {
      const sent = performance.now();
      await ask(target, turn++, agent);
      times.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  const seconds = (performance.now() - start) / 1000;
  agent.destroy();
  times.sort((a, b) => a - b);
  return {
    perSecond: times.length / seconds,
    medianMs: times[Math.floor(times.length / 2)] ?? Number.NaN,
  };
}

/** Sends one request and returns the answer. */
export function ask(target: Target, turn: number, agent?: Agent): Promise<string> {
  const { port, path, headers, opening } = target;
  const text = target.body?.(turn);
  const length = text === undefined ? {} : { 'content-length': Buffer.byteLength(text) };
  return new Promise((resolve, reject) => {
    const sending = request(
      {
        ...{ host: '127.0.0.1', port, path, method: text === undefined ? 'GET' : 'POST' },
        ...(agent && { agent }),
        headers: { ...headers, ...length },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const answer = Buffer.concat(chunks).toString();
          if (response.statusCode === 200 && answer.startsWith(opening)) resolve(answer);
          else reject(new Error(`status ${response.statusCode}: ${answer.slice(0, 300)}`));
        });
      },
    );
    sending.on('error', reject);
    sending.end(text);
  });
}
