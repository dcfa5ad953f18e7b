import { isDeepStrictEqual } from 'node:util';
import { version } from '../../version.ts';
import type { ApiOperation } from '../endpoint/api-operation.ts';
import { SharedSchemas } from './components.ts';
import { operationObject } from './operation-object.ts';

export interface DocumentOptions {
  readonly operations: readonly ApiOperation[];
  /** The public URL of the server, put before all paths. */
  readonly baseUrl: string;
}

/**
 * Makes the OpenAPI 3.1 document of these operations.
 * @throws Error when two different schemas have the same title, two different security schemes or tags the same
 * name, or two operations the same method and path
 */
export function makeDocument({ operations, baseUrl }: DocumentOptions): object {
  const shared = new SharedSchemas();
  const paths = pathsOf(operations, shared);
  const schemes = operations.flatMap((one) =>
    one.schemes.map(({ name, object }) => [name, object] as const),
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
    tags: Object.values(
      uniqueByName(
        operations.map(({ tag }) => [tag.name, tag]),
        'tags',
      ),
    ),
    paths,
    components: { schemas: shared.all, securitySchemes: uniqueByName(schemes, 'security schemes') },
  };
}

/** @throws Error when two different parts have the same name */
function uniqueByName<Part extends object>(
  parts: readonly (readonly [name: string, part: Part])[],
  kind: string,
): Readonly<Record<string, Part>> {
  const byName: Record<string, Part> = {};
  for (const [name, part] of parts) {
    byName[name] ??= part;
    if (!isDeepStrictEqual(byName[name], part))
      throw new Error(`two ${kind} have the name "${name}"`);
  }
  return byName;
}

const introduction = [
  'Every answer has the header `X-Request-Id`: the id from the request, or a new one. The log contains it.',
  'Errors are problem documents (RFC 9457), except those of GraphQL.',
  'A request with another method than the documented ones is answered 405 with the header `Allow`. While the server starts, it answers 503.',
].join(' ');

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
