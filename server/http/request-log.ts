import type { IncomingMessage, ServerResponse } from 'node:http';
import type pino from 'pino';
import { requestLine } from '../log/request-line.ts';
import { requestIdOf } from './request-id.ts';

/** Logs a request when it ends. @param path the path without the query */
export type RequestLog = (
  request: Pick<IncomingMessage, 'method' | 'headers'>,
  response: ServerResponse,
  path: string,
) => void;

/** Answers whose status hides that the request failed. */
const failed = new WeakSet<ServerResponse>();

/** Records that a request failed although its status is below 400, so that it is logged in any case. */
export function recordFailure(response: ServerResponse): void {
  failed.add(response);
}

/** Answers that last until the client disconnects. */
const lasting = new WeakSet<ServerResponse>();

/** Records that the client ends this answer by disconnecting, so that the log does not report a failure. */
export function expectDisconnection(response: ServerResponse): void {
  lasting.add(response);
}

export interface RequestLogOptions {
  readonly logger: pino.Logger;
  /** The share of requests that are logged. Failed, aborted and slow requests are always logged. */
  readonly percent: number;
  /** Requests that take this long are slow. */
  readonly slowMs?: number;
}

/** Makes the request log: one line per request. The line has no query string, and headers only at level debug. */
export function makeRequestLog({ logger, percent, slowMs = 1000 }: RequestLogOptions): RequestLog {
  const isDetailed = logger.isLevelEnabled('debug');
  const isDue = sampler(percent);
  // Without headers, the fields contain nothing to mask by name, so the line is written without that step.
  const plain = logger.child({}, { formatters: { log: (fields) => fields } });
  const lines = isDetailed ? logger : plain;
  const writeLine = isDetailed ? () => false : requestLine(logger);
  return (request, response, path) => {
    const startedAt = performance.now();
    response.on('close', () => {
      const ms = Math.round(performance.now() - startedAt);
      const { statusCode: status } = response;
      const writableFinished = response.writableFinished || lasting.has(response);
      const isNotable = !writableFinished || status >= 400 || ms >= slowMs || failed.has(response);
      if (!isDue() && !isNotable) return;
      const { method, headers } = request;
      const fields = { requestId: requestIdOf(response), method, path, status, ms };
      if (writableFinished && status < 500 && writeLine(fields)) return;
      const logged = isDetailed ? { ...fields, headers } : fields;
      if (!writableFinished) lines.warn(logged, 'request aborted');
      else if (status >= 500) lines.error(logged, 'request failed');
      else lines.info(logged, 'request');
    });
  };
}

/** Makes a function that returns true for this share of its calls, at even distances. */
function sampler(percent: number): () => boolean {
  let credit = 0;
  return () => {
    credit += percent;
    if (credit < 100) return false;
    credit -= 100;
    return true;
  };
}
