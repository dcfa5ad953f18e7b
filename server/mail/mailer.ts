import type pg from 'pg';
import type { PrintedDocument } from '../rendering/model.ts';

/** A mail to send once. */
export interface Message {
  /** What tells it from others, e.g. `receipt/<id>`: a letter whose key was there before is not sent again. */
  readonly key: string;
  /** E-mail addresses; none: nobody is to be written to, and nothing is stored. */
  readonly to: readonly string[];
  readonly subject: string;
  readonly document: PrintedDocument;
}

/** Takes letters into the outbox, in the caller's transaction. */
export interface Mailer {
  post(client: pg.ClientBase, letters: readonly Message[]): Promise<void>;
}
