import type { Logger } from 'pino';
import type { GraphQLSchema } from 'postgraphile/graphql';
import type { Diagnostic, Model } from '../../permissions/index.ts';
import type { Caller } from '../caller/authenticate.ts';
import type { RateStore } from '../caller/rate-store.ts';
import type { Config } from '../config/config.ts';
import type { AnswerMemory } from '../db/requests/answer-memory.ts';
import type { RequestPool } from '../db/requests/request-pool.ts';
import { Budget } from '../lru.ts';
import type { Session } from './answer.ts';
import { sessionObject } from './compile/session.ts';
import { RoleEngine } from './execute/role-engine.ts';
import type {
  OpenOtherDialect,
  OtherDialect,
  ServedExtensions,
  ServedModel,
} from './other-dialect.ts';
import { ListedDocuments } from './request/listed-documents.ts';
import { OperationRunner } from './request/operation-runner.ts';
import type { PersistedQueries } from './request/persisted-queries.ts';
import type { RequestCaller } from './request/request-caller.ts';
import { limitsOf } from './request/role-limits.ts';
import type { Turns } from './request/turns.ts';
import { readEnums, readRegistry } from './schema/registry/read-registry.ts';
import { buildRoleSchema } from './schema/schema.ts';
import { makeRoleView } from './schema/view/role-view.ts';
import { searchPathOf } from './search-path.ts';

export interface ServingOptions {
  readonly config: Config;
  /** The login that serves: no rights of its own, a member of every role. */
  readonly gatewayUrl: string;
  readonly loadModel: () => Promise<Model>;
  readonly logger: Logger;
  /** Absent: Hasura's dialect alone is served. */
  readonly openOther?: OpenOtherDialect | undefined;
}

/** What outlives the version that is served. */
export interface Kept {
  readonly pool: RequestPool;
  readonly memory: AnswerMemory;
  readonly turns: Turns;
  readonly persisted: PersistedQueries | undefined;
  readonly rates: RateStore;
  readonly tell: (findings: readonly Diagnostic[]) => void;
}

/** What one version of the model serves. */
export interface Serving {
  readonly model: Model;
  /** Runs operations of one caller. */
  sessionOf(requestCaller: RequestCaller): Session;
  /** The dialect beside Hasura's, where there is one. */
  readonly other: ServedDialect | undefined;
  /** Whether enum tables hold other values by now. */
  hasOtherEnums(): Promise<boolean>;
}

/** A dialect with an endpoint of its own, of which callers, rates, documents and logs are those of all dialects. */
export interface ServedDialect {
  /** A path. */
  readonly endpoint: string;
  /** Runs operations of one caller. */
  sessionOf(requestCaller: RequestCaller): Session;
}

/** Reads the model and the database. */
export async function serve(options: ServingOptions, kept: Kept): Promise<Serving> {
  const { config, gatewayUrl, logger } = options;
  const { pool, memory, turns, persisted, rates, tell } = kept;
  const model = await options.loadModel();
  // Who may see every value of enum tables, whatever roles may see of them.
  const reader = model.roles.get('admin')?.postgresName;
  const registry = await readRegistry(gatewayUrl, model.tables.values(), reader);
  tell(registry.findings);
  const listed = new ListedDocuments(model.allowList);
  const runner = new OperationRunner({ listed, persisted, rates, turns, logger });
  const served = { model, registry, listed, pool, memory, config };
  const other = await options.openOther?.({ ...served, gatewayUrl, logger });
  const engines = new RoleEngines({ ...served, extensions: other?.extensions });
  return {
    model,
    sessionOf: (requestCaller) => (request) =>
      runner.run(request, requestCaller, engines.of(requestCaller.caller)),
    other: other && servedBy(runner, other),
    hasOtherEnums: async () => {
      const { enums, findings } = await readEnums(gatewayUrl, model.tables.values(), reader);
      tell(findings);
      return JSON.stringify([...enums]) !== JSON.stringify([...registry.enums]);
    },
  };
}

function servedBy(runner: OperationRunner, other: OtherDialect): ServedDialect | undefined {
  const { endpoint } = other;
  if (endpoint === undefined) return undefined;
  return {
    endpoint,
    sessionOf: (requestCaller) => (request) =>
      runner.run(request, requestCaller, other.engineOf(requestCaller.caller)),
  };
}

interface RoleEnginesOptions extends ServedModel {
  readonly extensions: ServedExtensions | undefined;
}

/** The engines of roles, made for the first request in the role. */
class RoleEngines {
  readonly #options: RoleEnginesOptions;
  readonly #engines = new Map<string, RoleEngine>();
  readonly #schemas = new Map<string, GraphQLSchema>();
  readonly #budget: Budget;

  constructor(options: RoleEnginesOptions) {
    this.#options = options;
    this.#budget = new Budget(options.config.operations.planBytes);
  }

  of(caller: Caller): RoleEngine {
    const key = JSON.stringify([caller.role.name, caller.isBackend]);
    const engine = this.#engines.get(key) ?? this.#make(caller);
    this.#engines.set(key, engine);
    return engine;
  }

  #make({ role, isBackend }: Caller): RoleEngine {
    const { model, registry, listed, pool, memory, config, extensions } = this.#options;
    const limits = limitsOf(role, config.limits);
    const view = makeRoleView(model, role, registry, isBackend, extensions?.catalog);
    const schema = this.#schemas.get(view.schemaKey) ?? buildRoleSchema(registry, view);
    this.#schemas.set(view.schemaKey, schema);
    const isBound = config.operations.allowList && role.name !== 'admin';
    return new RoleEngine({
      ...{ view, schema, pool, memory, budget: this.#budget, ...limits },
      extensions: extensions && (() => extensions.runnerOf({ role, isBackend })),
      variableNames: model.variables,
      searchPath: searchPathOf(model),
      headerPrefix: model.headerPrefix,
      compile: {
        stringifyNumericTypes: config.stringifyNumericTypes,
        maxRows: config.limits.rows,
        maxBytes: config.limits.responseBytes,
        maxDepth: limits.maxDepth,
        maxCrossings: limits.maxCrossings,
        maxTables: config.limits.tables,
        session: sessionObject(model, role),
      },
      isListed: isBound ? (document) => listed.allows(document, role) : undefined,
    });
  }
}
