import type { TSchema } from 'typebox';
import type { Message } from '../../../../mail/mailer.ts';

export const providerNames = ['custody', 'card', 'kyc', 'identity'] as const;

export type ProviderName = (typeof providerNames)[number];

/** A provider: the checks and the identification of its callbacks, and the effect of a callback. */
export interface CallbackProvider {
  readonly name: ProviderName;
  /** The schema of one event. Further fields are accepted and stored. */
  readonly schema: TSchema;
  /**
   * Checks the conditions that the schema cannot express. Numbers in `exact` are decimal text, so that no digit is
   * lost. Returns the problem; undefined for a valid event.
   */
  problemOf(exact: unknown): string | undefined;
  /** Returns the provider's own id of an event; undefined: the database derives a key from its fields. */
  keyOf(value: unknown): string | undefined;
  /** The database function that applies an event. */
  readonly effect: string;
  /** Writes the mails that an effect requests, from the facts that it returns. */
  messagesAbout(facts: unknown): readonly Message[];
}
