import { problemSchema } from '../answers/problem.ts';
import type { ApiAnswer, ApiOperation } from './api-operation.ts';
import { serviceTag } from './api-tag.ts';
import { isCookie } from './security-scheme.ts';

/**
 * Adds the usual errors to the documented answers of an operation. Errors in the operation's own description stay
 * unchanged.
 */
export function withErrors<Described extends ApiOperation>(
  operation: Described,
  isLimited: boolean,
): Described {
  const answers = { ...usualErrors(operation, isLimited), ...operation.answers };
  return {
    ...operation,
    answers: Object.fromEntries(
      Object.entries(answers).map(([status, answer]) => [
        status,
        Number(status) < 400 ? answer : asProblem(answer),
      ]),
    ),
  };
}

function usualErrors(
  { method, tag, schemes, params, query, body, form }: ApiOperation,
  isLimited: boolean,
): ApiOperation['answers'] {
  const forbidden = forbiddenReasons(schemes, method);
  const countsWrong = schemes.some((scheme) => scheme.isLimited);
  return {
    ...((params ?? query ?? body ?? form) && {
      400: { description: 'The request is invalid; `detail` names the place' },
    }),
    ...(schemes.length > 0 && { 401: unknownCaller(schemes) }),
    ...(forbidden.length > 0 && { 403: { description: forbidden.join(', or ') } }),
    ...((body ?? form) && {
      413: { description: 'The body is too large' },
      415: { description: `The body is no ${form ? 'multipart form' : 'JSON in UTF-8'}` },
    }),
    ...((isLimited || countsWrong) && {
      429: {
        description: isLimited ? 'Too many requests' : 'Too many wrong keys or secrets',
        headers: { 'Retry-After': 'Seconds until the next request is accepted' },
      },
    }),
    // 503 means that the database does not answer. Service endpoints use the database only to count wrong secrets, so
    // only service endpoints with a secret document this status.
    ...((tag.name !== serviceTag.name || countsWrong) && {
      503: { description: 'The database does not answer, or the server is starting' },
    }),
  };
}

function unknownCaller(schemes: ApiOperation['schemes']): ApiAnswer {
  const description = 'The caller is unknown';
  // Only the header Authorization has a challenge.
  if (!schemes.some(({ object }) => object.type === 'http')) return { description };
  return { description, headers: { 'WWW-Authenticate': '`Bearer`' } };
}

/** Returns why an identified caller may be refused. The first reason begins with a capital letter. */
function forbiddenReasons(
  schemes: ApiOperation['schemes'],
  method: ApiOperation['method'],
): readonly string[] {
  const reasons = schemes.flatMap(({ forbidden }) => forbidden ?? []);
  if (method !== 'get' && schemes.some(isCookie))
    reasons.push('a page of another site sent the request with a session cookie');
  return reasons.map((reason, index) => (index === 0 ? capitalized(reason) : reason));
}

function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function asProblem(answer: ApiAnswer): ApiAnswer {
  return { content: { 'application/problem+json': problemSchema }, ...answer };
}
