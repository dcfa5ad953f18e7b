import { Counter, Gauge, type Registry } from 'prom-client';
import { protocols } from './protocols.ts';

export type SocketMetrics = ReturnType<typeof makeSocketMetrics>;

/** Makes the metrics of sockets, and registers them if a registry is given. */
export function makeSocketMetrics(registry: Registry | undefined) {
  const registers = registry ? [registry] : [];
  const metrics = {
    open: new Gauge({
      name: 'rowgate_sockets',
      help: 'Sockets of the data API that are open, by the protocol that they speak',
      labelNames: ['protocol'],
      registers,
    }),
    operations: new Counter({
      name: 'rowgate_socket_operations_total',
      help: 'Operations that came by a socket: answered with data or with an error',
      labelNames: ['outcome'],
      registers,
    }),
  };
  for (const protocol of protocols.keys()) metrics.open.set({ protocol }, 0);
  for (const outcome of ['data', 'error']) metrics.operations.inc({ outcome }, 0);
  return metrics;
}
