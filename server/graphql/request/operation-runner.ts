import type { Logger } from 'pino';
import { shareOf } from '../../caller/caller-share.ts';
import type { RateStore } from '../../caller/rate-store.ts';
import { BusyError } from '../../db/requests/busy-error.ts';
import { RequestError, unavailable } from '../request-error.ts';
import type { Engine } from './engine.ts';
import type { ListedDocuments } from './listed-documents.ts';
import type { PersistedQueries } from './persisted-queries.ts';
import { countOperation } from './rate-limit.ts';
import type { GraphqlRequest, RunnableRequest } from './request.ts';
import { type RequestCaller, visitorKey } from './request-caller.ts';
import { sha256 } from './sha256.ts';
import type { Turns } from './turns.ts';

export interface OperationRunnerOptions {
  readonly listed: ListedDocuments;
  /** Absent: clients cannot register documents. */
  readonly persisted: PersistedQueries | undefined;
  readonly rates: RateStore;
  /** Divides the event loop among the callers of all engines. */
  readonly turns: Turns;
  readonly logger: Logger;
}

/** Runs the operations of all callers: every transport reaches the engine of a role through it. */
export class OperationRunner {
  readonly #options: OperationRunnerOptions;

  constructor(options: OperationRunnerOptions) {
    this.#options = options;
  }

  /** Returns the text of a response that has data. @throws RequestError, CallerError */
  async run(
    request: GraphqlRequest,
    requestCaller: RequestCaller,
    engine: Engine,
  ): Promise<string> {
    const { rates, logger } = this.#options;
    const { caller } = requestCaller;
    const limit = caller.role.limits?.rate;
    if (limit) await countOperation(requestCaller, limit, rates, logger);
    const query = this.#documentOf(request, requestCaller, engine);
    return this.#inTurn({ ...request, query }, requestCaller, engine);
  }

  async #inTurn(
    request: RunnableRequest,
    requestCaller: RequestCaller,
    engine: Engine,
  ): Promise<string> {
    const share = shareOf(requestCaller.caller, requestCaller.address);
    const work = () => engine.run(request, requestCaller, share);
    try {
      return await this.#options.turns.run(share, work, request.signal);
    } catch (error) {
      throw error instanceof BusyError ? unavailable(error.message) : error;
    }
  }

  #documentOf(request: GraphqlRequest, requestCaller: RequestCaller, engine: Engine): string {
    const { query, hash, documentId } = request;
    if (documentId !== undefined) return this.#listed(documentId, requestCaller);
    if (hash !== undefined) return this.#persisted(request, hash, requestCaller, engine);
    if (query === undefined) throw new RequestError('parse-failed', 'key "query" not found');
    return query;
  }

  #listed(id: string, { caller }: RequestCaller): string {
    const text = this.#options.listed.textOf(id, caller.role);
    if (text !== undefined) return text;
    throw new RequestError(
      'validation-failed',
      'no document is listed under this id',
      '$.documentId',
    );
  }

  #persisted(
    request: GraphqlRequest,
    hash: string,
    requestCaller: RequestCaller,
    engine: Engine,
  ): string {
    const { listed, persisted } = this.#options;
    const { query } = request;
    if (query === undefined) {
      const known = listed.textOf(hash, requestCaller.caller.role) ?? persisted?.get(hash);
      if (known !== undefined) return known;
      throw persisted ? notFound() : notSupported();
    }
    if (sha256(query) !== hash) {
      throw new RequestError('bad-request', 'provided sha does not match query', '$.extensions');
    }
    if (!persisted) return query;
    // A document that the role could not run is not stored.
    engine.check({ ...request, query });
    // The hash has one length, however long variables are.
    persisted.set(hash, query, sha256(visitorKey(requestCaller)));
    return query;
  }
}

// The messages and codes are what Apollo's clients look for, to send the document along and to stop asking by hash.
function notFound(): RequestError {
  return new RequestError('PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound');
}

function notSupported(): RequestError {
  return new RequestError('PERSISTED_QUERY_NOT_SUPPORTED', 'PersistedQueryNotSupported');
}
