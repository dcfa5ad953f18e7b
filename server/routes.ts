import express, { type Router } from 'express';
import type { Auth } from './auth/open-auth.ts';
import type { Config } from './config.ts';
import type { Gateway } from './gateway.ts';
import { mountEndpoints } from './rest/mount.ts';
import type { Part } from './serve-options.ts';

export interface RouteOptions {
  readonly config: Config;
  readonly parts: ReadonlySet<Part>;
  readonly auth: Auth | undefined;
  readonly gateway: Gateway;
}

/** All routes of the features, in the order in which they are tried. */
export function makeRoutes({ config, parts, auth, gateway }: RouteOptions): Router {
  const router = express.Router();
  if (auth) router.use(auth.session);
  if (auth && parts.has('rest')) {
    router.use(mountEndpoints(auth.endpoints, config.limits.bodyBytes));
  }
  if (parts.has('graphql')) router.use(gateway.router);
  return router;
}
