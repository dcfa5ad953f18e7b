import { timingSafeEqual } from 'node:crypto';
import express from 'express';
import pg from 'pg';
import { operations, parametersOf, type Variables } from '../throughput/operations.ts';
import { contenderSettings, listen } from './listen.ts';

// A careful hand-written endpoint for a few fixed queries, with which the other contenders are compared. Each request
// is one pipelined transaction with prepared statements in the same Postgres role as the other contenders.
const { gatewayUrl, secret, poolSize, role } = contenderSettings();
const pool = new pg.Pool({
  ...{ connectionString: gatewayUrl, max: poolSize, pipeline: true },
} as pg.PoolConfig);
const byQuery = new Map(operations.map((operation) => [operation.hasura, operation]));
const settings = `select set_config('role', $1, true), set_config('gql.tenant_id', $2, true),
  set_config('statement_timeout', '15000', true), set_config('search_path', 'pg_catalog, pg_temp', true)`;

async function answer(query: string, variables: Variables, tenant: string) {
  const operation = byQuery.get(query);
  if (!operation) throw new Error('an unknown operation');
  const client = await pool.connect();
  try {
    const [, , result] = await Promise.all([
      client.query(operation.writes ? 'begin' : 'begin read only'),
      client.query({ name: 'settings', text: settings, values: [role, tenant] }),
      client.query<string[]>({
        name: operation.name,
        text: operation.sql,
        values: [...parametersOf(variables)],
        rowMode: 'array',
      }),
      client.query('commit'),
    ]);
    return result.rows[0]?.[0];
  } finally {
    client.release();
  }
}

const app = express().disable('x-powered-by').disable('etag');
app.post('/v1/graphql', express.json(), async (request, response) => {
  const given = Buffer.from(String(request.headers['x-gql-admin-secret']));
  if (given.length !== secret.length || !timingSafeEqual(given, Buffer.from(secret))) {
    response.status(401).end();
    return;
  }
  const { query, variables } = request.body;
  const data = await answer(query, variables, String(request.headers['x-gql-tenant-id']));
  response.type('json').send(`{"data":${data}}`);
});
await listen(app);
