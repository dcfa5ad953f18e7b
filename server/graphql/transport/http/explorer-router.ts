import express, { type Router } from 'express';
import { type RuruConfig, ruruHTML } from 'postgraphile/grafserv/ruru/server';
import { serveStatic } from 'postgraphile/grafserv/ruru/static';
import { Type } from 'typebox';
import type { ApiOperation } from '../../../http/endpoint/api-operation.ts';
import { dataTag } from '../../../http/endpoint/api-tag.ts';

const STATIC_PATH = '/ruru-static/';

/** Allows the inline scripts, styles and workers of Ruru, but no other origin. */
const CONTENT_POLICY = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "worker-src 'self' blob:",
  "connect-src 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** Describes the endpoints of the explorer for the API documentation. */
export const explorerApiOperations: readonly ApiOperation[] = [
  {
    method: 'get',
    path: '/',
    operationId: 'getExplorer',
    tag: dataTag,
    summary: 'open the explorer, a page to write and send operations with',
    schemes: [],
    answers: { 200: { description: 'A page', content: { 'text/html': Type.String() } } },
  },
  {
    method: 'get',
    path: `${STATIC_PATH}{file}`,
    operationId: 'getExplorerFile',
    tag: dataTag,
    summary: 'load a file of that page',
    schemes: [],
    params: Type.Object({ file: Type.String() }),
    answers: { 200: { description: 'The file', content: { '*/*': 'binary' } } },
  },
];

/** Serves the explorer at `/` with all of its files. Users enter role, secret and variables in its headers panel. */
export function makeExplorerRouter(headerPrefix: () => string): Router {
  const router = express.Router();
  router.get('/', (_request, response) => {
    response.setHeader('content-security-policy', CONTENT_POLICY);
    response.type('html').send(page(headerPrefix()));
  });
  router.get(`${STATIC_PATH}*file`, serveStatic(STATIC_PATH));
  return router;
}

function page(headerPrefix: string): string {
  const headers = { [`${headerPrefix}Admin-Secret`]: '', [`${headerPrefix}Role`]: 'admin' };
  return ruruHTML({
    staticPath: STATIC_PATH,
    endpoint: '/v1/graphql',
    // Without an icon, browsers request /favicon.ico, which does not exist.
    htmlParts: { metaTags: (tags) => `${tags}<link rel="icon" href="data:,">` },
    // Ruru's types depend on React's types, which are not installed.
    clientConfig: {
      initialHeaders: JSON.stringify(headers, null, 2),
      isHeadersEditorEnabled: true,
      showPersistHeadersSettings: true,
    } as unknown as NonNullable<RuruConfig['clientConfig']>,
  });
}
