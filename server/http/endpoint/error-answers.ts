import { problemSchema } from '../answers/problem.ts';
import type { ApiAnswer, ApiOperation } from './api-operation.ts';

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
  const byCookie = schemes.includes('session') && method !== 'get';
  return {
    ...((params ?? query ?? body ?? form) && {
      400: { description: 'The request is invalid; `detail` names the place' },
    }),
    ...(schemes.length > 0 && { 401: unknownCaller(schemes) }),
    ...((byCookie || schemes.includes('apiKey')) && { 403: { description: forbidden(schemes) } }),
    ...((body ?? form) && {
      413: { description: 'The body is too large' },
      415: { description: `The body is no ${form ? 'multipart form' : 'JSON in UTF-8'}` },
    }),
    ...((isLimited || schemes.some((scheme) => countedWhenWrong.includes(scheme))) && {
      429: {
        description: isLimited ? 'Too many requests' : 'Too many wrong keys or secrets',
        headers: { 'Retry-After': 'Seconds until the next request is accepted' },
      },
    }),
    // 503 means that the database does not answer. Service endpoints use the database only to count wrong secrets, so
    // only service endpoints with a secret document this status.
    ...((tag !== 'service' || schemes.includes('metricsToken')) && {
      503: { description: 'The database does not answer, or the server is starting' },
    }),
  };
}

const countedWhenWrong: readonly string[] = ['apiKey', 'metricsToken', 'platformToken'];

function unknownCaller(schemes: ApiOperation['schemes']): ApiAnswer {
  const description = 'The caller is unknown';
  // These schemes do not use the Authorization header, so they have no `WWW-Authenticate` challenge.
  const elsewhere: readonly string[] = [
    'apiKey',
    'documentToken',
    'platformToken',
    'custodySignature',
    'cardSignature',
    'kycDigest',
  ];
  if (schemes.every((scheme) => elsewhere.includes(scheme))) return { description };
  return { description, headers: { 'WWW-Authenticate': '`Bearer`' } };
}

function forbidden(schemes: ApiOperation['schemes']): string {
  if (!schemes.includes('apiKey'))
    return 'A page of another site sent the request with a session cookie';
  if (!schemes.includes('session')) return 'The key lacks the scope';
  return 'The key lacks the scope, or a page of another site sent the request with a session cookie';
}

function asProblem(answer: ApiAnswer): ApiAnswer {
  return { content: { 'application/problem+json': problemSchema }, ...answer };
}
