import { isJsonObject, type Json } from '../../json.ts';
import { errorList } from '../../request-error.ts';
import type { ClientMessage, Protocol, RawMessage } from './protocol.ts';

/**
 * The protocol of graphql-ws and most of today's clients.
 * https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md
 */
export const transportProtocol: Protocol = {
  name: 'graphql-transport-ws',
  mayHurry: false,
  replaces: false,
  keepAlive: undefined,
  read,
  result: (id, text) => {
    const name = JSON.stringify(id);
    return [`{"id":${name},"type":"next","payload":${text}}`, `{"id":${name},"type":"complete"}`];
  },
  failure: (id, error) =>
    `{"id":${JSON.stringify(id)},"type":"error","payload":${errorList(error)}}`,
  refusal: () => undefined,
};

function read({ type, id, payload }: RawMessage): ClientMessage | undefined {
  switch (type) {
    case 'connection_init':
      return holdsObject(payload) ? { kind: 'init', payload } : undefined;
    case 'subscribe':
      return isId(id) && isJsonObject(payload) ? { kind: 'start', id, payload } : undefined;
    case 'complete':
      return isId(id) ? { kind: 'stop', id } : undefined;
    case 'ping':
      return holdsObject(payload) ? { kind: 'ping', payload } : undefined;
    case 'pong':
      return holdsObject(payload) ? { kind: 'pong' } : undefined;
    default:
      return undefined;
  }
}

function isId(id: Json | undefined): id is string {
  return typeof id === 'string' && id !== '';
}

function holdsObject(payload: Json | undefined): boolean {
  return payload === undefined || payload === null || isJsonObject(payload);
}
