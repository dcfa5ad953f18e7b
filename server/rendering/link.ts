import type { Link } from './model.ts';

/** Whether a link can be followed: nothing that runs, and nothing that depends on where the reader is. */
export function isWebAddress(url: string): boolean {
  return /^https?:$/.test(URL.parse(url)?.protocol ?? '');
}

/** A link where only text can stand. */
export function linkLine({ text, url }: Link): string {
  return [text, url].filter((part) => part !== '').join(': ');
}
