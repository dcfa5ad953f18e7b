import express, { type Router } from 'express';
import type { Config } from '../config/config.ts';
import type { Part } from '../config/serve-options.ts';
import { ProcessError } from '../errors.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { makeDocsEndpoints } from '../http/docs/docs-endpoints.ts';
import type { ApiOperation } from '../http/endpoint/api-operation.ts';
import type { Endpoint } from '../http/endpoint/define-endpoint.ts';
import { mountEndpoints } from '../http/endpoint/mount.ts';
import type { Services } from './open-services.ts';

export interface RouteOptions {
  readonly config: Config;
  readonly parts: ReadonlySet<Part>;
  /** The health and version endpoints. The app mounts them; the routes contain only their documentation. */
  readonly service: readonly Endpoint[];
  readonly side: Services | undefined;
  readonly gateway: Gateway;
  /** The endpoints that explain rules; empty when this process does not serve GraphQL. */
  readonly admin: readonly Endpoint[];
  readonly metrics: Endpoint;
}

/** Makes the routes of all features except GraphQL, in the order in which they are tried. */
export function makeRoutes(options: RouteOptions): Router {
  const { config, parts, service, side, gateway, admin, metrics } = options;
  const { baseUrl, limits } = config;
  const router = express.Router();
  const rest = parts.has('rest') ? (side?.endpoints ?? []) : [];
  const data = gateway.data?.apiOperations ?? [];
  refuseTaken(data, [...rest, ...service, metrics, ...admin]);
  const operations = [...rest, ...data, ...admin, ...service, metrics];
  const docs = makeDocsEndpoints({ baseUrl, operations });
  refuseTaken(data, docs);
  if (side?.session) router.use(side.session);
  router.use(mountEndpoints([...rest, ...admin, metrics, ...docs], limits.bodyBytes));
  return router;
}

/** Refuses a path of graphile.yaml that is already in use, because it would hide the other endpoint. */
function refuseTaken(data: readonly ApiOperation[], others: readonly ApiOperation[]): void {
  const taken = data.find(({ path }) => others.some((other) => other.path === path));
  if (!taken) return;
  throw new ProcessError(
    'RG_CONFIG',
    `the endpoint ${taken.path} of graphile.yaml is already in use`,
    {
      hint: 'choose another path, e.g. /graphql',
    },
  );
}
