import type { Response } from 'express';
import { shownTypes } from '../shown-types.ts';

/** A page of its own, apart from ours, that may do nothing. */
const sandbox = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox";

/** Says how a file is to be taken: as what it is, saved under its name unless it is safe to show. */
export function setDisposition(
  response: Response,
  { contentType, originalName }: { readonly contentType: string; readonly originalName: string },
): void {
  response.attachment(originalName);
  const attachment = response.get('Content-Disposition') ?? 'attachment';
  // Of text, only the kind that is nothing but text.
  const isShown = shownTypes.has(contentType) || contentType === 'text/plain';
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader(
    'Content-Disposition',
    isShown ? attachment.replace(/^attachment/, 'inline') : attachment,
  );
  response.setHeader('Content-Security-Policy', sandbox);
  // Not by Express, which would name a character set of its own for others.
  response.setHeader(
    'Content-Type',
    contentType === 'text/plain' ? 'text/plain; charset=utf-8' : contentType,
  );
}
