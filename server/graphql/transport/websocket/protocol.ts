import { isJsonObject, type Json } from '../../json.ts';
import type { RequestError } from '../../request-error.ts';

/** What a client says, in either protocol. */
export type ClientMessage =
  | { readonly kind: 'init'; readonly payload: Json | undefined }
  | { readonly kind: 'start'; readonly id: string; readonly payload: Json | undefined }
  | { readonly kind: 'stop'; readonly id: string }
  | { readonly kind: 'ping'; readonly payload: Json | undefined }
  | { readonly kind: 'pong' }
  | { readonly kind: 'end' };

/** The members of a message that say something. */
export interface RawMessage {
  readonly type: string;
  readonly id: Json | undefined;
  readonly payload: Json | undefined;
}

/** How messages are written. What the server says is text, since answers are. */
export interface Protocol {
  readonly name: string;
  /** Whether operations may come before the acknowledgement; they wait for it. */
  readonly mayHurry: boolean;
  /** Whether an operation takes the place of another one with its id, which is then not answered. */
  readonly replaces: boolean;
  /** What follows the acknowledgement and is said again from time to time. */
  readonly keepAlive: string | undefined;
  /** undefined for what the protocol does not know. */
  read(message: RawMessage): ClientMessage | undefined;
  /** Answers one operation. @param text of a response with data */
  result(id: string, text: string): readonly string[];
  failure(id: string, error: RequestError): string;
  /** What is said before the socket is closed; the modern one has the close code alone. */
  refusal(error: RequestError): string | undefined;
}

/** What a parsed message holds; undefined for what is none. */
export function rawMessage(json: Json): RawMessage | undefined {
  if (!isJsonObject(json)) return undefined;
  const { type, id, payload } = json;
  return typeof type === 'string' ? { type, id, payload } : undefined;
}
