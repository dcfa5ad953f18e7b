import { Gauge, type Registry } from 'prom-client';
import type { RequestPool } from '../../db/requests/request-pool.ts';

/** Publishes the use of connections, by the name of their pool. */
export function publishPools(
  registry: Registry,
  pools: Readonly<Record<string, RequestPool>>,
): void {
  new Gauge({
    name: 'rowgate_connections',
    help: 'Connections of this process to the database: in use, idle, and the most that it may open',
    labelNames: ['pool', 'state'],
    registers: [registry],
    collect() {
      for (const [pool, { use }] of Object.entries(pools)) {
        for (const state of ['used', 'idle', 'max'] as const) this.set({ pool, state }, use[state]);
      }
    },
  });
  new Gauge({
    name: 'rowgate_connection_waits',
    help: 'Requests of this process that wait for a connection to the database',
    labelNames: ['pool'],
    registers: [registry],
    collect() {
      for (const [pool, { use }] of Object.entries(pools)) this.set({ pool }, use.waiting);
    },
  });
}
