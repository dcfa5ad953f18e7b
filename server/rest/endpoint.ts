import type { Request, RequestHandler, Response } from 'express';
import type { Static, TObject, TSchema } from 'typebox';
import type { Access, SecurityScheme } from './access.ts';
import { validatorOf } from './validate.ts';

export type Method = 'get' | 'post' | 'delete';

/** What an answer of one status holds. */
export interface Answer {
  readonly description: string;
  /** By media type; `binary` for what is no JSON and no text. */
  readonly content?: Readonly<Record<string, TSchema | 'binary'>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What the documentation says of one method of one path. */
export interface Operation {
  readonly method: Method;
  /** As OpenAPI writes it: `/invoices/{invoiceId}`. */
  readonly path: string;
  /** Unique, in camel case. */
  readonly operationId: string;
  readonly tag: 'sessions' | 'tokens' | 'discovery' | 'data' | 'documents' | 'service';
  readonly summary: string;
  readonly description?: string;
  /** Any one of these lets in; none: everybody. */
  readonly schemes: readonly SecurityScheme[];
  readonly params?: TObject;
  readonly query?: TObject;
  readonly body?: TSchema;
  readonly answers: Readonly<Record<number, Answer>>;
}

/** An operation with what does it. */
export interface Endpoint extends Operation {
  /** Before the body is read: refuses whoever may not ask (this often). */
  readonly handler: RequestHandler;
}

/** What a handler gets: everything checked. */
export interface Input<Who, Params extends TObject, Query extends TObject, Body extends TSchema> {
  readonly who: Who;
  readonly params: Static<Params>;
  readonly query: Static<Query>;
  readonly body: Static<Body>;
  readonly request: Request;
}

export interface EndpointDefinition<
  Who,
  Params extends TObject,
  Query extends TObject,
  Body extends TSchema,
> extends Omit<Operation, 'schemes'> {
  readonly access: Access<Who>;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** Before anything else. @throws Refusal, 429 */
  readonly limit?: (request: Request) => Promise<void>;
  /** @throws Refusal */
  handle(input: Input<Who, Params, Query, Body>, response: Response): Promise<void> | void;
}

/** Ties what is documented to what is done: limits, then who asks, then the input, then the handler. */
export function defineEndpoint<
  Who,
  Params extends TObject = TObject,
  Query extends TObject = TObject,
  Body extends TSchema = TSchema,
>(definition: EndpointDefinition<Who, Params, Query, Body>): Endpoint {
  const { access, limit, handle, ...operation } = definition;
  const params = validatorOf(operation.params, 'path');
  const query = validatorOf(operation.query, 'query');
  const body = validatorOf(operation.body, 'body');
  return {
    ...operation,
    schemes: access.schemes,
    handler: async (request, response) => {
      await limit?.(request);
      const who = await access.admit(request);
      await handle(
        {
          who,
          params: params(request.params) as Static<Params>,
          query: query(request.query) as Static<Query>,
          body: body(request.body) as Static<Body>,
          request,
        },
        response,
      );
    },
  };
}
