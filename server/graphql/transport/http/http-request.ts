import { isUtf8 } from 'node:buffer';
import type { ServerResponse } from 'node:http';
import type { Caller } from '../../../caller/authenticate.ts';
import { disconnectSignal } from '../../../http/connections/disconnect-signal.ts';
import type { DirectRequest } from '../../../http/direct.ts';
import { hasOtherCharset, isJson } from '../../../http/endpoint/read-body.ts';
import type { IncomingRequest, ReceivedOperations } from '../../handle-request.ts';
import { type Json, parseJson } from '../../json.ts';
import { RequestError } from '../../request-error.ts';
import { debugHeaders } from './debug-headers.ts';
import { whenSent } from './send-answer.ts';

/** The parts of a GraphQL request over HTTP. */
export interface HttpRequestOptions {
  readonly http: DirectRequest;
  readonly response: ServerResponse;
  readonly maxBatch: number;
  /** The body of a POST, unless it has none. */
  readonly body?: Buffer | undefined;
  /** The operation in the URL of a GET; absent for a POST, whose body contains the operations. */
  readonly link?: Json | undefined;
}

/** A POST with one operation or a batch, or a GET that names a document. */
export class HttpRequest implements IncomingRequest {
  readonly http: DirectRequest;
  readonly readOnlyReason: string | undefined;
  readonly #options: HttpRequestOptions;
  #isBatch = false;

  constructor(options: HttpRequestOptions) {
    this.http = options.http;
    this.readOnlyReason = options.link === undefined ? options.http.readOnlyReason : byGet;
    this.#options = options;
  }

  /** Whether the answer is a list; known only after `read`. */
  get isBatch(): boolean {
    return this.#isBatch;
  }

  onIdentified(caller: Caller): void {
    debugHeaders(caller, this.#options.response);
  }

  read(): ReceivedOperations {
    const { response, link, body } = this.#options;
    return {
      operations: link === undefined ? this.#operationsIn(this.#body()) : [link],
      signal: disconnectSignal(response, hungUp),
      bytes: body?.length,
      whenSent: whenSent(response),
    };
  }

  #body(): Buffer {
    const { http, body } = this.#options;
    if (body === undefined || !isJson(http)) {
      throw new RequestError('invalid-headers', 'the content type must be application/json');
    }
    if (hasOtherCharset(http)) {
      throw new RequestError('invalid-headers', 'the request body must be in UTF-8');
    }
    return body;
  }

  #operationsIn(body: Buffer): readonly Json[] {
    // Decoding would replace invalid characters, and Postgres would store the replacements.
    if (!isUtf8(body)) throw new RequestError('invalid-json', 'the request body is not in UTF-8');
    const json = parseJson(body.toString('utf8'), 'the request body');
    if (!Array.isArray(json)) return [json];
    const { maxBatch } = this.#options;
    if (json.length === 0) throw new RequestError('parse-failed', 'the batch is empty');
    if (json.length > maxBatch) {
      throw new RequestError(
        'batch-limit-exceeded',
        `the batch holds ${json.length} operations, at most ${maxBatch} are allowed`,
      );
    }
    this.#isBatch = true;
    return json;
  }
}

/** Another site can make a browser follow a link, which must not change data. */
const byGet = 'only queries can be run by GET; use POST';

const hungUp = () => new RequestError('bad-request', 'the client has hung up');
