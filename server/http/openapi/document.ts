import { version } from '../../version.ts';
import type { ApiOperation } from '../endpoint/api-operation.ts';
import { SharedSchemas } from './components.ts';
import { operationObject } from './operation-object.ts';
import { securitySchemes } from './security-schemes.ts';

export interface DocumentOptions {
  readonly operations: readonly ApiOperation[];
  /** The public URL of the server, put before all paths. */
  readonly baseUrl: string;
  readonly headerPrefix: string;
}

/**
 * Makes the OpenAPI 3.1 document of these operations.
 * @throws Error when two different schemas have the same title, or two operations the same method and path
 */
export function makeDocument({ operations, baseUrl, headerPrefix }: DocumentOptions): object {
  const shared = new SharedSchemas();
  const paths = pathsOf(operations, shared);
  const schemes = Object.entries(securitySchemes(headerPrefix)).filter(([scheme]) =>
    operations.some((operation) => operation.schemes.some((one) => one === scheme)),
  );
  return {
    openapi: '3.1.1',
    info: {
      title: 'Rowgate',
      version,
      description: introduction,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl }],
    tags: tags.filter(({ name }) => operations.some(({ tag }) => tag === name)),
    paths,
    components: { schemas: shared.all, securitySchemes: Object.fromEntries(schemes) },
  };
}

const introduction = [
  'Every answer carries the header `X-Request-Id`: the one of the request, or a new one. Under it the log says more.',
  'Errors are problem documents (RFC 9457) but for those of GraphQL.',
  'Another method of a path that is there is answered 405 with the header `Allow`; while the server starts, the answer is 503.',
].join(' ');

const tags: readonly { readonly name: ApiOperation['tag']; readonly description: string }[] = [
  { name: 'sessions', description: 'Signing in and out' },
  { name: 'tokens', description: 'Short-lived tokens for other services' },
  { name: 'discovery', description: 'How others verify what is issued here' },
  { name: 'documents', description: 'Documents and files' },
  { name: 'webhooks', description: 'What providers, event triggers and schedules call' },
  { name: 'data', description: 'The data API' },
  { name: 'service', description: 'The server itself' },
];

function pathsOf(operations: readonly ApiOperation[], shared: SharedSchemas): object {
  const byPath = Map.groupBy(operations, ({ path }) => path);
  return Object.fromEntries(
    [...byPath].map(([path, group]) => {
      const methods = group.map((one) => [one.method, operationObject(one, shared)] as const);
      if (new Map(methods).size < methods.length) throw new Error(`two operations are at ${path}`);
      return [path, Object.fromEntries(methods)];
    }),
  );
}
