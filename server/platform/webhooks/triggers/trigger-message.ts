import type { Message } from '../../../mail/mailer.ts';
import type { Format } from '../../../rendering/format.ts';
import { languageOf } from '../../document-language.ts';
import { nameToGreet } from '../name-to-greet.ts';

/** The parts of a mail to a person. */
export interface MessageParts {
  readonly key: string;
  readonly to: readonly string[];
  readonly subject: string;
  /** The name for the greeting; absent: a general greeting. */
  readonly name?: string | null;
  readonly text: string;
  /** Pairs of term and value. Pairs without a value are omitted. */
  readonly facts?: readonly (readonly [string, string | null | undefined])[];
  readonly link?: { readonly text: string; readonly url: string };
}

/** Makes the mail from its parts, for the outbox. */
export function makeMessage(parts: MessageParts, format: Format): Message {
  const { key, to, subject, text, link } = parts;
  const name = nameToGreet(parts.name);
  const items = (parts.facts ?? []).flatMap(([term, value]) => (value ? [{ term, value }] : []));
  return {
    key,
    to,
    subject,
    document: {
      title: subject,
      heading: subject,
      language: languageOf(format),
      parties: [],
      blocks: [
        { kind: 'paragraph', text: name ? `Dear ${name},` : 'Good day,' },
        { kind: 'paragraph', text },
        ...(items.length > 0 ? [{ kind: 'facts' as const, items }] : []),
        ...(link ? [{ kind: 'link' as const, ...link }] : []),
      ],
      modifiedAt: new Date().toISOString(),
    },
  };
}
