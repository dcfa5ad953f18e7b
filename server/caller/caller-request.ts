import type { IncomingMessage } from 'node:http';

/** The parts of an HTTP request that identify its caller. Requests of Express and upgrade requests have them too. */
export interface CallerRequest
  extends Pick<IncomingMessage, 'method' | 'headers' | 'headersDistinct'> {
  /** The address of the client. Behind trusted proxies, the address that they report. */
  readonly ip?: string | undefined;
  /** The id of the request in the log. */
  readonly requestId?: string | undefined;
  /** The body, when it was read. */
  readonly body?: unknown;
}
