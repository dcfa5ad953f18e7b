import path from 'node:path';
import { type Contender, startContender, startRowgate } from '../contender.ts';
import { type BenchCluster, type BenchDatabase, makeBenchDatabase, secret } from '../database.ts';
import type { Target } from '../load/target.ts';
import { rowgate } from '../measure.ts';
import { before } from '../options.ts';
import { bodyOf, type Operation, postgraphileBodyOf } from './operations.ts';

/** The database connections of each contender, the default of `rowgate serve`. */
export const poolSize = 10;

/** The tenant that all requests name. */
export const tenant = '1';

/** A server that answers one dialect. */
export interface Endpoint {
  readonly name: string;
  readonly server: Contender;
  /** Returns the requests of an operation; every answer is accepted that has data. */
  target(operation: Operation): Target;
}

/** The contenders in the order in which tables show them. `graphile` is Rowgate's endpoint for PostGraphile's dialect. */
export const contenderNames = [
  ...['gateway', ...(before ? ['before'] : [])],
  ...['raw-complete', 'by-hand', 'raw-floor', 'raw-onesync', 'pgbench', 'graphile', 'postgraphile'],
] as const;

const headers = {
  'content-type': 'application/json',
  accept: 'application/json',
  'x-gql-admin-secret': secret,
  'x-gql-role': 'tenant',
  'x-gql-tenant-id': tenant,
};

function endpoint(
  name: string,
  server: Contender,
  requestPath: string,
  body: (operation: Operation, turn: number) => string,
): Endpoint {
  const target = (operation: Operation): Target => ({
    ...{ port: server.port, path: requestPath, headers },
    exchanges: Array.from({ length: operation.variants }, (_, turn) => ({
      body: body(operation, turn),
      opening: '{"data":{',
    })),
  });
  return { name, server, target };
}

/**
 * Starts the servers of the selected contenders.
 * @param started receives each process at once, so that a failure leaves none running
 */
export async function startEndpoints(
  names: ReadonlySet<string>,
  cluster: BenchCluster,
  database: BenchDatabase,
  started: Contender[],
): Promise<readonly Endpoint[]> {
  const logFile = (name: string) => path.join(cluster.folder, `${name}.log`);
  const start = async (starting: Promise<Contender>) => {
    const server = await starting;
    started.push(server);
    return server;
  };
  const { gatewayUrl, rolePrefix, metadata } = database;
  const settings = { gatewayUrl, secret, metadata, poolSize, role: `${rolePrefix}tenant` };
  const endpoints: Endpoint[] = [];
  if (names.has('gateway') || names.has('graphile')) {
    const log = logFile('gateway');
    const server = await start(
      startRowgate('gateway', database, { program: rowgate, logFile: log }),
    );
    endpoints.push(endpoint('gateway', server, '/v1/graphql', bodyOf));
    endpoints.push(endpoint('graphile', server, '/graphql', postgraphileBodyOf));
  }
  if (before !== undefined && names.has('before')) {
    const program = path.join(before, 'bin', 'rowgate.js');
    const older = await makeBenchDatabase(cluster, before);
    const log = logFile('before');
    const server = await start(startRowgate('before', older, { program, logFile: log }));
    endpoints.push(endpoint('before', server, '/v1/graphql', bodyOf));
  }
  for (const name of ['raw-complete', 'by-hand', 'raw-floor', 'raw-onesync', 'postgraphile']) {
    if (!names.has(name)) continue;
    const server = await start(startContender(name, { ...settings, logFile: logFile(name) }));
    const body = name === 'postgraphile' ? postgraphileBodyOf : bodyOf;
    endpoints.push(endpoint(name, server, '/v1/graphql', body));
  }
  return endpoints.filter(({ name }) => names.has(name));
}
