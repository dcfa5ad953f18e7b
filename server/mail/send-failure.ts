import { errorMessage } from '../errors.ts';

/** The additional properties of nodemailer's errors. */
interface SendError {
  readonly code?: unknown;
  readonly responseCode?: unknown;
}

/** Maximum characters of a stored reason. */
const maxReasonLength = 500;

/**
 * Returns true when the mail server permanently refused the sender, the recipient or the content of this mail. Returns
 * false for a refused connection or login, because the mail itself may be accepted later.
 */
export function isRefusedForGood(error: unknown): boolean {
  const { code, responseCode } = error as SendError;
  const aboutTheMail = code === 'EENVELOPE' || code === 'EMESSAGE';
  return aboutTheMail && typeof responseCode === 'number' && responseCode >= 500;
}

/** Returns the reason of a failure in one line, without control characters from the mail server's answer. */
export function reasonOf(error: unknown): string {
  const text = errorMessage(error).replaceAll(/[\p{C}\u2028\u2029]+/gu, ' ');
  return text.trim().slice(0, maxReasonLength) || 'unknown';
}
