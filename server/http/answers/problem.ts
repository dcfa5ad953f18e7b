import { type ServerResponse, STATUS_CODES } from 'node:http';
import { Type } from 'typebox';
import { RowgateError } from '../../../permissions/index.ts';
import { requestIdOf } from '../request-id.ts';
import { writeHead } from './write-head.ts';

/** A problem document (RFC 9457), the body of error answers. `code` is for programs, `detail` for people. */
export interface Problem {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  /** Additional headers of the answer, e.g. `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The schema of the body that `sendProblem` sends. */
export const problemSchema = Type.Object(
  {
    type: Type.Literal('about:blank'),
    title: Type.String({ description: 'The text of the HTTP status' }),
    status: Type.Integer(),
    detail: Type.String({ description: 'The problem and what to do about it, for people' }),
    code: Type.String({ description: 'The problem, for programs' }),
    requestId: Type.String({ description: 'The id of the request in the log' }),
  },
  { title: 'Problem', additionalProperties: false },
);

/** Thrown to answer a request with a problem document. The caller sees its message. */
export class Refusal extends RowgateError<Problem, string> {
  override readonly name = 'Refusal';

  constructor(problem: Problem) {
    super(problem.detail, problem);
  }

  get code(): string {
    return this.details.code;
  }

  get problem(): Problem {
    return this.details;
  }
}

/** Answers with `application/problem+json`. The body contains the request id, by which operators find the log line. */
export function sendProblem(response: ServerResponse, problem: Problem): void {
  const { status, code, detail, headers } = problem;
  const title = STATUS_CODES[status] ?? 'Error';
  const requestId = requestIdOf(response);
  const body = JSON.stringify({ type: 'about:blank', title, status, detail, code, requestId });
  writeHead(response, status, [
    ...Object.entries(headers ?? {}).flat(),
    ...['Content-Type', 'application/problem+json; charset=utf-8'],
    ...['Content-Length', String(Buffer.byteLength(body))],
  ]);
  response.end(body);
}
