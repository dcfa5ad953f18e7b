import type { Letter } from '../../../mail/postman.ts';
import type { Format } from '../../../rendering/format.ts';
import { nameToGreet } from '../name-to-greet.ts';

/** A letter in plain words. */
export interface PlainLetter {
  readonly key: string;
  readonly to: readonly string[];
  readonly subject: string;
  /** Who is written to; absent: nobody by name. */
  readonly name?: string | null;
  readonly text: string;
  /** Terms with what each of them is; those without a value are left out. */
  readonly facts?: readonly (readonly [string, string | null | undefined])[];
  readonly link?: { readonly text: string; readonly url: string };
}

/** The letter as the outbox takes it. */
export function makeLetter(plain: PlainLetter, format: Format): Letter {
  const { key, to, subject, text, link } = plain;
  const name = nameToGreet(plain.name);
  const items = (plain.facts ?? []).flatMap(([term, value]) => (value ? [{ term, value }] : []));
  return {
    key,
    to,
    subject,
    document: {
      title: subject,
      heading: subject,
      // The words are English; the locale decides how numbers and dates are written.
      language: format.locale.startsWith('en') ? format.locale : 'en',
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
