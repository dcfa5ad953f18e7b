import { shownTypes } from '../shown-types.ts';
import type { ProviderFile } from './provider.ts';

/** Types that are told as well, but to be saved. */
const savedTypes: ReadonlyMap<string, string> = new Map([
  ['image/heic', 'heic'],
  ['image/heif', 'heif'],
  ['image/tiff', 'tif'],
  ['image/bmp', 'bmp'],
]);

/** Headers of a file that came from elsewhere: a page of ours it must never become. */
export function fileHeaders(
  documentId: string,
  { contentType, size }: ProviderFile,
): Readonly<Record<string, string>> {
  const type = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const extension = shownTypes.get(type) ?? savedTypes.get(type);
  const disposition = shownTypes.has(type) ? 'inline' : 'attachment';
  return {
    'Content-Type': extension ? type : 'application/octet-stream',
    'Content-Disposition': `${disposition}; filename="kyc-document-${documentId}.${extension ?? 'bin'}"`,
    ...(size !== undefined && { 'Content-Length': String(size) }),
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'private, no-store',
    // Pages show it by its token, which says enough, wherever they are.
    'Cross-Origin-Resource-Policy': 'cross-origin',
  };
}
