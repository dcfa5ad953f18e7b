import { domainToASCII } from 'node:url';

/** A valid mail address. */
export interface MailAddress {
  /** The part before the @. */
  readonly local: string;
  /** The domain in ASCII (punycode), as in the DNS. */
  readonly domain: string;
}

/** Maximum lengths from RFC 5321, in bytes. */
const maxBytes = { local: 64, domain: 253, whole: 254 };
/** Atoms of RFC 5322 and non-ASCII letters of RFC 6531. Quoted local parts are refused, because they are not in use. */
const localPart =
  /^[\w!#$%&'*+/=?^`{|}~\u00a1-\u{10ffff}-]+(\.[\w!#$%&'*+/=?^`{|}~\u00a1-\u{10ffff}-]+)*$/u;
const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;
/**
 * The characters that a domain may contain. The check runs before `domainToASCII`, which parses its input like the host
 * of a URL: it would ignore everything after a slash and decode `%2e` to a dot.
 */
const domainText = /^[\p{L}\p{M}\p{N}.\u3002\uff0e\uff61-]+$/u;
const numeric = /\.\d+$/;
const unprintable = /[\p{C}\p{Z}]/u;

/** Parses one address. Returns undefined for anything else, such as display names, lists and line ends. */
export function parseMailAddress(text: string): MailAddress | undefined {
  const at = text.lastIndexOf('@');
  const local = text.slice(0, Math.max(at, 0));
  if (!localPart.test(local) || unprintable.test(text)) return undefined;
  const given = text.slice(at + 1);
  const domain = domainText.test(given) ? domainToASCII(given) : '';
  // Refuses IP addresses, which are not valid mail domains here. `domainToASCII` has already written them with numbers
  // only.
  if (numeric.test(domain)) return undefined;
  if (!domain.split('.').every((part) => label.test(part))) return undefined;
  const bytes = Buffer.byteLength(local);
  const fits = bytes <= maxBytes.local && domain.length <= maxBytes.domain;
  return fits && bytes + 1 + domain.length <= maxBytes.whole ? { local, domain } : undefined;
}
