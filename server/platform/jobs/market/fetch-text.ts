import { errorMessage } from '../../../errors.ts';

/** Larger answers than these are no prices. */
const mostBytes = 1024 * 1024;

/**
 * The body of an answer with status 200, at most 1 MiB of UTF-8. Follows no redirect.
 * @throws Error that says what is wrong with the answer, without its words
 */
export async function fetchText(url: string, signal: AbortSignal): Promise<string> {
  const answer = await get(url, signal);
  if (answer.status !== 200) {
    await answer.body?.cancel();
    throw new StatusError(answer.status);
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw new Error('the answer is larger than 1 MiB');
    chunks.push(chunk);
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
}

/** Of what fetch throws only the cause says why. */
async function get(url: string, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(url, {
      redirect: 'manual',
      signal,
      headers: { accept: 'application/json, application/xml', 'user-agent': 'rowgate' },
    });
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    throw cause instanceof Error ? new Error(errorMessage(cause), { cause: error }) : error;
  }
}

/** An answer with another status than 200. */
export class StatusError extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`it answered with status ${status}`);
    this.name = 'StatusError';
    this.status = status;
  }
}
