import type { TSchema } from 'typebox';
import type { Letter } from '../../../mail/postman.ts';

export type ProviderName = 'custody' | 'card' | 'kyc' | 'identity';

/** What a provider's callbacks are, and what they do. */
export interface CallbackProvider {
  readonly name: ProviderName;
  /** What one event must hold; more may stand there, and is kept. */
  readonly schema: TSchema;
  /** What the schema cannot say: what is wrong with an event, whose numbers are decimal text. */
  problemOf(exact: unknown): string | undefined;
  /** The provider's own id of an event, where every event has one; undefined: the database makes a key of its fields. */
  keyOf(value: unknown): string | undefined;
  /** The function of the database that does what an event says. */
  readonly effect: string;
  /** The mails that an effect asks for, by what it says they are about. */
  lettersAbout(subject: unknown): readonly Letter[];
}
