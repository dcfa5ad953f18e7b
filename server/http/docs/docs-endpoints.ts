import { readFile } from 'node:fs/promises';
import { Type } from 'typebox';
import { errorMessage } from '../../errors.ts';
import { optionalFile } from '../../optional-package.ts';
import { Refusal } from '../answers/problem.ts';
import { publicAccess } from '../endpoint/access.ts';
import type { ApiOperation } from '../endpoint/api-operation.ts';
import { serviceTag } from '../endpoint/api-tag.ts';
import { defineEndpoint, type Endpoint } from '../endpoint/define-endpoint.ts';
import { makeDocument } from '../openapi/document.ts';
import { pageAt, pageScript, pageStyle } from './page.ts';

export interface DocsOptions {
  readonly baseUrl: string;
  /** All documented operations, without the operations of the documentation itself, which the function adds. */
  readonly operations: readonly ApiOperation[];
}

/** Makes the endpoints of the OpenAPI document and of the page that shows it. The document includes these endpoints. */
export function makeDocsEndpoints({ operations, ...options }: DocsOptions): readonly Endpoint[] {
  const root = new URL(options.baseUrl).pathname.replace(/\/$/, '');
  const endpoints = [documentEndpoint(() => text), pageEndpoint(pageAt(root)), fileEndpoint];
  const document = makeDocument({ ...options, operations: [...operations, ...endpoints] });
  const text = JSON.stringify(document);
  return endpoints;
}

function documentEndpoint(text: () => string): Endpoint {
  return defineEndpoint({
    method: 'get',
    path: '/openapi.json',
    operationId: 'getOpenApiDocument',
    tag: serviceTag,
    summary: 'read this description',
    access: publicAccess,
    answers: {
      200: {
        description: 'An OpenAPI 3.1 document',
        content: { 'application/json': Type.Object({ openapi: Type.String() }) },
      },
    },
    handle: (_input, response) => {
      response.type('json').send(text());
    },
  });
}

/**
 * The Content-Security-Policy of the page: scripts and styles only from this server. Swagger UI embeds its images as
 * `data:` URLs.
 */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

function pageEndpoint(page: string): Endpoint {
  return defineEndpoint({
    method: 'get',
    path: '/docs',
    operationId: 'getDocs',
    tag: serviceTag,
    summary: 'read this description as a page',
    access: publicAccess,
    answers: {
      200: { description: 'A page', content: { 'text/html': Type.String() } },
      404: { description: 'The package of the viewer is not installed' },
    },
    handle: (_input, response) => {
      viewerPath('swagger-ui-bundle.js');
      response.set('Content-Security-Policy', pagePolicy).type('html').send(page);
    },
  });
}

/** Loaders of the page's files, by file name. */
const files = new Map<string, () => Promise<Buffer> | string>([
  ['page.css', () => pageStyle],
  ['page.js', () => pageScript],
  ['swagger-ui.css', () => viewerFile('swagger-ui.css')],
  ['swagger-ui-bundle.js', () => viewerFile('swagger-ui-bundle.js')],
]);

function viewerFile(name: string): Promise<Buffer> {
  return readFile(viewerPath(name));
}

/** @throws Refusal 404 when the package of the viewer is not installed */
function viewerPath(name: string): string {
  try {
    return optionalFile(`swagger-ui-dist/${name}`, 'pages about the REST endpoints');
  } catch (error) {
    throw new Refusal({ status: 404, code: 'not-found', detail: errorMessage(error) });
  }
}

const hour = 3600;

const fileEndpoint = defineEndpoint({
  method: 'get',
  path: '/docs/{file}',
  operationId: 'getDocsFile',
  tag: serviceTag,
  summary: 'load a file of the documentation page',
  access: publicAccess,
  params: Type.Object({ file: Type.String({ description: [...files.keys()].join(', ') }) }),
  answers: {
    200: {
      description: 'The file',
      content: { 'text/css': Type.String(), 'text/javascript': Type.String() },
    },
    404: { description: 'There is no such file' },
  },
  handle: async ({ params: { file } }, response) => {
    const read = files.get(file);
    if (!read) {
      throw new Refusal({ status: 404, code: 'not-found', detail: 'there is no such file' });
    }
    response.set('Cache-Control', `public, max-age=${hour}`);
    response.type(file.endsWith('.css') ? 'text/css' : 'text/javascript').send(await read());
  },
});
