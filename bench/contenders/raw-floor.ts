import { Socket } from 'node:net';
import pg from 'pg';
import { contenderSettings } from './listen.ts';
import { type Call, serveFloor } from './raw/endpoint.ts';
import { IdleList } from './raw/idle-list.ts';

// The transaction of `by-hand` over node:http, with all its messages in one network write.
const { gatewayUrl, poolSize, role } = contenderSettings();
const settings = `select set_config('role', $1, true), set_config('gql.tenant_id', $2, true),
  set_config('statement_timeout', '15000', true), set_config('search_path', 'pg_catalog, pg_temp', true)`;

async function connect() {
  const socket = new Socket();
  const client = new pg.Client({
    ...{ connectionString: gatewayUrl, stream: () => socket, pipeline: true },
  } as pg.ClientConfig);
  await client.connect();
  return { client, socket };
}

const clients = new IdleList(await Promise.all(Array.from({ length: poolSize }, connect)));

await serveFloor(({ operation, parameters, tenant }: Call) =>
  clients.use(async ({ client, socket }) => {
    socket.cork();
    const flight = Promise.all([
      client.query(operation.writes ? 'begin' : 'begin read only'),
      client.query({ name: 'settings', text: settings, values: [role, tenant] }),
      client.query<string[]>({
        ...{ name: operation.name, text: operation.sql, values: [...parameters] },
        rowMode: 'array',
      }),
      client.query('commit'),
    ]);
    socket.uncork();
    const [, , { rows }] = await flight;
    return rows[0]?.[0] ?? '';
  }),
);
