import { domainToASCII } from 'node:url';

/** An address that mail can be sent to. */
export interface MailAddress {
  readonly local: string;
  /** In ASCII, as the name servers know it. */
  readonly domain: string;
}

/** RFC 5321's, in bytes. */
const longest = { local: 64, domain: 253, whole: 254 };
/** RFC 5322's atoms, and RFC 6531's letters beyond ASCII. Quoted ones are left out: nobody has such an address. */
const localPart =
  /^[\w!#$%&'*+/=?^`{|}~\u00a1-\u{10ffff}-]+(\.[\w!#$%&'*+/=?^`{|}~\u00a1-\u{10ffff}-]+)*$/u;
const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;
/** What domains are written in. The reader of domains is that of URLs, which ends at a slash and decodes `%2e`. */
const domainText = /^[\p{L}\p{M}\p{N}.\u3002\uff0e\uff61-]+$/u;
const numeric = /\.\d+$/;
const unprintable = /[\p{C}\p{Z}]/u;

/** Undefined for everything that could be more, or less, than one address: names, lists, line ends. */
export function parseMailAddress(text: string): MailAddress | undefined {
  const at = text.lastIndexOf('@');
  const local = text.slice(0, Math.max(at, 0));
  if (!localPart.test(local) || unprintable.test(text)) return undefined;
  const given = text.slice(at + 1);
  const domain = domainText.test(given) ? domainToASCII(given) : '';
  // A machine by its number is no domain of mail.
  if (numeric.test(domain)) return undefined;
  if (!domain.split('.').every((part) => label.test(part))) return undefined;
  const bytes = Buffer.byteLength(local);
  const fits = bytes <= longest.local && domain.length <= longest.domain;
  return fits && bytes + 1 + domain.length <= longest.whole ? { local, domain } : undefined;
}
