import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import type pino from 'pino';
import { Type } from 'typebox';
import { Refusal } from '../../../http/answers/problem.ts';
import { defineEndpoint, type Endpoint } from '../../../http/endpoint/define-endpoint.ts';
import { documentsTag } from '../../api-tags.ts';
import {
  type DocumentGrant,
  type DocumentTokenServices,
  makeDocumentTokenAccess,
} from './document-token.ts';
import { fileHeaders } from './file-headers.ts';
import type { KycProvider } from './kyc-provider.ts';
import { ProviderError, refusalOf } from './provider-error.ts';

export interface FileEndpointServices extends DocumentTokenServices {
  /** Absent when no provider is configured. */
  readonly provider: KycProvider | undefined;
}

/** Makes the endpoint that sends the file of a KYC document to callers with a token for it. */
export function makeFileEndpoint(services: FileEndpointServices): Endpoint {
  const { provider, logger } = services;
  return defineEndpoint({
    method: 'get',
    path: '/kyc/documents/{documentId}/file',
    operationId: 'getKycDocumentFile',
    tag: documentsTag,
    summary: 'get the file of a KYC document from the provider',
    description:
      'The file is streamed from the provider. Images and PDFs have their own type, and all other files have the type `application/octet-stream`.',
    access: makeDocumentTokenAccess(services),
    params: Type.Object({ documentId: Type.String({ description: 'The id of the document' }) }),
    query: Type.Object({
      token: Type.String({
        description: 'The token from `POST /kyc/documents/{documentId}/token`',
      }),
    }),
    answers,
    handle: async ({ who }, response) => {
      if (!provider) throw notConfigured();
      const controller = new AbortController();
      response.once('close', () => controller.abort());
      // The connection may have closed before this listener was added.
      if (response.closed) return;
      try {
        await passOn(who, response, provider, controller.signal);
      } catch (error) {
        if (controller.signal.aborted && !response.headersSent) return;
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
      'Content-Disposition': '`inline` for types that browsers display safely, else `attachment`',
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
  signal: AbortSignal,
): Promise<void> {
  const file = await provider.open({ inspectionId, providerDocumentId }, signal);
  response.status(200).set(fileHeaders(documentId, file));
  // Destroying the response also aborts the request to the provider.
  if (response.req.method === 'HEAD') return void response.end();
  await pipeline(file.content, response);
}

/** Logs an error of a started answer, which `pipeline` has already aborted, and throws any other error. */
function throwOrLog(
  error: unknown,
  { documentId }: DocumentGrant,
  response: Response,
  logger: pino.Logger,
): void {
  const { requestId } = response.req;
  if (response.headersSent || error instanceof ProviderError) {
    logger.warn({ err: error, documentId, requestId }, 'a KYC file was not sent completely');
  }
  if (response.headersSent) return;
  throw error instanceof ProviderError ? refusalOf(error) : error;
}

function notConfigured(): Refusal {
  const detail =
    'no KYC provider is configured; the operator of this service has to set ROWGATE_KYC_BASE_URL and the related settings';
  return new Refusal({ status: 503, code: 'kyc-not-configured', detail });
}
