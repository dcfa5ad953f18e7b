import type pg from 'pg';
import type pino from 'pino';
import type { Access } from '../../../http/access.ts';
import { Refusal } from '../../../http/problem.ts';
import { orUnavailable } from '../../../http/unavailable.ts';
import type { Purpose, PurposeTokens } from '../../accounts/purpose-tokens.ts';
import type { Source } from './source.ts';

/** The type keeps a token from counting for anything else, and others from counting here. */
export const documentTokenPurpose: Purpose = {
  type: 'kyc-document+jwt',
  lifetimeSeconds: 5 * 60,
};

/** What a token says: whose it is, and which file it opens. */
export interface DocumentGrant extends Source {
  /** Of the person that it was issued to. */
  readonly sub: string;
  /** In which the person saw the document. */
  readonly role: string;
  /** The platform's own id of the document, in lower case. */
  readonly documentId: string;
}

export interface DocumentTokenServices {
  readonly tokens: PurposeTokens;
  /** Of the sidecar's login. */
  readonly pool: pg.Pool;
  readonly logger: pino.Logger;
}

/**
 * For whoever brings a token for the document of the path, in the query. It counts while it lasts, and while its person
 * and the document are what they were when it was issued.
 */
export function makeDocumentTokenAccess(services: DocumentTokenServices): Access<DocumentGrant> {
  const { tokens, pool, logger } = services;
  return {
    schemes: ['documentToken'],
    admit: async ({ query, params }) => {
      if (typeof query.token !== 'string' || query.token === '') throw missing();
      const grant = readGrant(await orUnavailable(tokens.verify(query.token), logger));
      if (!grant || grant.documentId !== String(params.documentId).toLowerCase()) throw invalid();
      if (!(await orUnavailable(stillCounts(pool, grant), logger))) throw invalid();
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

async function stillCounts(pool: pg.Pool, grant: DocumentGrant): Promise<boolean> {
  const { documentId, inspectionId, providerDocumentId, sub, role } = grant;
  const { rows } = await pool.query<{ readonly may: boolean }>({
    name: 'may_fetch_kyc_file',
    text: 'select rowgate_documents.may_fetch_kyc_file($1, $2, $3, $4, $5) as may',
    values: [documentId, inspectionId, providerDocumentId, sub, role],
  });
  return rows[0]?.may === true;
}

function missing(): Refusal {
  const detail =
    'send the token of the document as: ?token=…; POST /kyc/documents/<id>/token issues one';
  return new Refusal({ status: 401, code: 'unauthenticated', detail });
}

/** The same whatever is wrong; the log says more. */
function invalid(): Refusal {
  const detail = 'the token does not count for this document, or no longer; ask for another one';
  return new Refusal({ status: 401, code: 'invalid-token', detail });
}
