import http from 'node:http';
import https from 'node:https';
import { errorCode, errorMessage } from '../errors.ts';
import { retryAfterMs } from './retry-after.ts';

/** The maximum size of a stored excerpt of an answer, in bytes. */
const excerptBytes = 2048;
/**
 * An answer is read up to this size, so that its connection can be reused. After a longer answer, the connection is
 * closed.
 */
const drainBytes = 64 * 1024;

/** One POST request to a webhook. */
export interface Delivery {
  /** http or https. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body of the request, which is sent unchanged. */
  readonly body: string;
  /** Maximum milliseconds of the whole call, from connecting to the end of the answer. */
  readonly timeoutMs: number;
  /** Aborts the call before its timeout. */
  readonly signal?: AbortSignal | undefined;
  /** Maximum bytes of the whole answer; a longer answer is an error. Absent: only an excerpt is read. */
  readonly maxAnswerBytes?: number;
  /**
   * Called as bytes of the answer arrive. Returns false when the server has no memory for them, which fails the call.
   */
  readonly onReceived?: ((bytes: number) => boolean) | undefined;
  /**
   * True for a call that must not be sent twice. Such a call gets a new connection, because a call that fails on a
   * reused connection is sent again.
   */
  readonly isSentOnce?: boolean;
}

/** The result of a call. */
export interface Answer {
  /** The HTTP status; undefined when no answer arrived. */
  readonly status: number | undefined;
  /** The wait that the receiver requests in `Retry-After`. */
  readonly retryAfterMs: number | undefined;
  /** The beginning of the answer, at most 2 KiB, as text that Postgres can store. */
  readonly excerpt: string;
  /** The whole answer; absent when it was not requested or did not arrive. */
  readonly body?: string | undefined;
  readonly durationMs: number;
  /** The reason why no complete answer arrived; undefined for a complete answer, whatever its status. */
  readonly error: string | undefined;
}

/** Returns true when the receiver accepted the call: a complete answer with a status from 200 to 299. */
export function isAccepted({ status = 0, error }: Answer): boolean {
  return error === undefined && status >= 200 && status < 300;
}

const agents = {
  'http:': new http.Agent({ keepAlive: true, maxFreeSockets: 64, timeout: 30_000 }),
  'https:': new https.Agent({ keepAlive: true, maxFreeSockets: 64, timeout: 30_000 }),
} as const;

/** Posts a body to a webhook. Follows no redirect; never throws. */
export async function deliver(delivery: Delivery): Promise<Answer> {
  const began = performance.now();
  const deadline = makeDeadline(delivery);
  const durationMs = () => Math.round(performance.now() - began);
  try {
    const { status, retryAfter, excerpt, body } = await post(delivery, deadline.signal);
    const wait = retryAfterMs(retryAfter, Date.now());
    return {
      ...{ status, retryAfterMs: wait, excerpt, body },
      ...{ durationMs: durationMs(), error: undefined },
    };
  } catch (error) {
    return {
      status: error instanceof BrokenAnswerError ? error.status : undefined,
      retryAfterMs: undefined,
      excerpt: error instanceof BrokenAnswerError ? error.excerpt : '',
      durationMs: durationMs(),
      error: deadline.signal.aborted ? String(deadline.signal.reason) : describeFailure(error),
    };
  } finally {
    deadline.release();
  }
}

/**
 * Makes a signal that aborts a call after its timeout or when the worker stops. `release` removes timer and listener.
 */
function makeDeadline({ timeoutMs, signal }: Delivery) {
  const controller = new AbortController();
  const onTimeout = () => controller.abort(`no whole answer within ${timeoutMs / 1000} s`);
  const onStop = () => controller.abort('the worker was stopped');
  const timer = setTimeout(onTimeout, timeoutMs);
  signal?.addEventListener('abort', onStop, { once: true });
  if (signal?.aborted) onStop();
  return {
    signal: controller.signal,
    release: () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onStop);
    },
  };
}

interface CompleteAnswer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly excerpt: string;
  readonly body: string | undefined;
}

/** An answer that began but was not complete. */
class BrokenAnswerError extends Error {
  readonly status: number;
  readonly excerpt: string;

  constructor(status: number, excerpt: string, cause: unknown) {
    super(`the answer broke off: ${errorMessage(cause)}`, { cause });
    this.status = status;
    this.excerpt = excerpt;
  }
}

async function post(delivery: Delivery, signal: AbortSignal): Promise<CompleteAnswer> {
  for (;;) {
    const request = openRequest(delivery, signal);
    try {
      return await read(await answerOf(request, delivery.body), delivery);
    } catch (error) {
      // A receiver may close an idle kept-alive connection at any time. The call then fails through no fault of the
      // receiver, and is sent again.
      const isStale = request.reusedSocket && /^(ECONNRESET|EPIPE)$/.test(errorCode(error) ?? '');
      if (!isStale || error instanceof BrokenAnswerError || signal.aborted) throw error;
    }
  }
}

function openRequest(
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
    // After the first bytes of the answer, the stream of the answer reports an error.
    request.on('error', reject).once('response', resolve);
    // Node closes a connection that switches protocols without emitting `error` or `response`.
    request.once('close', () => reject(new Error('the connection ended without an answer')));
    request.end(body);
  });
}

async function read(
  answer: http.IncomingMessage,
  { maxAnswerBytes, onReceived }: Delivery,
): Promise<CompleteAnswer> {
  const { statusCode: status = 0, headers } = answer;
  const chunks: Buffer[] = [];
  const storedBytes = maxAnswerBytes ?? excerptBytes;
  let bytes = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      if (onReceived?.(chunk.length) === false) throw new Error('there is no memory for it');
      if (bytes < storedBytes) chunks.push(chunk.subarray(0, storedBytes - bytes));
      bytes += chunk.length;
      if (bytes > (maxAnswerBytes ?? drainBytes)) break;
    }
  } catch (error) {
    throw new BrokenAnswerError(status, excerptOf(chunks), error);
  }
  const excerpt = excerptOf(chunks);
  if (maxAnswerBytes !== undefined && bytes > maxAnswerBytes) {
    throw new BrokenAnswerError(
      status,
      excerpt,
      new Error(`it is larger than ${maxAnswerBytes} bytes`),
    );
  }
  const body = maxAnswerBytes === undefined ? undefined : Buffer.concat(chunks).toString('utf8');
  return { status, retryAfter: headers['retry-after'], excerpt, body };
}

function excerptOf(chunks: readonly Buffer[]): string {
  // Removes NUL, which Postgres cannot store in a text, and a last character that the size limit has split.
  return Buffer.concat(chunks)
    .subarray(0, excerptBytes)
    .toString('utf8')
    .replace(/\0/g, '\uFFFD')
    .replace(/\uFFFD{1,3}$/, '');
}

function describeFailure(error: unknown): string {
  switch (errorCode(error)) {
    case 'ECONNREFUSED':
      return `nothing listens there: ${errorMessage(error)}`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `the host is not known: ${errorMessage(error)}`;
    case 'ECONNRESET':
      return `the connection broke: ${errorMessage(error)}`;
    default:
      return errorMessage(error);
  }
}
