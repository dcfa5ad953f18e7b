import { errorMessage } from '../errors.ts';

/** What nodemailer says besides. */
interface SendError {
  readonly code?: unknown;
  readonly responseCode?: unknown;
}

/** Characters of a reason that are kept. */
const longestReason = 500;

/**
 * Whether a server refused this very mail with a code that says for good: its sender, its recipient or what it holds.
 * A greeting or a login that was refused says nothing about the mail.
 */
export function isRefusedForGood(error: unknown): boolean {
  const { code, responseCode } = error as SendError;
  const aboutTheMail = code === 'EENVELOPE' || code === 'EMESSAGE';
  return aboutTheMail && typeof responseCode === 'number' && responseCode >= 500;
}

/** Why it was not sent, in a line; what a stranger's server says stays harmless on a terminal. */
export function reasonOf(error: unknown): string {
  const text = errorMessage(error).replaceAll(/[\p{C}\u2028\u2029]+/gu, ' ');
  return text.trim().slice(0, longestReason) || 'unknown';
}
