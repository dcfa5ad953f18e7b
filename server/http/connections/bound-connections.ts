import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** What a connection is for at the moment: nothing yet, or no longer; a request; or another protocol. */
type Use = IncomingMessage | 'nothing' | 'socket';

/**
 * Bounds the connections of a server, each of which takes an open file: without any left the database cannot be asked
 * either. Above the bound the connection that has gone longest without a whole request is closed; it is the new one
 * itself where all others are being answered.
 */
export function boundConnections(server: Server, most: number): void {
  // A Map keeps its order: the oldest comes first.
  const connections = new Map<Socket, Use>();
  const use = (socket: Socket, next: Use) => {
    connections.delete(socket);
    if (!socket.destroyed) connections.set(socket, next);
  };
  server.on('connection', (socket) => {
    use(socket, 'nothing');
    socket.once('close', () => connections.delete(socket));
    if (connections.size > most) closeOldest(connections);
  });
  server.on('request', (request, response) => {
    connections.set(request.socket, request);
    response.once('close', () => use(request.socket, 'nothing'));
  });
  server.on('upgrade', ({ socket }) => connections.set(socket, 'socket'));
}

function closeOldest(connections: Map<Socket, Use>): void {
  for (const [socket, use] of connections) {
    if (use === 'socket' || (use !== 'nothing' && use.complete)) continue;
    connections.delete(socket);
    socket.destroy();
    return;
  }
}
