import type { Request, RequestHandler, Response } from 'express';
import type { Static, TObject, TSchema } from 'typebox';
import type { Access } from './access.ts';
import type { ApiOperation } from './api-operation.ts';
import { withErrors } from './error-answers.ts';
import { validatorOf } from './validate.ts';

/** An operation with its implementation. */
export interface Endpoint extends ApiOperation {
  /** Runs before the body is read: applies the rate limit and identifies the caller. */
  readonly admission: RequestHandler;
  readonly handler: RequestHandler;
}

/** The input of a handler. All parts match their schemas. */
export interface Input<Who, Params extends TObject, Query extends TObject, Body extends TSchema> {
  readonly who: Who;
  readonly params: Static<Params>;
  readonly query: Static<Query>;
  readonly body: Static<Body>;
  /** The unparsed body when the endpoint has `rawBytes`, otherwise empty. */
  readonly raw: Buffer;
  readonly request: Request;
}

export interface EndpointDefinition<
  Who,
  Params extends TObject,
  Query extends TObject,
  Body extends TSchema,
> extends Omit<ApiOperation, 'schemes'> {
  readonly access: Access<Who>;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /**
   * Answers by status. The usual errors (400, 401, 403, 413, 415, 429, 503) are added unless they are described here.
   */
  readonly answers: ApiOperation['answers'];
  /**
   * The rate limit, which runs before all other steps.
   * @throws Refusal 429
   */
  readonly limit?: (request: Request) => Promise<void>;
  /** @throws Refusal */
  handle(input: Input<Who, Params, Query, Body>, response: Response): Promise<void> | void;
}

/**
 * Makes an endpoint from its documentation and its handler. A request passes the rate limit, the access check, the
 * validation and the handler, in this order. Each step can refuse it.
 * The owner of a feature returns its endpoints: an application in `RunningApplication.endpoints`
 * (server/application.ts).
 */
export function defineEndpoint<
  Who,
  Params extends TObject = TObject,
  Query extends TObject = TObject,
  Body extends TSchema = TSchema,
>(definition: EndpointDefinition<Who, Params, Query, Body>): Endpoint {
  const { access, limit, handle, ...described } = definition;
  const params = validatorOf(described.params, 'path');
  const query = validatorOf(described.query, 'query');
  const body = validatorOf(described.rawBytes === undefined ? described.body : undefined, 'body');
  const admitted = new WeakMap<Request, { readonly who: Who }>();
  return {
    ...withErrors({ ...described, schemes: access.schemes }, limit !== undefined),
    admission: async (request, _response, next) => {
      await limit?.(request);
      admitted.set(request, { who: await access.admit(request) });
      next();
    },
    handler: async (request, response) => {
      const admission = admitted.get(request);
      if (!admission) throw new Error('an endpoint was mounted without its admission step');
      const input = {
        who: admission.who,
        params: params(request.params) as Static<Params>,
        query: query(request.query) as Static<Query>,
        body: body(request.body) as Static<Body>,
        raw: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
        request,
      };
      await handle(input, response);
    },
  };
}
