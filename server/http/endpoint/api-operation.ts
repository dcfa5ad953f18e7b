import type { Request } from 'express';
import type { TObject, TSchema } from 'typebox';
import type { ApiTag } from './api-tag.ts';
import type { SecurityScheme } from './security-scheme.ts';

export type Method = 'get' | 'post' | 'delete';

/** The documentation of the answer with one status. */
export interface ApiAnswer {
  readonly description: string;
  /**
   * Schemas by media type; `binary` for content that is neither JSON nor text. Errors without content are problem
   * documents.
   */
  readonly content?: Readonly<Record<string, TSchema | 'binary'>>;
  /** Descriptions of the answer's headers, by name. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The documentation of one method of one path. Schemas with a `title` become shared components with that name. */
export interface ApiOperation {
  readonly method: Method;
  /** In OpenAPI's syntax, e.g. `/invoices/{invoiceId}`. */
  readonly path: string;
  /** Unique, in camel case. */
  readonly operationId: string;
  readonly tag: ApiTag;
  readonly summary: string;
  readonly description?: string;
  /**
   * The accepted ways to authenticate; any one of them is sufficient. An empty list means that the operation is public.
   */
  readonly schemes: readonly SecurityScheme[];
  readonly params?: TObject;
  readonly query?: TObject;
  /** Descriptions of the optional request headers, by name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The same for headers that a request must have. The access check refuses requests without them. */
  readonly requiredHeaders?: Readonly<Record<string, string>>;
  readonly body?: TSchema;
  /**
   * A `multipart/form-data` body instead of a JSON body. The handler reads it. Files are strings with the format
   * `binary`.
   */
  readonly form?: TObject;
  /**
   * The maximum size of the body in bytes, regardless of the usual limit, for callers that sign their bodies. The
   * handler receives the unparsed body, and parses and validates it; `body` is only documentation.
   */
  readonly rawBytes?: number;
  readonly answers: Readonly<Record<number, ApiAnswer>>;
  /** Receives the error of a failed request to this operation before the answer is sent. Must not throw. */
  readonly onError?: (error: unknown, request: Request) => void;
}
