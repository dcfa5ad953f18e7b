import { decodeAnswer } from '../../answer-text.ts';
import type { Answer } from '../../handle-request.ts';
import { isJsonObject, type Json } from '../../json.ts';
import { errorBody, errorList, errorObject, type RequestError } from '../../request-error.ts';

/** A message of a client, in either protocol. */
export interface ClientMessage {
  readonly type: string;
  /** Id of an operation; empty when the message concerns no operation. */
  readonly id: string;
  readonly payload: Json | undefined;
}

/** A protocol of GraphQL over WebSockets. */
export interface Protocol {
  /** Name of the WebSocket subprotocol. */
  readonly name: string;
  /** Types of the messages that a client may send. */
  readonly types: ReadonlySet<string>;
  /**
   * Whether payloads must be objects, ids must differ, and operations must wait for `connection_ack`. Otherwise an
   * operation replaces the running one with the same id.
   */
  readonly isStrict: boolean;
  /** A message that follows `connection_ack` and is repeated with each ping. */
  readonly keepAlive: string | undefined;
  /** Type of the message that carries the data of an operation. */
  readonly dataType: string;
  /** Writes the payload of the message about a failed operation. */
  readonly errorPayload: (error: RequestError) => string;
  /** Writes the message before the server closes a socket; undefined when the close code suffices. */
  readonly refusal: (error: RequestError) => string | undefined;
}

/** https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md */
export const transportProtocol: Protocol = {
  name: 'graphql-transport-ws',
  types: new Set(['connection_init', 'subscribe', 'complete', 'ping', 'pong']),
  isStrict: true,
  keepAlive: undefined,
  dataType: 'next',
  errorPayload: errorList,
  refusal: () => undefined,
};

/**
 * The older protocol, of the library subscriptions-transport-ws. Its subprotocol is confusingly named `graphql-ws`,
 * like the library of the newer protocol.
 * https://github.com/apollographql/subscriptions-transport-ws/blob/master/PROTOCOL.md
 */
const legacyProtocol: Protocol = {
  name: 'graphql-ws',
  types: new Set(['connection_init', 'start', 'stop', 'connection_terminate']),
  isStrict: false,
  keepAlive: '{"type":"ka"}',
  dataType: 'data',
  errorPayload: errorBody,
  refusal: (error) => `{"type":"connection_error","payload":${errorObject(error)}}`,
};

/** The protocols by subprotocol name. */
export const protocols: ReadonlyMap<string, Protocol> = new Map(
  [transportProtocol, legacyProtocol].map((protocol) => [protocol.name, protocol]),
);

const typesWithId = new Set(['subscribe', 'complete', 'start', 'stop']);

/** Reads a message of a client. Returns undefined for a message that is not part of the protocol. */
export function readMessage(json: Json, { types, isStrict }: Protocol): ClientMessage | undefined {
  if (!isJsonObject(json)) return undefined;
  const { type, id, payload } = json;
  if (typeof type !== 'string' || !types.has(type)) return undefined;
  if (typesWithId.has(type) && (typeof id !== 'string' || (isStrict && id === '')))
    return undefined;
  if (isStrict && !isJsonObject(payload) && !mayLackPayload(type, payload)) return undefined;
  return { type, id: typeof id === 'string' ? id : '', payload };
}

function mayLackPayload(type: string, payload: Json | undefined): boolean {
  return type === 'complete' || (type !== 'subscribe' && (payload ?? null) === null);
}

/** Returns the messages that answer an operation; they contain the text of the answer unchanged. */
export function answerMessages(
  protocol: Protocol,
  id: string,
  { text, error }: Answer,
): readonly string[] {
  if (error) return [errorMessage(protocol, id, error)];
  return [
    dataMessage(protocol, id, decodeAnswer(text)),
    `{"id":${JSON.stringify(id)},"type":"complete"}`,
  ];
}

/** Returns the message with one response of an operation. */
export function dataMessage({ dataType }: Protocol, id: string, response: string): string {
  return `{"id":${JSON.stringify(id)},"type":"${dataType}","payload":${response}}`;
}

/** Returns the message that ends an operation with an error. */
export function errorMessage({ errorPayload }: Protocol, id: string, error: RequestError): string {
  return `{"id":${JSON.stringify(id)},"type":"error","payload":${errorPayload(error)}}`;
}
