import type { Request } from 'express';
import pg from 'pg';
import pino from 'pino';
import { loadModel, type Model } from '../../../../permissions/index.ts';
import type { Caller } from '../../../../server/caller/authenticate.ts';
import { makeMemoryRates } from '../../../../server/caller/memory-rates.ts';
import { parseConfig } from '../../../../server/config/config.ts';
import { AnswerMemory } from '../../../../server/db/requests/answer-memory.ts';
import { RequestPool } from '../../../../server/db/requests/request-pool.ts';
import { decodeAnswer } from '../../../../server/graphql/answer-text.ts';
import { handleRequest, type IncomingRequest } from '../../../../server/graphql/handle-request.ts';
import type { Json } from '../../../../server/graphql/json.ts';
import { ListedDocuments } from '../../../../server/graphql/known-documents/listed-documents.ts';
import { OperationMetrics } from '../../../../server/graphql/metrics/operation-metrics.ts';
import { Turns } from '../../../../server/graphql/request/turns.ts';
import { readRegistry } from '../../../../server/graphql/schema/registry/read-registry.ts';
import { PostGraphileEngines } from '../../../../server/postgraphile/postgraphile-engines.ts';
import { stockPreset, takeUserPreset } from '../../../../server/postgraphile/preset/user-preset.ts';
import { gatherModel } from '../../../../server/postgraphile/schema/gather.ts';
import { type Gateway, startGateway } from '../../graphql/support/gateway.ts';

/** A new database, and the compiled PostGraphile schemas of its roles, to run operations without HTTP. */
export interface StockEngines {
  readonly gateway: Gateway;
  readonly model: Model;
  readonly pool: RequestPool;
  readonly engines: PostGraphileEngines;
  /** Runs an operation. Returns its data, or code and message of its error. */
  run(role: string, query: string, options?: RunOptions): Promise<unknown>;
  stop(): Promise<void>;
}

export interface RunOptions {
  /** Session variables, by name without the prefix `gql.` of the Postgres setting. */
  readonly session?: Readonly<Record<string, string>>;
  readonly variables?: Readonly<Record<string, string | number | null>>;
  readonly signal?: AbortSignal;
}

export interface World {
  readonly schema?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly preset?: GraphileConfig.Preset;
  readonly poolSize?: number;
}

const limits = {
  ...{ tokens: 5000, fields: 300, depth: 12, nodes: 200_000 },
  page: { default: 200, max: 1000 },
};

/** Applies schema and metadata to a new database, and builds the PostGraphile schemas of the roles. */
export async function startStockEngines(world: World = {}): Promise<StockEngines> {
  const { preset, poolSize = 2, ...rest } = world;
  const gateway = await startGateway(rest);
  const { gatewayUrl, folder } = gateway;
  const client = new pg.Client({ connectionString: gatewayUrl });
  await client.connect();
  const model = await loadModel({ metadata: folder, client, headerPrefix: 'X-Gql-' });
  await client.end();
  const { config } = parseConfig({}, folder);
  const pool = new RequestPool({
    connectionString: gatewayUrl,
    size: poolSize,
    maxWaitMs: 5000,
    statementTimeoutMs: 15_000,
    logger: pino({ level: 'silent' }),
  });
  const user = preset ? takeUserPreset(preset) : stockPreset;
  const listed = new ListedDocuments(model.allowList);
  const engines = new PostGraphileEngines({
    ...{ model, user, pool, config, limits },
    registry: await readRegistry(gatewayUrl, model.tables.values()),
    gathered: await gatherModel(gatewayUrl, model, user, model.roles.get('admin')?.postgresName),
    listed,
    memory: new AnswerMemory(config.limits.answerMemoryBytes),
  });
  const shared = {
    documents: { listed, persisted: undefined },
    rates: makeMemoryRates(),
    turns: new Turns(),
    metrics: new OperationMetrics(),
    logger: pino({ level: 'silent' }),
  };
  return {
    ...{ gateway, model, pool, engines },
    run: async (name, query, { session = {}, variables = {}, signal = neverAborted } = {}) => {
      const role = model.roles.get(name);
      if (!role) throw new Error(`there is no role ${name}`);
      const caller: Caller = {
        role,
        variables: new Map(Object.entries(session)),
        isBackend: false,
      };
      const dialect = {
        ...{ ...shared, model, authenticators: [() => caller] },
        engineOf: () => engines.of(caller),
      };
      const [answer] = await handleRequest(incoming({ query, variables }, signal), dialect);
      if (answer?.error) return `${answer.error.code}: ${answer.error.message}`;
      return (JSON.parse(decodeAnswer(answer?.text ?? '')) as { readonly data: unknown }).data;
    },
    stop: async () => {
      await pool.close();
      await gateway.stop();
    },
  };
}

const neverAborted = new AbortController().signal;

/** Makes a request with one operation, as the HTTP endpoint would make it. */
function incoming(operation: Json, signal: AbortSignal): IncomingRequest {
  return {
    http: { ip: '127.0.0.1', headers: {} } as Request,
    readOnlyReason: undefined,
    onIdentified: () => {},
    read: () => ({ operations: [operation], signal, bytes: undefined, whenSent: undefined }),
  };
}
