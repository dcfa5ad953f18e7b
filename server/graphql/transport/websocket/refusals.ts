import { CallerError } from '../../../caller/authenticate.ts';
import { RequestError } from '../../request-error.ts';
import { type CloseCode, closeCode } from './close-code.ts';

export function badMessage(): RequestError {
  return new RequestError('bad-request', 'not a message of the protocol');
}

export function notIntroduced(): RequestError {
  return new RequestError('access-denied', 'connection_init is expected first');
}

export function introducedTwice(): RequestError {
  return new RequestError('bad-request', 'connection_init may come once');
}

export function sameId(id: string): RequestError {
  return new RequestError('bad-request', `there is an operation already with the id "${id}"`);
}

/** Of an operation whose answer nobody wants any more. */
export function takenBack(): RequestError {
  return new RequestError('bad-request', 'the operation was taken back');
}

/** Of what a client has shown to be let in. */
export function expired(): CallerError {
  return new CallerError(
    'access-denied',
    'the session or token has expired; connect with a new one',
  );
}

/** How the socket ends of somebody who is not let in. */
export function turnAwayCode(cause: unknown, { code }: RequestError): CloseCode {
  if (cause instanceof CallerError) return closeCode.turnedAway;
  return retryableCodes.has(code) ? closeCode.tryAgain : closeCode.badMessage;
}

const retryableCodes: ReadonlySet<string> = new Set([
  'unavailable',
  'unexpected',
  'rate-limit-exceeded',
]);
