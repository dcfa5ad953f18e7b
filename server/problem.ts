import { STATUS_CODES } from 'node:http';
import type { Response } from 'express';

/** An error body after RFC 9457; `code` is for programs, `detail` for people. */
export interface Problem {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
}

/** Answers with `application/problem+json`; the request's id lets a log line be found. */
export function sendProblem(response: Response, { status, code, detail }: Problem): void {
  response
    .status(status)
    .type('application/problem+json')
    .send(
      JSON.stringify({
        type: 'about:blank',
        title: STATUS_CODES[status] ?? 'Error',
        status,
        detail,
        code,
        requestId: response.locals.requestId,
      }),
    );
}
