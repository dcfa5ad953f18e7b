import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** The current use of a connection: idle (`nothing`), an HTTP request, or a WebSocket (`socket`). */
type Use = IncomingMessage | 'nothing' | 'socket';

/**
 * Limits the number of open connections of a server. Each connection uses a file descriptor, and without a free
 * descriptor the process cannot connect to the database either. Above the limit, the server closes the connection that
 * has waited longest for a complete request. When all other connections have a request in progress, the server closes
 * the new connection.
 */
export function boundConnections(server: Server, max: number): void {
  // A Map keeps insertion order, so the oldest connection comes first.
  const connections = new Map<Socket, Use>();
  const use = (socket: Socket, next: Use) => {
    connections.delete(socket);
    if (!socket.destroyed) connections.set(socket, next);
  };
  server.on('connection', (socket) => {
    use(socket, 'nothing');
    socket.once('close', () => connections.delete(socket));
    if (connections.size > max) closeOldest(connections);
  });
  server.on('request', (request, response) => {
    connections.set(request.socket, request);
    response.on('close', () => use(request.socket, 'nothing'));
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
