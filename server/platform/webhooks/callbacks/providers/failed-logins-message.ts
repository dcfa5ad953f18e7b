import type { Message } from '../../../../mail/mailer.ts';
import type { Format } from '../../../../rendering/format.ts';
import { nameToGreet } from '../../name-to-greet.ts';

/** The facts that `rowgate_webhooks.warn_of_failures` returns. */
interface FailedLogins {
  readonly userId: string;
  readonly email: string;
  readonly name: string | null;
  readonly failures: number;
  /** ISO 8601. */
  readonly lastAt: string;
  /** The time zone of the person's organization. */
  readonly timeZone: string;
}

/** Makes the mail that warns a person of failed sign-ins. It contains no text from the sign-in attempts. */
export function failedLoginsMessage(facts: unknown, format: Format): Message {
  const { userId, email, failures, lastAt, timeZone, ...person } = facts as FailedLogins;
  const name = nameToGreet(person.name);
  return {
    key: `failed-logins/${userId}/${lastAt}`,
    to: [email],
    subject: 'Several attempts to sign in as you failed',
    document: {
      title: 'Several attempts to sign in as you failed',
      heading: 'Was this you?',
      language: format.locale,
      parties: [],
      modifiedAt: lastAt,
      blocks: [
        { kind: 'paragraph', text: name ? `Hello ${name},` : 'Hello,' },
        {
          kind: 'paragraph',
          text: 'Somebody has tried to sign in as you within a quarter of an hour, and failed.',
        },
        {
          kind: 'facts',
          items: [
            { term: 'Failed attempts', value: format.number(String(failures)) },
            { term: 'Last one', value: format.inZone(timeZone).dateTime(lastAt) },
          ],
        },
        {
          kind: 'paragraph',
          text: 'If it was you, there is nothing to do. If it was not, change your password, and add a second factor if you have none.',
        },
      ],
    },
  };
}
