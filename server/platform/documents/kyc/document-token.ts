import type pg from 'pg';
import type pino from 'pino';
import { Refusal } from '../../../http/answers/problem.ts';
import { orUnavailable } from '../../../http/answers/unavailable.ts';
import type { Access } from '../../../http/endpoint/access.ts';
import { inQuery, type SecurityScheme } from '../../../http/endpoint/security-scheme.ts';
import type { Purpose, PurposeTokens } from '../../accounts/purpose-tokens.ts';
import type { FileLocation } from './file-location.ts';

/** The token type, which distinguishes these tokens from all other tokens. */
export const documentTokenPurpose: Purpose = {
  type: 'kyc-document+jwt',
  lifetimeSeconds: 5 * 60,
};

const documentTokenScheme: SecurityScheme = {
  name: 'documentToken',
  object: inQuery(
    'token',
    'A token from `POST /kyc/documents/{documentId}/token`, for that document only.',
  ),
};

/** The claims of a token: its person, and the file that it opens. */
export interface DocumentGrant extends FileLocation {
  /** The id of the person to whom the token was issued. */
  readonly sub: string;
  /** The role in which the person may see the document. */
  readonly role: string;
  /** The platform's own id of the document, in lower case. */
  readonly documentId: string;
}

export interface DocumentTokenServices {
  readonly tokens: PurposeTokens;
  /** Connections of the sidecar login, with which the server accesses everything except the data API. */
  readonly pool: pg.Pool;
  readonly logger: pino.Logger;
}

/**
 * Makes the access check for a token in the query, for the document in the path. The token is valid until it expires,
 * or until its person or document changes.
 */
export function makeDocumentTokenAccess(services: DocumentTokenServices): Access<DocumentGrant> {
  const { tokens, pool, logger } = services;
  return {
    schemes: [documentTokenScheme],
    admit: async ({ query, params }) => {
      if (typeof query.token !== 'string' || query.token === '') throw missingToken();
      const grant = readGrant(await orUnavailable(tokens.verify(query.token), logger));
      if (!grant || grant.documentId !== String(params.documentId).toLowerCase())
        throw invalidToken();
      if (!(await orUnavailable(isStillValid(pool, grant), logger))) throw invalidToken();
      return grant;
    },
  };
}

function readGrant(
  claims: Readonly<Record<string, unknown>> | undefined,
): DocumentGrant | undefined {
  if (!claims) return undefined;
  const { sub, role, documentId, inspectionId, providerDocumentId } = claims;
  const grant = { sub, role, documentId, inspectionId, providerDocumentId };
  return isOfTexts(grant) ? grant : undefined;
}

function isOfTexts<K extends string>(
  given: Readonly<Record<K, unknown>>,
): given is Record<K, string> {
  return Object.values(given).every((value) => typeof value === 'string');
}

async function isStillValid(pool: pg.Pool, grant: DocumentGrant): Promise<boolean> {
  const { documentId, inspectionId, providerDocumentId, sub, role } = grant;
  const { rows } = await pool.query<{ readonly may: boolean }>({
    name: 'may_fetch_kyc_file',
    text: 'select rowgate_documents.may_fetch_kyc_file($1, $2, $3, $4, $5) as may',
    values: [documentId, inspectionId, providerDocumentId, sub, role],
  });
  return rows[0]?.may === true;
}

function missingToken(): Refusal {
  const detail =
    'send the token of the document as: ?token=…; POST /kyc/documents/<id>/token issues one';
  return new Refusal({ status: 401, code: 'unauthenticated', detail });
}

/** Makes the refusal, which is the same for every invalid token. Only the log contains the reason. */
function invalidToken(): Refusal {
  const detail = 'the token is not valid for this document, or has expired; request a new one';
  return new Refusal({ status: 401, code: 'invalid-token', detail });
}
