import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * A step of all requests, whether Express or a direct handler answers them. It calls `next` unless it has answered.
 * @param path the path without the query
 */
export type FirstStep = (
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  next: () => void,
) => void;
