import type { Link } from './model.ts';

/** Returns true for http and https URLs. Excludes scripts and URLs that depend on the reader's location. */
export function isWebAddress(url: string): boolean {
  return /^https?:$/.test(URL.parse(url)?.protocol ?? '');
}

/** Formats a link as text, for places where a link cannot be used. */
export function linkLine({ text, url }: Link): string {
  return [text, url].filter((part) => part !== '').join(': ');
}
