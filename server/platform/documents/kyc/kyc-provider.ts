import { setTimeout as sleep } from 'node:timers/promises';
import type pino from 'pino';
import type { KycConfig } from '../../config/kyc-config.ts';
import type { FileLocation } from './file-location.ts';
import { isTransient, ProviderError } from './provider-error.ts';
import { signRequest } from './sign-request.ts';
import { TimeLimit } from './time-limit.ts';

/** A file that is being received from the provider. */
export interface ProviderFile {
  /** The type that the provider reports. */
  readonly contentType: string | undefined;
  /** The size in bytes, when the provider reports it. */
  readonly size: number | undefined;
  /** Can be read once. @throws ProviderError when the connection breaks or stalls, or the file is too large */
  readonly content: AsyncIterable<Uint8Array>;
}

/** The service that stores the files of KYC documents. */
export interface KycProvider {
  /**
   * Requests a file and retries temporary failures. Resolves when the first bytes have arrived.
   * @param signal aborts the request
   * @throws ProviderError
   */
  open(location: FileLocation, signal: AbortSignal): Promise<ProviderFile>;
}

export interface ProviderLimits {
  /** The time limit until an answer begins, in milliseconds. */
  readonly headersMs: number;
  /** The time limit between two chunks of a file, in milliseconds. */
  readonly stallMs: number;
  /** The time limit for the whole file, in milliseconds. */
  readonly totalMs: number;
  /** The pause before the second try, in milliseconds; each later pause is four times longer. */
  readonly pauseMs: number;
  readonly tries: number;
  /** The maximum size of a file, in bytes. */
  readonly bytes: number;
}

const defaultLimits: ProviderLimits = {
  headersMs: 10_000,
  stallMs: 10_000,
  totalMs: 15 * 60_000,
  pauseMs: 250,
  tries: 3,
  bytes: 50 * 1024 * 1024,
};

/** The format of the provider's ids. It excludes ids that would change the path of the request. */
const validId = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$/;

export function makeKycProvider(
  config: KycConfig,
  logger: pino.Logger,
  given: Partial<ProviderLimits> = {},
): KycProvider {
  const limits = { ...defaultLimits, ...given };
  return {
    open: async ({ inspectionId, providerDocumentId }, signal) => {
      if (![inspectionId, providerDocumentId].every((id) => validId.test(id))) {
        throw new ProviderError('missing');
      }
      const path = `/resources/inspections/${inspectionId}/resources/${providerDocumentId}`;
      const url = new URL(config.baseUrl + path);
      for (let number = 1; ; number += 1) {
        try {
          return await attempt(url, config, signal, limits);
        } catch (error) {
          if (signal.aborted || number === limits.tries || !isTransient(error)) throw error;
          logger.info({ err: error, number }, 'retrying the request to the KYC provider');
          await sleep(pauseAfter(number, limits), undefined, { signal });
        }
      }
    },
  };
}

/** Returns the pause after a failed try. It is random, so that simultaneous failures do not retry at the same time. */
function pauseAfter(number: number, { pauseMs }: ProviderLimits): number {
  return pauseMs * 4 ** (number - 1) * (0.5 + Math.random());
}

async function attempt(
  url: URL,
  config: KycConfig,
  signal: AbortSignal,
  limits: ProviderLimits,
): Promise<ProviderFile> {
  const timeLimit = new TimeLimit(signal, limits.totalMs);
  try {
    const response = await timeLimit.wait(
      sendRequest(url, config, timeLimit.signal),
      limits.headersMs,
    );
    const { body, size, contentType } = await accept(response, limits);
    const reader = body?.getReader();
    const next = async () => {
      if (!reader) return undefined;
      return (await timeLimit.wait(reader.read(), limits.stallMs)).value;
    };
    const first = await next();
    return { contentType, size, content: contentOf(first, next, timeLimit, limits) };
  } catch (error) {
    throw asProviderError(error, timeLimit);
  }
}

function sendRequest(url: URL, config: KycConfig, signal: AbortSignal): Promise<Response> {
  const headers = {
    ...signRequest(url.pathname + url.search, config, Date.now() / 1000),
    // A compressed answer would not have the length of the file.
    'Accept-Encoding': 'identity',
  };
  // A redirect is not followed, because only the provider may receive the signed headers.
  return fetch(url, { headers, redirect: 'manual', signal });
}

async function accept(response: Response, { bytes }: ProviderLimits) {
  const { status, headers, body } = response;
  const length = headers.has('content-encoding') ? null : headers.get('content-length');
  const size = length === null ? undefined : Number(length);
  const isTooLarge = size !== undefined && size > bytes;
  if (status === 200 && !isTooLarge) {
    return { body, size, contentType: headers.get('content-type') ?? undefined };
  }
  await body?.cancel();
  if (status === 404) throw new ProviderError('missing');
  throw new ProviderError(status === 200 ? 'too-large' : 'refused', { status });
}

async function* contentOf(
  first: Uint8Array | undefined,
  next: () => Promise<Uint8Array | undefined>,
  timeLimit: TimeLimit,
  { bytes }: ProviderLimits,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  try {
    for (let chunk = first; chunk !== undefined; chunk = await next()) {
      size += chunk.byteLength;
      if (size > bytes) throw new ProviderError('too-large');
      yield chunk;
    }
  } catch (error) {
    throw asProviderError(error, timeLimit);
  }
}

function asProviderError(error: unknown, timeLimit: TimeLimit): unknown {
  if (error instanceof ProviderError) return error;
  if (timeLimit.isOver) return new ProviderError('timed-out');
  return timeLimit.signal.aborted ? error : new ProviderError('broken', { cause: error });
}
