import express, { type Router } from 'express';
import type { Config } from '../config/config.ts';
import type { Part } from '../config/serve-options.ts';
import { ProcessError } from '../errors.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { ApiOperation } from '../http/api-operation.ts';
import { makeDocsEndpoints } from '../http/docs/docs-endpoints.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { mountEndpoints } from '../http/mount.ts';
import type { Services } from './open-services.ts';

export interface RouteOptions {
  readonly config: Config;
  readonly parts: ReadonlySet<Part>;
  /** What is mounted elsewhere, and described here. */
  readonly service: readonly Endpoint[];
  readonly side: Services | undefined;
  readonly gateway: Gateway;
}

/** All routes of the features, in the order in which they are tried. */
export function makeRoutes(options: RouteOptions): Router {
  const { config, parts, service, side, gateway } = options;
  const { baseUrl, headerPrefix, limits } = config;
  const router = express.Router();
  const rest = parts.has('rest') ? (side?.endpoints ?? []) : [];
  const data = gateway.data?.apiOperations ?? [];
  const metrics = side?.metrics ?? [];
  refuseTaken(data, [...rest, ...service, ...metrics]);
  const operations = [...rest, ...data, ...service, ...metrics];
  const docs = makeDocsEndpoints({ baseUrl, headerPrefix, operations });
  refuseTaken(data, docs);
  if (side?.session) router.use(side.session);
  // First what is asked most often: each path that comes before it is compared with it.
  if (gateway.data) router.use(gateway.data.router);
  router.use(mountEndpoints([...rest, ...metrics, ...docs], limits.bodyBytes));
  return router;
}

/** The metadata chooses a path of the data API, which would be answered in place of another. */
function refuseTaken(data: readonly ApiOperation[], others: readonly ApiOperation[]): void {
  const taken = data.find(({ path }) => others.some((other) => other.path === path));
  if (!taken) return;
  throw new ProcessError('RG_CONFIG', `the endpoint ${taken.path} of graphile.yaml is taken`, {
    hint: 'choose another path, e.g. /graphql',
  });
}
