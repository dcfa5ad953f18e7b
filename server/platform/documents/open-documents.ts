import type pg from 'pg';
import type pino from 'pino';
import type { Model } from '../../../permissions/index.ts';
import { type Closers, openWhole } from '../../closers.ts';
import type { Access } from '../../http/endpoint/access.ts';
import type { Endpoint } from '../../http/endpoint/define-endpoint.ts';
import { makeFormat } from '../../rendering/format.ts';
import { openPdfRenderer } from '../../rendering/pdf/pdf-renderer.ts';
import type { Purpose, PurposeTokens } from '../accounts/purpose-tokens.ts';
import type { Admin, ApiKeyCaller, SignedInUser } from '../accounts/user.ts';
import type { PlatformConfig } from '../config/platform-config.ts';
import { makeLinkPages } from './endpoints/link-pages.ts';
import { makePrintedEndpoints } from './endpoints/printed-endpoints.ts';
import { openFiles } from './files/open-files.ts';
import { documentTokenPurpose } from './kyc/document-token.ts';
import { makeKycEndpoints } from './kyc/kyc-endpoints.ts';
import { openReader } from './read/row-reader.ts';
import { makeSparklineEndpoint } from './sparkline/sparkline-endpoint.ts';

/** The authentication of callers of documents. */
export interface DocumentCallers {
  readonly signedIn: Access<SignedInUser>;
  readonly admin: Access<Admin>;
  /** Authenticates programs that read cases. */
  readonly caseReader: Access<ApiKeyCaller>;
  purposeTokens(purpose: Purpose): PurposeTokens;
}

export interface DocumentsOptions {
  readonly config: PlatformConfig;
  /** The connection string of the gateway login, which reads rows under the caller's rules. */
  readonly gatewayUrl: string;
  /** Connections of the sidecar login, with which the server accesses everything except the data API. */
  readonly pool: pg.Pool;
  readonly callers: DocumentCallers;
  /** Returns the current model, the checked form of the metadata. A reload replaces it. */
  readonly model: () => Model;
  readonly logger: pino.Logger;
}

/** The endpoints of printed documents and uploaded files. */
export interface Documents {
  readonly endpoints: readonly Endpoint[];
  close(): Promise<void>;
}

/** Opens the endpoints of documents and files. @throws ProcessError RG_CONFIG when a setting cannot be used */
export function openDocuments(options: DocumentsOptions): Promise<Documents> {
  return openWhole(async (closers) => ({
    endpoints: await open(options, closers),
    close: () => closers.close(),
  }));
}

async function open(options: DocumentsOptions, closers: Closers): Promise<readonly Endpoint[]> {
  const { config, gatewayUrl, pool, callers, model, logger } = options;
  const { signedIn, admin, caseReader } = callers;
  const format = makeFormat(config.documents.locale);
  const reader = openReader({ databaseUrl: gatewayUrl, config, model, logger });
  closers.add(() => reader.close());
  const { brand } = config.documents;
  const renderer = openPdfRenderer(config.documents);
  closers.add(() => renderer.close());
  const files = await openFiles({ config, pool, signedIn, admin, logger });
  closers.add(() => files.close());
  const tokens = callers.purposeTokens(documentTokenPurpose);
  return [
    ...makePrintedEndpoints({
      ...{ signedIn, caseReader, reader, renderer, brand, format },
      headerPrefix: config.headerPrefix,
    }),
    ...makeLinkPages({ signedIn, brand, baseUrl: config.baseUrl }),
    makeSparklineEndpoint({ signedIn, pool, format, logger }),
    ...makeKycEndpoints({ signedIn, reader, pool, tokens, config: config.kyc, logger }),
    ...files.endpoints,
  ];
}
