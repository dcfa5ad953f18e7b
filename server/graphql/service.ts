import express from 'express';
import type { Logger } from 'pino';
import type { GraphQLSchema } from 'postgraphile/graphql';
import type { Model } from '../../permissions/index.ts';
import type { Config } from '../config.ts';
import { type Authenticator, type Caller, identify } from '../context.ts';
import { RequestPool } from '../db/request-pool.ts';
import type { Operation } from '../rest/endpoint.ts';
import { sessionObject } from './compile/session.ts';
import { explorerOperations, makeExplorerRouter } from './http/explorer-router.ts';
import { graphqlOperations } from './http/graphql-operations.ts';
import { makeGraphqlRouter } from './http/graphql-router.ts';
import { readRegistry } from './registry/read-registry.ts';
import { RoleEngine } from './run/role-engine.ts';
import { buildRoleSchema } from './schema.ts';
import { makeRoleView } from './view/role-view.ts';

export interface GraphqlServiceOptions {
  readonly config: Config;
  /** The login that serves: no rights of its own, a member of every role. */
  readonly gatewayUrl: string;
  /** In the order in which they are tried. */
  readonly authenticators: readonly Authenticator[];
  readonly loadModel: () => Promise<Model>;
  readonly logger: Logger;
}

export interface GraphqlService {
  /** `/v1/graphql`, `/v1alpha1/graphql` and, where configured, the explorer at `/`. */
  readonly router: express.Router;
  /** What the router answers. */
  readonly operations: readonly Operation[];
  /** What is served now. */
  model(): Model;
  /** Loads model and schemas anew and swaps them at once; on failure the old ones stay. */
  reload(): Promise<void>;
  /** Waits for running statements and closes the connections. */
  close(): Promise<void>;
}

/** What one version of the model serves. */
interface Serving {
  readonly model: Model;
  engineOf(caller: Caller): RoleEngine;
}

/** Reads the model and the database once; rejects where either cannot be read. */
export async function makeGraphqlService(options: GraphqlServiceOptions): Promise<GraphqlService> {
  const { config, gatewayUrl, logger } = options;
  const pool = new RequestPool({
    connectionString: gatewayUrl,
    size: config.poolSize,
    statementTimeoutMs: config.limits.statementTimeoutMs,
    logger,
  });
  let serving = await load(options, pool);
  let reloading: Promise<void> = Promise.resolve();
  const reloadOnce = async () => {
    serving = await load(options, pool);
  };
  return {
    router: makeRouter(options, () => serving),
    operations: operationsOf(config),
    model: () => serving.model,
    reload: () => {
      // One after the other, so that the last to be asked for is the last to be served.
      reloading = reloading.then(reloadOnce, reloadOnce);
      return reloading;
    },
    close: () => pool.close(),
  };
}

function makeRouter(options: GraphqlServiceOptions, current: () => Serving): express.Router {
  const { limits, explorer } = options.config;
  const router = express.Router();
  router.use(
    makeGraphqlRouter({
      open: async (request) => {
        const { model, engineOf } = current();
        const caller = await identify(options.authenticators, request, model);
        return (operation) => engineOf(caller).run(operation, caller);
      },
      bodyBytes: limits.bodyBytes,
      maxBatch: limits.batch,
      logger: options.logger,
    }),
  );
  if (explorer) router.use(makeExplorerRouter(() => current().model.headerPrefix));
  return router;
}

function operationsOf({ explorer, headerPrefix }: Config): readonly Operation[] {
  return [...graphqlOperations(headerPrefix), ...(explorer ? explorerOperations : [])];
}

async function load(options: GraphqlServiceOptions, pool: RequestPool): Promise<Serving> {
  const { config, gatewayUrl } = options;
  const model = await options.loadModel();
  const registry = await readRegistry(gatewayUrl, model.tables.values());
  const schemas = new Map<string, GraphQLSchema>();
  const engines = new Map<string, RoleEngine>();
  const makeEngine = ({ role, isBackend }: Caller): RoleEngine => {
    const view = makeRoleView(model, role, registry, isBackend);
    const schema = schemas.get(view.schemaKey) ?? buildRoleSchema(registry, view);
    schemas.set(view.schemaKey, schema);
    return new RoleEngine({
      view,
      schema,
      pool,
      variableNames: model.variables,
      searchPath: searchPathOf(model),
      headerPrefix: model.headerPrefix,
      compile: {
        stringifyNumericTypes: config.stringifyNumericTypes,
        maxRows: config.limits.rows,
        maxBytes: config.limits.responseBytes,
        maxDepth: config.limits.depth,
        session: sessionObject(model, role),
      },
      maxDepth: config.limits.depth,
      statementTimeoutMs: config.limits.statementTimeoutMs,
    });
  };
  return {
    model,
    engineOf: (caller) => {
      const key = JSON.stringify([caller.role.name, caller.isBackend]);
      const engine = engines.get(key) ?? makeEngine(caller);
      engines.set(key, engine);
      return engine;
    },
  };
}

/**
 * Triggers and functions are often written as if everything were in `public`. That it is looked through is safe where
 * apply has seen to it that nobody else can create anything there, which it does for the schemas of all tables.
 */
function searchPathOf(model: Model): string {
  const hasPublic = [...model.tables.values()].some(({ schema }) => schema === 'public');
  return hasPublic ? 'pg_catalog, public, pg_temp' : 'pg_catalog, pg_temp';
}
