import { setTimeout as sleep } from 'node:timers/promises';
import type pino from 'pino';
import type { KycConfig } from '../../config/kyc-config.ts';
import { Patience } from './patience.ts';
import { isTransient, ProviderError } from './provider-error.ts';
import { signRequest } from './sign-request.ts';
import type { Source } from './source.ts';

/** A file that has begun to arrive. */
export interface ProviderFile {
  /** As the provider says. */
  readonly contentType: string | undefined;
  /** In bytes, where the provider tells. */
  readonly size: number | undefined;
  /** Read once. @throws ProviderError where it breaks off, stalls or grows too large */
  readonly content: AsyncIterable<Uint8Array>;
}

/** Who keeps the files of KYC documents. */
export interface KycProvider {
  /**
   * Asks for a file, again where the provider fails for the moment; resolves with its first bytes at hand.
   * @param unwanted aborted when nobody wants the file any more
   * @throws ProviderError
   */
  open(source: Source, unwanted: AbortSignal): Promise<ProviderFile>;
}

export interface ProviderLimits {
  /** Milliseconds until an answer begins. */
  readonly headersMs: number;
  /** Milliseconds between two pieces of a file. */
  readonly stallMs: number;
  /** Milliseconds for all of a file. */
  readonly wholeMs: number;
  /** Milliseconds before the second try; four times as many before each further one. */
  readonly pauseMs: number;
  readonly tries: number;
  /** Largest file, in bytes. */
  readonly bytes: number;
}

const usualLimits: ProviderLimits = {
  headersMs: 10_000,
  stallMs: 10_000,
  wholeMs: 15 * 60_000,
  pauseMs: 250,
  tries: 3,
  bytes: 50 * 1024 * 1024,
};

/** Ids as the provider makes them: none that would lead elsewhere as a part of a path. */
const usableId = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$/;

export function makeKycProvider(
  config: KycConfig,
  logger: pino.Logger,
  given: Partial<ProviderLimits> = {},
): KycProvider {
  const limits = { ...usualLimits, ...given };
  return {
    open: async ({ inspectionId, providerDocumentId }, unwanted) => {
      if (![inspectionId, providerDocumentId].every((id) => usableId.test(id))) {
        throw new ProviderError('missing');
      }
      const path = `/resources/inspections/${inspectionId}/resources/${providerDocumentId}`;
      const url = new URL(config.baseUrl + path);
      for (let number = 1; ; number += 1) {
        try {
          return await attempt(url, config, unwanted, limits);
        } catch (error) {
          if (unwanted.aborted || number === limits.tries || !isTransient(error)) throw error;
          logger.info({ err: error, number }, 'the KYC provider is asked once more');
          await sleep(pauseBefore(number, limits), undefined, { signal: unwanted });
        }
      }
    },
  };
}

/** Not the same for everybody who failed at the same moment. */
function pauseBefore(number: number, { pauseMs }: ProviderLimits): number {
  return pauseMs * 4 ** (number - 1) * (0.5 + Math.random());
}

async function attempt(
  url: URL,
  config: KycConfig,
  unwanted: AbortSignal,
  limits: ProviderLimits,
): Promise<ProviderFile> {
  const patience = new Patience(unwanted, limits.wholeMs);
  try {
    const response = await patience.wait(ask(url, config, patience.signal), limits.headersMs);
    const { body, size, contentType } = await accept(response, limits);
    const reader = body?.getReader();
    const next = async () => {
      if (!reader) return undefined;
      return (await patience.wait(reader.read(), limits.stallMs)).value;
    };
    const first = await next();
    return { contentType, size, content: contentOf(first, next, patience, limits) };
  } catch (error) {
    throw asProviderError(error, patience);
  }
}

function ask(url: URL, config: KycConfig, signal: AbortSignal): Promise<Response> {
  const headers = {
    ...signRequest(url.pathname + url.search, config, Date.now() / 1000),
    // Else its length would not be that of the file.
    'Accept-Encoding': 'identity',
  };
  // The provider alone gets what proves who asks.
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
  patience: Patience,
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
    throw asProviderError(error, patience);
  }
}

function asProviderError(error: unknown, patience: Patience): unknown {
  if (error instanceof ProviderError) return error;
  if (patience.isOver) return new ProviderError('timed-out');
  return patience.signal.aborted ? error : new ProviderError('broken', { cause: error });
}
