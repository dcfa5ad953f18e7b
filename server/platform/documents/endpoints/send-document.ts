import type { Request, Response } from 'express';
import { isUnchanged } from '../../../http/answers/is-unchanged.ts';
import { Refusal } from '../../../http/answers/problem.ts';
import type { Brand } from '../../../rendering/brand.ts';
import { htmlSecurityPolicy, renderHtml } from '../../../rendering/html/render-html.ts';
import type { PrintedDocument } from '../../../rendering/model.ts';
import { DocumentTooLarge } from '../../../rendering/pdf/document-size.ts';
import {
  type PdfRenderer,
  RenderQueueFull,
  RenderTimedOut,
} from '../../../rendering/pdf/pdf-renderer.ts';
import type { Printed } from '../print/printed.ts';
import { type DocumentFormat, makeEntityTags } from './entity-tag.ts';

/** Sends a document in one of its formats, or 304 when the client has the current version. */
export type SendDocument = (
  printed: Printed,
  format: DocumentFormat,
  request: Request,
  response: Response,
) => Promise<void>;

/** The brand and the renderer of documents. */
export interface Look {
  readonly brand: Brand;
  readonly renderer: PdfRenderer;
}

/**
 * Makes the function that sends documents. The function throws Refusal 503 when too many documents wait for the
 * renderer.
 */
export function makeSendDocument({ brand, renderer }: Look): SendDocument {
  const entityTag = makeEntityTags(brand);
  const make = async (document: PrintedDocument, format: DocumentFormat) =>
    format === 'html' ? renderHtml(document, brand) : renderPdf(renderer, document);
  return async ({ document, name, lastModified }, format, request, response) => {
    response.set('ETag', entityTag(document, format));
    if (lastModified) response.set('Last-Modified', lastModified.toUTCString());
    // Also set on a 304, because browsers replace the headers of the cached page by the headers of the 304.
    if (format === 'html') response.set('Content-Security-Policy', htmlSecurityPolicy);
    if (isUnchanged(request, response)) return void response.status(304).end();
    // HEAD does not render the document, so it has no Content-Length.
    const body =
      request.method === 'HEAD'
        ? ''
        : await make(document, format).catch(rethrowWithoutHeaders(response));
    response.set('Content-Disposition', `inline; filename="${safeName(name)}.${format}"`);
    response.set('Content-Language', document.language);
    response.type(format);
    if (request.method === 'HEAD') return void response.end();
    response.send(body);
  };
}

/** Removes the document's headers before an error is answered, and throws the error again. */
function rethrowWithoutHeaders(response: Response): (error: unknown) => never {
  return (error) => {
    response.removeHeader('ETag');
    response.removeHeader('Last-Modified');
    throw error;
  };
}

async function renderPdf(renderer: PdfRenderer, document: PrintedDocument): Promise<Buffer> {
  try {
    return Buffer.from(await renderer.render(document));
  } catch (error) {
    if (error instanceof RenderQueueFull) throw tooManyDocuments();
    if (error instanceof DocumentTooLarge || error instanceof RenderTimedOut) throw tooLarge();
    throw error;
  }
}

/**
 * Refuses the request before any read when the renderer's queue is full.
 * @throws Refusal 503
 */
export function refuseWhileFull({ isFull }: PdfRenderer): void {
  if (isFull) throw tooManyDocuments();
}

function tooManyDocuments(): Refusal {
  return new Refusal({
    status: 503,
    code: 'too-many-documents',
    detail: 'too many documents are being rendered at the moment; try again',
    headers: { 'Retry-After': '1' },
  });
}

function tooLarge(): Refusal {
  const detail = 'the document has too much text for a PDF';
  return new Refusal({ status: 422, code: 'document-too-large', detail });
}

const maxNameLength = 100;

/** Makes a name that is valid in every file system and in a header. */
function safeName(name: string): string {
  const safe = name
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replaceAll(/\.{2,}/g, '.')
    .slice(0, maxNameLength)
    .replaceAll(/^[-.]+|[-.]+$/g, '');
  return safe === '' ? 'document' : safe;
}
