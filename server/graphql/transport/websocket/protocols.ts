import type { Answer } from '../../handle-request.ts';
import { isJsonObject, type Json } from '../../json.ts';
import { errorBody, errorList, errorObject, type RequestError } from '../../request-error.ts';

type Kind = 'init' | 'start' | 'stop' | 'ping' | 'pong' | 'end';

/** A message of a client, in either protocol. */
export interface ClientMessage {
  readonly kind: Kind;
  /** Of an operation; empty for messages about none. */
  readonly id: string;
  readonly payload: Json | undefined;
}

/** A protocol of GraphQL over a WebSocket. */
export interface Protocol {
  readonly name: string;
  /** The types of a client's messages. */
  readonly kinds: ReadonlyMap<string, Kind>;
  /**
   * Whether payloads must be objects, ids must differ, and operations must wait for the acknowledgement. Else an
   * operation takes the place of the one with its id, which is then not answered.
   */
  readonly isStrict: boolean;
  /** Follows the acknowledgement and is repeated from time to time. */
  readonly keepAlive: string | undefined;
  /** The type of the message that carries the data of an operation. */
  readonly dataType: string;
  /** The payload of the message about a failed operation. */
  readonly errorPayload: (error: RequestError) => string;
  /** The message before the socket is closed; undefined where the close code is all. */
  readonly refusal: (error: RequestError) => string | undefined;
}

/**
 * The protocol of most clients of today, which the library graphql-ws introduced.
 * https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md
 */
const transportProtocol: Protocol = {
  name: 'graphql-transport-ws',
  kinds: new Map([
    ['connection_init', 'init'],
    ['subscribe', 'start'],
    ['complete', 'stop'],
    ['ping', 'ping'],
    ['pong', 'pong'],
  ]),
  isStrict: true,
  keepAlive: undefined,
  dataType: 'next',
  errorPayload: errorList,
  refusal: () => undefined,
};

/**
 * The older protocol, of Apollo's subscriptions-transport-ws, whose subprotocol is named like that other library. Its
 * clients send operations as soon as the socket is open.
 * https://github.com/apollographql/subscriptions-transport-ws/blob/master/PROTOCOL.md
 */
const apolloProtocol: Protocol = {
  name: 'graphql-ws',
  kinds: new Map([
    ['connection_init', 'init'],
    ['start', 'start'],
    ['stop', 'stop'],
    ['connection_terminate', 'end'],
  ]),
  isStrict: false,
  keepAlive: '{"type":"ka"}',
  dataType: 'data',
  errorPayload: errorBody,
  refusal: (error) => `{"type":"connection_error","payload":${errorObject(error)}}`,
};

/** By subprotocol. */
export const protocols: ReadonlyMap<string, Protocol> = new Map(
  [transportProtocol, apolloProtocol].map((protocol) => [protocol.name, protocol]),
);

/** Returns undefined for a message that the protocol does not have. */
export function readMessage(json: Json, { kinds, isStrict }: Protocol): ClientMessage | undefined {
  if (!isJsonObject(json) || typeof json.type !== 'string') return undefined;
  const { type, id, payload } = json;
  const kind = kinds.get(type);
  if (kind === undefined) return undefined;
  const isOfOperation = kind === 'start' || kind === 'stop';
  if (isOfOperation && (typeof id !== 'string' || (isStrict && id === ''))) return undefined;
  if (isStrict && !isPayload(kind, payload)) return undefined;
  return { kind, id: typeof id === 'string' ? id : '', payload };
}

function isPayload(kind: Kind, payload: Json | undefined): boolean {
  if (kind === 'start') return isJsonObject(payload);
  return kind === 'stop' || payload === undefined || payload === null || isJsonObject(payload);
}

/** Writes the answer to an operation. The text of the answer stands in it as it is. */
export function answerMessages(
  { dataType, errorPayload }: Protocol,
  id: string,
  { text, error }: Answer,
): readonly string[] {
  const name = JSON.stringify(id);
  if (error) return [`{"id":${name},"type":"error","payload":${errorPayload(error)}}`];
  return [
    `{"id":${name},"type":"${dataType}","payload":${text}}`,
    `{"id":${name},"type":"complete"}`,
  ];
}
