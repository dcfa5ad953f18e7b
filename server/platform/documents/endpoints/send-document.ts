import type { Request, Response } from 'express';
import { isUnchanged } from '../../../http/is-unchanged.ts';
import { Refusal } from '../../../http/problem.ts';
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

/** Sends a document in one of its formats, or 304 where the client has it. */
export type SendDocument = (
  printed: Printed,
  format: DocumentFormat,
  request: Request,
  response: Response,
) => Promise<void>;

/** What it takes to make documents into bytes. */
export interface Look {
  readonly brand: Brand;
  readonly renderer: PdfRenderer;
}

/** The function returned throws Refusal 503 where too many documents wait to be made. */
export function makeSendDocument({ brand, renderer }: Look): SendDocument {
  const entityTag = makeEntityTags(brand);
  const make = async (document: PrintedDocument, format: DocumentFormat) =>
    format === 'html' ? renderHtml(document, brand) : renderPdf(renderer, document);
  return async ({ document, name, lastModified }, format, request, response) => {
    response.set('ETag', entityTag(document, format));
    if (lastModified) response.set('Last-Modified', lastModified.toUTCString());
    // With a 304 too, whose headers browsers take for those of the page that they have.
    if (format === 'html') response.set('Content-Security-Policy', htmlSecurityPolicy);
    if (isUnchanged(request, response)) return void response.status(304).end();
    // Its length is only known once it is made, which asking for the head alone is not worth.
    const body =
      request.method === 'HEAD' ? '' : await make(document, format).catch(unnamed(response));
    response.set('Content-Disposition', `inline; filename="${safeName(name)}.${format}"`);
    response.set('Content-Language', document.language);
    response.type(format);
    if (request.method === 'HEAD') return void response.end();
    response.send(body);
  };
}

/** An answer that says why there is no document must not carry its name. */
function unnamed(response: Response): (error: unknown) => never {
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

/** Before anything is read for a document that would not be made. @throws Refusal 503 */
export function refuseWhileFull({ isFull }: PdfRenderer): void {
  if (isFull) throw tooManyDocuments();
}

function tooManyDocuments(): Refusal {
  return new Refusal({
    status: 503,
    code: 'too-many-documents',
    detail: 'too many documents are being made at the moment; try again',
    headers: { 'Retry-After': '1' },
  });
}

function tooLarge(): Refusal {
  const detail = 'there is more in the document than can be made a PDF of';
  return new Refusal({ status: 422, code: 'document-too-large', detail });
}

const longestName = 100;

/** What every file system takes, and no header is broken by. */
function safeName(name: string): string {
  const safe = name
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replaceAll(/\.{2,}/g, '.')
    .slice(0, longestName)
    .replaceAll(/^[-.]+|[-.]+$/g, '');
  return safe === '' ? 'document' : safe;
}
