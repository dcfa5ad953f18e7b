import { errorBody, errorObject } from '../../request-error.ts';
import type { ClientMessage, Protocol, RawMessage } from './protocol.ts';

/**
 * The older protocol, of Apollo's subscriptions-transport-ws. Its name is that of the library which speaks the other one.
 * https://github.com/apollographql/subscriptions-transport-ws/blob/master/PROTOCOL.md
 */
export const apolloProtocol: Protocol = {
  name: 'graphql-ws',
  // Its clients send what is to be sent as soon as the socket is open.
  mayHurry: true,
  replaces: true,
  keepAlive: '{"type":"ka"}',
  read,
  result: (id, text) => {
    const name = JSON.stringify(id);
    return [`{"id":${name},"type":"data","payload":${text}}`, `{"id":${name},"type":"complete"}`];
  },
  failure: (id, error) =>
    `{"id":${JSON.stringify(id)},"type":"error","payload":${errorBody(error)}}`,
  refusal: (error) => `{"type":"connection_error","payload":${errorObject(error)}}`,
};

function read({ type, id, payload }: RawMessage): ClientMessage | undefined {
  switch (type) {
    case 'connection_init':
      return { kind: 'init', payload };
    case 'start':
      return typeof id === 'string' ? { kind: 'start', id, payload } : undefined;
    case 'stop':
      return typeof id === 'string' ? { kind: 'stop', id } : undefined;
    case 'connection_terminate':
      return { kind: 'end' };
    default:
      return undefined;
  }
}
