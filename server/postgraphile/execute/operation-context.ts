import type { Caller } from '../../caller/authenticate.ts';
import type { RequestCaller } from '../../graphql/request/request-caller.ts';
import type { ServiceNames } from '../preset/user-preset.ts';
import type { OperationClient } from './operation-client.ts';

/** The role and session variables of the caller, for plugins, under `rowgate` in Grafast's context. */
export interface RowgateContext {
  readonly role: string;
  /** Session variables. A key is the name of the Postgres setting without its prefix `gql.`. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Parts of an operation that only Rowgate's own plugins may use, such as request headers. */
export interface OperationRequest {
  readonly caller: Caller;
  /** Request headers by lower-case name. */
  readonly headers: NonNullable<RequestCaller['headers']>;
  /** The client's document. */
  readonly query: string;
  /** Aborts when the client no longer waits for the answer. */
  readonly signal: AbortSignal | undefined;
  /**
   * Counts bytes of the answer that do not come from Postgres. Returns false when the server has no memory for them.
   */
  readonly receive: (bytes: number) => boolean;
}

/**
 * The key of {@link OperationRequest} in Grafast's context. It is a symbol that only Rowgate's modules have, so
 * user-defined plugins cannot read the headers.
 */
export const requestContext: unique symbol = Symbol('rowgate request');

declare global {
  namespace Grafast {
    interface Context {
      readonly [requestContext]?: OperationRequest;
    }
  }
}

export interface OperationContextOptions {
  readonly service: ServiceNames;
  readonly client: OperationClient;
  readonly requestCaller: RequestCaller;
  /** The client's document. */
  readonly query: string;
  /** Aborts when the client no longer waits for the answer. Plugins find it under `rowgateSignal`. */
  readonly signal: AbortSignal | undefined;
}

/** Makes Grafast's context for one operation, with the caller and the only access to the database. */
export function operationContext(options: OperationContextOptions) {
  const { service, client, requestCaller, query, signal } = options;
  const { caller, headers = {} } = requestCaller;
  const rowgate: RowgateContext = Object.freeze({
    role: caller.role.name,
    variables: Object.freeze(Object.fromEntries(caller.variables)),
  });
  const receive = (bytes: number) => client.receive(bytes);
  const request: OperationRequest = { caller, headers, query, signal, receive };
  return {
    [service.pgSettingsKey]: client.pgSettings,
    [service.withPgClientKey]: client.withPgClient,
    rowgate,
    rowgateSignal: signal,
    [requestContext]: request,
  };
}

/**
 * Returns the parts of an operation that only Rowgate's own plugins may use. @throws Error when the gateway has not
 * started the operation
 */
export function requestOf(context: Grafast.Context): OperationRequest {
  const found = context[requestContext];
  if (found) return found;
  throw new Error('the operation has no caller');
}
