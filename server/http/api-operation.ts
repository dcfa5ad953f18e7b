import type { Request } from 'express';
import type { TObject, TSchema } from 'typebox';
import type { SecurityScheme } from './access.ts';

export type Method = 'get' | 'post' | 'delete';

/** What an answer of one status holds. */
export interface ApiAnswer {
  readonly description: string;
  /** By media type; `binary` for what is no JSON and no text. Errors without content are problem documents. */
  readonly content?: Readonly<Record<string, TSchema | 'binary'>>;
  /** What each header says, by name. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What the documentation says of one method of one path. Schemas with a `title` are shared under that name. */
export interface ApiOperation {
  readonly method: Method;
  /** As OpenAPI writes it: `/invoices/{invoiceId}`. */
  readonly path: string;
  /** Unique, in camel case. */
  readonly operationId: string;
  readonly tag: 'sessions' | 'tokens' | 'discovery' | 'data' | 'documents' | 'webhooks' | 'service';
  readonly summary: string;
  readonly description?: string;
  /** Any one of these lets in; none: everybody. */
  readonly schemes: readonly SecurityScheme[];
  readonly params?: TObject;
  readonly query?: TObject;
  /** What each optional header of a request says, by name. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: TSchema;
  /** A body of `multipart/form-data` instead, which the handler reads itself; files are strings of the format `binary`. */
  readonly form?: TObject;
  /**
   * The body is handed over as it came, of at most so many bytes whatever the usual limit; `body` only describes it,
   * and the handler reads and checks it. For senders who sign what they send.
   */
  readonly rawBytes?: number;
  readonly answers: Readonly<Record<number, ApiAnswer>>;
  /** Called with what a request to this path and method failed with, before that is answered. Must not throw. */
  readonly onError?: (error: unknown, request: Request) => void;
}
