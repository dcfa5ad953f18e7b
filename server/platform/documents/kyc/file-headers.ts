import { shownTypes } from '../shown-types.ts';
import type { ProviderFile } from './kyc-provider.ts';

/** Types that are sent with their name, but that browsers must save instead of displaying. */
const savedTypes: ReadonlyMap<string, string> = new Map([
  ['image/heic', 'heic'],
  ['image/heif', 'heif'],
  ['image/tiff', 'tif'],
  ['image/bmp', 'bmp'],
]);

/** Returns the headers of a provider's file. They prevent browsers from treating the file as a page of the platform. */
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
    // Pages on any site may show the file, because the URL contains the token.
    'Cross-Origin-Resource-Policy': 'cross-origin',
  };
}
