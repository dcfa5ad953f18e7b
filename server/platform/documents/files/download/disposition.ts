import type { Response } from 'express';
import { shownTypes } from '../../shown-types.ts';

/** Isolates a displayed file from the platform's origin and forbids scripts. */
const sandbox = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox";

/**
 * Sets the headers that decide whether a browser displays or saves a file. A file of a safe type is displayed; any
 * other file is saved under its name.
 */
export function setDisposition(
  response: Response,
  { contentType, originalName }: { readonly contentType: string; readonly originalName: string },
): void {
  response.attachment(originalName);
  const attachment = response.get('Content-Disposition') ?? 'attachment';
  // The only text type that browsers display is plain text.
  const isShown = shownTypes.has(contentType) || contentType === 'text/plain';
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader(
    'Content-Disposition',
    isShown ? attachment.replace(/^attachment/, 'inline') : attachment,
  );
  response.setHeader('Content-Security-Policy', sandbox);
  // Not set through Express, which would add a character set to other types.
  response.setHeader(
    'Content-Type',
    contentType === 'text/plain' ? 'text/plain; charset=utf-8' : contentType,
  );
}
