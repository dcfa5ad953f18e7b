import type pg from 'pg';
import type { PrintedDocument } from '../rendering/model.ts';

/** A message that is sent once to each of its recipients. */
export interface Message {
  /** Identifies the message, e.g. `receipt/<id>`. A message with a known key is not sent again. */
  readonly key: string;
  /** E-mail addresses. For an empty list, nothing is stored. */
  readonly to: readonly string[];
  readonly subject: string;
  readonly document: PrintedDocument;
}

/** Stores messages in the outbox as part of the caller's transaction. */
export interface Mailer {
  post(client: pg.ClientBase, messages: readonly Message[]): Promise<void>;
}
