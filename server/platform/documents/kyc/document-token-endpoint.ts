import type { Request } from 'express';
import { Type } from 'typebox';
import { Refusal } from '../../../http/answers/problem.ts';
import { orUnavailable } from '../../../http/answers/unavailable.ts';
import { disconnectSignal } from '../../../http/connections/disconnect-signal.ts';
import type { Access } from '../../../http/endpoint/access.ts';
import { defineEndpoint, type Endpoint } from '../../../http/endpoint/define-endpoint.ts';
import { issuedTokenBody, issuedTokenSchema } from '../../accounts/issued-token.ts';
import type { SignedInUser, User } from '../../accounts/user.ts';
import { tokensTag } from '../../api-tags.ts';
import { isUuid } from '../../uuid.ts';
import { callersOfPerson } from '../read/document-callers.ts';
import type { Reader } from '../read/row-reader.ts';
import type { DocumentTokenServices } from './document-token.ts';
import { findFileLocation } from './file-location.ts';

export interface TokenEndpointServices extends DocumentTokenServices {
  readonly signedIn: Access<SignedInUser>;
  readonly reader: Reader;
}

/** Makes the endpoint that issues a token for the file of a document that the person may see. */
export function makeTokenEndpoint(services: TokenEndpointServices): Endpoint {
  const { signedIn, reader, tokens, pool, logger } = services;
  return defineEndpoint({
    method: 'post',
    path: '/kyc/documents/{documentId}/token',
    operationId: 'issueKycDocumentToken',
    tag: tokensTag,
    summary: 'issue a token for the file of a KYC document',
    description:
      'For people who may see the document in the requested role, or in any of their roles. The token is a JWT for this file only, valid for 5 minutes. It is not a Bearer token.',
    access: signedIn,
    params: Type.Object({ documentId: Type.String({ description: 'The id of the document' }) }),
    answers: {
      200: {
        description: 'The token',
        content: { 'application/json': issuedTokenSchema },
      },
      404: { description: 'The document does not exist, or the role may not see it' },
      409: { description: 'The provider has no file for this document' },
    },
    handle: async ({ who: { user }, params, request }, response) => {
      const documentId = params.documentId.toLowerCase();
      const signal = disconnectSignal(response, notFound);
      const role = await roleThatSees(documentId, user, request, { reader, signal });
      if (role === undefined) throw notFound();
      const location = await orUnavailable(findFileLocation(pool, documentId), logger);
      if (!location) throw withoutFile();
      const claims = { ...location, sub: user.id, role, documentId };
      const token = await orUnavailable(tokens.issue(claims), logger);
      response.set('Cache-Control', 'no-store').json(issuedTokenBody(token));
    },
  });
}

/** Returns the first role in which the person may see the document, if any. */
async function roleThatSees(
  id: string,
  user: User,
  request: Request,
  { reader, signal }: { readonly reader: Reader; readonly signal: AbortSignal },
): Promise<string | undefined> {
  const callers = callersOfPerson(request, user, reader.model());
  if (!isUuid(id)) return undefined;
  for (const caller of callers) {
    const found = await reader.read(
      caller,
      (rows) => rows.select({ table: 'kyc_document', where: { id }, limit: 1 }),
      signal,
    );
    if (found?.length) return caller.role.name;
  }
  return undefined;
}

/**
 * Makes the refusal. It is the same for missing and for hidden documents, so that it does not reveal which documents
 * exist.
 */
function notFound(): Refusal {
  const detail = 'the document does not exist, or you may not see it';
  return new Refusal({ status: 404, code: 'not-found', detail });
}

function withoutFile(): Refusal {
  const detail = 'the provider has no file for this document; an uploaded file has its own URL';
  return new Refusal({ status: 409, code: 'no-provider-file', detail });
}
