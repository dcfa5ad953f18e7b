import type { Caller } from '../../caller/authenticate.ts';
import type { RequestCaller } from '../../graphql/request/request-caller.ts';
import type { ServiceNames } from '../preset/user-preset.ts';
import type { OperationClient } from './operation-client.ts';

/** The parts of an operation that plugins may know, under `rowgate` in Grafast's context. */
export interface RowgateContext {
  readonly role: string;
  /** Session variables by setting name after `gql.`. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Further parts that Rowgate's own plugins know. */
export interface OperationRequest {
  readonly caller: Caller;
  /** By lower-case name. */
  readonly headers: NonNullable<RequestCaller['headers']>;
  /** The document of the client. */
  readonly query: string;
  /** Aborts when the client has given up. */
  readonly signal: AbortSignal | undefined;
  /** Counts bytes of the answer that Postgres does not send; false where there is no memory for them. */
  readonly receive: (bytes: number) => boolean;
}

/** Where a Grafast context holds it: headers of clients are not for the user's plugins to come across. */
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
  /** The document of the client. */
  readonly query: string;
  /** Aborts when the client has given up. Plugins find it under `rowgateSignal`. */
  readonly signal: AbortSignal | undefined;
}

/** Grafast's context of one operation: the caller, and the one way to the database. */
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

/** @throws Error where the operation was not begun by a gateway */
export function requestOf(context: Grafast.Context): OperationRequest {
  const found = context[requestContext];
  if (found) return found;
  throw new Error('the operation has no caller');
}
