import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import type pino from 'pino';
import { Type } from 'typebox';
import { defineEndpoint, type Endpoint } from '../../../http/endpoint.ts';
import { Refusal } from '../../../http/problem.ts';
import {
  type DocumentGrant,
  type DocumentTokenServices,
  makeDocumentTokenAccess,
} from './document-token.ts';
import { fileHeaders } from './file-headers.ts';
import type { KycProvider } from './provider.ts';
import { ProviderError, refusalOf } from './provider-error.ts';

export interface FileEndpointServices extends DocumentTokenServices {
  /** Absent: none is configured. */
  readonly provider: KycProvider | undefined;
}

/** Where the file of a KYC document is, for whoever brings a token for it. */
export function makeFileEndpoint(services: FileEndpointServices): Endpoint {
  const { provider, logger } = services;
  return defineEndpoint({
    method: 'get',
    path: '/kyc/documents/{documentId}/file',
    operationId: 'getKycDocumentFile',
    tag: 'documents',
    summary: 'the file of a KYC document, as the provider keeps it',
    description:
      'It is fetched from the provider and passed on as it comes. Images and PDFs have their own type, everything else is `application/octet-stream`.',
    access: makeDocumentTokenAccess(services),
    params: Type.Object({ documentId: Type.String({ description: 'Id of the document' }) }),
    query: Type.Object({
      token: Type.String({ description: 'Of `POST /kyc/documents/{documentId}/token`' }),
    }),
    answers,
    handle: async ({ who }, response) => {
      if (!provider) throw notConfigured();
      const unwanted = new AbortController();
      response.once('close', () => unwanted.abort());
      // It may have been closed before anybody listened.
      if (response.closed) return;
      try {
        await passOn(who, response, provider, unwanted.signal);
      } catch (error) {
        if (unwanted.signal.aborted && !response.headersSent) return;
        throwOrLog(error, who, response, logger);
      }
    },
  });
}

const answers = {
  200: {
    description: 'The file',
    content: {
      'application/octet-stream': 'binary',
      'application/pdf': 'binary',
      'image/*': 'binary',
    },
    headers: {
      'Content-Disposition': '`inline` for what browsers show safely, else `attachment`',
      'Cache-Control': '`private, no-store`',
    },
  },
  404: { description: 'The provider does not have the file' },
  502: { description: 'The provider fails' },
  503: { description: 'No provider is configured, or the database does not answer' },
  504: { description: 'The provider does not answer in time' },
} as const;

async function passOn(
  { documentId, inspectionId, providerDocumentId }: DocumentGrant,
  response: Response,
  provider: KycProvider,
  unwanted: AbortSignal,
): Promise<void> {
  const file = await provider.open({ inspectionId, providerDocumentId }, unwanted);
  response.status(200).set(fileHeaders(documentId, file));
  // The end of the answer ends the provider's too.
  if (response.req.method === 'HEAD') return void response.end();
  await pipeline(file.content, response);
}

/** What has begun can only be broken off, which `pipeline` has done by then. */
function throwOrLog(
  error: unknown,
  { documentId }: DocumentGrant,
  response: Response,
  logger: pino.Logger,
): void {
  const { requestId } = response.locals;
  if (response.headersSent || error instanceof ProviderError) {
    logger.warn({ err: error, documentId, requestId }, 'a KYC file was not passed on');
  }
  if (response.headersSent) return;
  throw error instanceof ProviderError ? refusalOf(error) : error;
}

function notConfigured(): Refusal {
  const detail =
    'no KYC provider is configured here; whoever runs this service sets ROWGATE_KYC_BASE_URL and its like';
  return new Refusal({ status: 503, code: 'kyc-not-configured', detail });
}
