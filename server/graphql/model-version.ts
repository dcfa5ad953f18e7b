import type { Logger } from 'pino';
import type { Diagnostic, Model, RoleModel } from '../../permissions/index.ts';
import type { Authenticator } from '../caller/authenticate.ts';
import type { RateStore } from '../caller/rate-store.ts';
import type { Config } from '../config/config.ts';
import type { AnswerMemory } from '../db/requests/answer-memory.ts';
import type { RequestPool } from '../db/requests/request-pool.ts';
import { HasuraEngines } from './execute/hasura-engines.ts';
import type { Dialect } from './handle-request.ts';
import type { Introspector } from './introspection/introspector.ts';
import { ListedDocuments } from './known-documents/listed-documents.ts';
import type { PersistedQueries } from './known-documents/persisted-queries.ts';
import type { OperationMetrics } from './metrics/operation-metrics.ts';
import type { OpenOtherDialect } from './other-dialect.ts';
import type { Turns } from './request/turns.ts';
import { type Registry, readEnums, readRegistry } from './schema/registry/read-registry.ts';

export interface ModelVersionOptions {
  readonly config: Config;
  /**
   * URL of the gateway login. This login has no rights on tables and is a member of every role, so each request
   * switches to the caller's role.
   */
  readonly gatewayUrl: string;
  readonly loadModel: () => Promise<Model>;
  /** The ways to identify a caller, in the order in which they are tried. */
  readonly authenticators: readonly Authenticator[];
  readonly logger: Logger;
  /** Opens another dialect. Undefined: only Hasura's dialect is served. */
  readonly openOther?: OpenOtherDialect | undefined;
}

/** State that all versions of the model share. */
export interface SharedState {
  readonly pool: RequestPool;
  /** Runs the statements of subscriptions. Connects when the first subscription comes. */
  readonly refetches: RequestPool;
  readonly memory: AnswerMemory;
  readonly turns: Turns;
  readonly metrics: OperationMetrics;
  readonly introspector: Introspector;
  readonly persisted: PersistedQueries | undefined;
  readonly rates: RateStore;
  /** Reports findings about the rows of enum tables. */
  readonly report: (findings: readonly Diagnostic[]) => void;
}

/** One served version of the model. */
export interface ModelVersion {
  readonly hasura: Dialect;
  /** Returns the schema of a role in Hasura's dialect, as the answer to introspection in JSON. */
  describe(role: RoleModel): Promise<string>;
  /** The column types and enum values of this version. */
  readonly registry: Registry;
  /** PostGraphile's dialect, if the metadata gives it an endpoint. */
  readonly other: { readonly endpoint: string; readonly dialect: Dialect } | undefined;
  /** Returns true if enum tables have changed since this version was loaded. */
  hasOtherEnums(): Promise<boolean>;
}

/** Loads the model and reads the database. */
export async function openModelVersion(
  options: ModelVersionOptions,
  shared: SharedState,
): Promise<ModelVersion> {
  const { config, gatewayUrl, authenticators, logger } = options;
  const { pool, refetches, memory, turns, metrics, introspector, persisted, rates, report } =
    shared;
  const model = await options.loadModel();
  // The role admin may see every value of enum tables, even when other roles see only some.
  const reader = model.roles.get('admin')?.postgresName;
  const registry = await readRegistry(
    gatewayUrl,
    model.tables.values(),
    reader,
    model.functions.values(),
  );
  report(registry.findings);
  const listed = new ListedDocuments(model.allowList);
  const served = { model, registry, listed, pool, memory, config };
  const other = await options.openOther?.({ ...served, gatewayUrl, logger });
  const engines = new HasuraEngines({
    ...{ ...served, refetches, introspector },
    extensions: other?.extensions,
  });
  const documents = { listed, persisted };
  const dialectOf = (engineOf: Dialect['engineOf']): Dialect => ({
    ...{ model, authenticators, documents, rates, turns, metrics, logger, engineOf },
  });
  return {
    hasura: dialectOf((caller) => engines.of(caller)),
    describe: (role) => engines.describe(role),
    registry,
    other:
      other?.endpoint === undefined
        ? undefined
        : { endpoint: other.endpoint, dialect: dialectOf((caller) => other.engineOf(caller)) },
    hasOtherEnums: async () => {
      const { enums, findings } = await readEnums(gatewayUrl, model.tables.values(), reader);
      report(findings);
      return JSON.stringify([...enums]) !== JSON.stringify([...registry.enums]);
    },
  };
}
