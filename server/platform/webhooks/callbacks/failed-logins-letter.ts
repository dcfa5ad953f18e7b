import type { Letter } from '../../../mail/postman.ts';
import type { Format } from '../../../rendering/format.ts';
import { nameToGreet } from '../name-to-greet.ts';

/** Of whom, as `rowgate_webhooks.warn_of_failures` tells it. */
interface FailedLogins {
  readonly userId: string;
  readonly email: string;
  readonly name: string | null;
  readonly failures: number;
  /** ISO 8601. */
  readonly lastAt: string;
}

/** Warns a person of attempts to sign in as them; nothing in it comes from whoever tried. */
export function failedLoginsLetter(subject: unknown, format: Format): Letter {
  const { userId, email, failures, lastAt, ...person } = subject as FailedLogins;
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
            { term: 'Last one', value: format.dateTime(lastAt) },
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
