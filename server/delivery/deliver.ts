import http from 'node:http';
import https from 'node:https';
import { errorCode, errorMessage } from '../errors.ts';
import { retryAfterMs } from './retry-after.ts';

/** As much of an answer as is kept, in bytes. */
const excerptBytes = 2048;
/** An answer is read up to here, so that its connection can be used again; one that is longer loses it. */
const drainBytes = 64 * 1024;

/** One call of a webhook. */
export interface Delivery {
  /** http or https. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as it is. */
  readonly body: string;
  /** For all of it, from the connection to the end of the answer. */
  readonly timeoutMs: number;
  /** Ends the call before its time. */
  readonly stop?: AbortSignal | undefined;
  /** Reads the whole answer; a longer one, in bytes, is an error. Absent: its beginning is enough. */
  readonly answerBytes?: number;
  /** Called as bytes of the answer arrive; false where there is no memory for them, which is an error. */
  readonly onReceived?: ((bytes: number) => boolean) | undefined;
  /** Uses no connection that was kept, after whose loss a call would have to be sent again. */
  readonly isSentOnce?: boolean;
}

/** What became of a call. */
export interface Answer {
  /** Absent where none came. */
  readonly status: number | undefined;
  /** How long the receiver asks to be left alone. */
  readonly retryAfterMs: number | undefined;
  /** The beginning of the answer, at most 2 KiB, as text that Postgres can keep. */
  readonly excerpt: string;
  /** The whole answer; absent where it was not asked for, or did not come. */
  readonly body?: string | undefined;
  readonly durationMs: number;
  /** Why no whole answer came; absent where one did, whatever its status. */
  readonly error: string | undefined;
}

/** Whether the receiver has taken it: a whole answer, with a status of 200 to 299. */
export function isTaken({ status = 0, error }: Answer): boolean {
  return error === undefined && status >= 200 && status < 300;
}

const agents = {
  'http:': new http.Agent({ keepAlive: true, maxFreeSockets: 64, timeout: 30_000 }),
  'https:': new https.Agent({ keepAlive: true, maxFreeSockets: 64, timeout: 30_000 }),
} as const;

/** Posts a body to a webhook. Follows no redirect; never throws. */
export async function deliver(delivery: Delivery): Promise<Answer> {
  const began = performance.now();
  const end = endOf(delivery);
  const durationMs = () => Math.round(performance.now() - began);
  try {
    const { status, retryAfter, excerpt, body } = await post(delivery, end.signal);
    const wait = retryAfterMs(retryAfter, Date.now());
    return {
      ...{ status, retryAfterMs: wait, excerpt, body },
      ...{ durationMs: durationMs(), error: undefined },
    };
  } catch (error) {
    return {
      status: error instanceof Broken ? error.status : undefined,
      retryAfterMs: undefined,
      excerpt: error instanceof Broken ? error.excerpt : '',
      durationMs: durationMs(),
      error: end.signal.aborted ? String(end.signal.reason) : sentence(error),
    };
  } finally {
    end.release();
  }
}

/** What ends a call: its time, or the worker. Neither a timer nor a listener outlives it. */
function endOf({ timeoutMs, stop }: Delivery) {
  const controller = new AbortController();
  const late = () => controller.abort(`no whole answer within ${timeoutMs / 1000} s`);
  const stopped = () => controller.abort('the worker was stopped');
  const timer = setTimeout(late, timeoutMs);
  stop?.addEventListener('abort', stopped, { once: true });
  if (stop?.aborted) stopped();
  return {
    signal: controller.signal,
    release: () => {
      clearTimeout(timer);
      stop?.removeEventListener('abort', stopped);
    },
  };
}

interface Whole {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly excerpt: string;
  readonly body: string | undefined;
}

/** An answer that began and did not end. */
class Broken extends Error {
  readonly status: number;
  readonly excerpt: string;

  constructor(status: number, excerpt: string, cause: unknown) {
    super(`the answer broke off: ${errorMessage(cause)}`, { cause });
    this.status = status;
    this.excerpt = excerpt;
  }
}

async function post(delivery: Delivery, stop: AbortSignal): Promise<Whole> {
  for (;;) {
    const request = begin(delivery, stop);
    try {
      return await read(await answerOf(request, delivery.body), delivery);
    } catch (error) {
      // The receiver closed a connection that was kept, as it may at any time: this says nothing of the call.
      const isStale = request.reusedSocket && /^(ECONNRESET|EPIPE)$/.test(errorCode(error) ?? '');
      if (!isStale || error instanceof Broken || stop.aborted) throw error;
    }
  }
}

function begin(
  { url, headers, body, isSentOnce }: Delivery,
  signal: AbortSignal,
): http.ClientRequest {
  const target = new URL(url);
  const isPlain = target.protocol === 'http:';
  if (!isPlain && target.protocol !== 'https:') throw new Error('the URL is not an http(s) URL');
  const options = {
    method: 'POST',
    agent: isSentOnce ? false : agents[isPlain ? 'http:' : 'https:'],
    headers: {
      'content-type': 'application/json',
      'user-agent': 'rowgate',
      ...headers,
      'content-length': String(Buffer.byteLength(body)),
    },
    signal,
  };
  return isPlain ? http.request(target, options) : https.request(target, options);
}

function answerOf(request: http.ClientRequest, body: string): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    // What breaks after the answer has come ends the answer itself.
    request.on('error', reject).once('response', resolve);
    // Node closes a connection that turns into another protocol, and then says neither.
    request.once('close', () => reject(new Error('the connection ended without an answer')));
    request.end(body);
  });
}

async function read(
  answer: http.IncomingMessage,
  { answerBytes, onReceived }: Delivery,
): Promise<Whole> {
  const { statusCode: status = 0, headers } = answer;
  const kept: Buffer[] = [];
  const keptBytes = answerBytes ?? excerptBytes;
  let bytes = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      if (onReceived?.(chunk.length) === false) throw new Error('there is no memory for it');
      if (bytes < keptBytes) kept.push(chunk.subarray(0, keptBytes - bytes));
      bytes += chunk.length;
      if (bytes > (answerBytes ?? drainBytes)) break;
    }
  } catch (error) {
    throw new Broken(status, excerptOf(kept), error);
  }
  const excerpt = excerptOf(kept);
  if (answerBytes !== undefined && bytes > answerBytes) {
    throw new Broken(status, excerpt, new Error(`it is larger than ${answerBytes} bytes`));
  }
  const body = answerBytes === undefined ? undefined : Buffer.concat(kept).toString('utf8');
  return { status, retryAfter: headers['retry-after'], excerpt, body };
}

function excerptOf(chunks: readonly Buffer[]): string {
  // Postgres has no text with NUL; the last character may be cut in two.
  return Buffer.concat(chunks)
    .subarray(0, excerptBytes)
    .toString('utf8')
    .replace(/\0/g, '\uFFFD')
    .replace(/\uFFFD{1,3}$/, '');
}

function sentence(error: unknown): string {
  switch (errorCode(error)) {
    case 'ECONNREFUSED':
      return `nobody listens there: ${errorMessage(error)}`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `the host is not known: ${errorMessage(error)}`;
    case 'ECONNRESET':
      return `the connection broke: ${errorMessage(error)}`;
    default:
      return errorMessage(error);
  }
}
