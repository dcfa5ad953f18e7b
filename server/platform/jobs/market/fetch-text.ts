import { errorMessage } from '../../../errors.ts';

/** The maximum size of an answer. */
const maxBytes = 1024 * 1024;

/**
 * Fetches a text of at most 1 MiB in UTF-8. Follows no redirect.
 * @throws Error when the status is not 200 or the body is invalid; its message quotes nothing from the answer
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
    if (bytes > maxBytes) throw new Error('the answer is larger than 1 MiB');
    chunks.push(chunk);
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
}

/** Replaces an error of `fetch` by an error with the message of its cause, which contains the reason. */
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

/** The answer has a status other than 200. */
export class StatusError extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`the source answered with status ${status}`);
    this.name = 'StatusError';
    this.status = status;
  }
}
