import { isDeepStrictEqual } from 'node:util';
import { version } from '../../version.ts';
import type { ApiOperation } from '../endpoint/api-operation.ts';
import type { SecurityScheme } from '../endpoint/security-scheme.ts';
import { SharedSchemas } from './components.ts';
import { operationObject } from './operation-object.ts';

export interface DocumentOptions {
  readonly operations: readonly ApiOperation[];
  /** The public URL of the server, put before all paths. */
  readonly baseUrl: string;
}

/**
 * Makes the OpenAPI 3.1 document of these operations.
 * @throws Error when two different schemas have the same title, two different security schemes the same name, or two
 * operations the same method and path
 */
export function makeDocument({ operations, baseUrl }: DocumentOptions): object {
  const shared = new SharedSchemas();
  const paths = pathsOf(operations, shared);
  const schemes = operations.flatMap((operation) => operation.schemes);
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
    components: { schemas: shared.all, securitySchemes: securitySchemes(schemes) },
  };
}

/** @throws Error when two different schemes have the same name */
function securitySchemes(schemes: readonly SecurityScheme[]): Readonly<Record<string, object>> {
  const byName: Record<string, object> = {};
  for (const { name, object } of schemes) {
    byName[name] ??= object;
    if (!isDeepStrictEqual(byName[name], object))
      throw new Error(`two security schemes have the name "${name}"`);
  }
  return byName;
}

const introduction = [
  'Every answer has the header `X-Request-Id`: the id from the request, or a new one. The log contains it.',
  'Errors are problem documents (RFC 9457), except those of GraphQL.',
  'A request with another method than the documented ones is answered 405 with the header `Allow`. While the server starts, it answers 503.',
].join(' ');

const tags: readonly { readonly name: ApiOperation['tag']; readonly description: string }[] = [
  { name: 'sessions', description: 'Signing in and out' },
  { name: 'tokens', description: 'Short-lived tokens for other services' },
  { name: 'discovery', description: 'Keys to verify the tokens that the server issues' },
  { name: 'documents', description: 'Documents and files' },
  { name: 'webhooks', description: 'Endpoints for providers, event triggers and schedules' },
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
