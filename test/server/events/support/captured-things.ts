import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { inject } from 'vitest';
import { applyMetadata } from '../../../../permissions/index.ts';
import { type Program, startProgram } from '../../../support/program.ts';
import { compileCache } from '../../../support/rowgate.ts';
import type { EventWorld } from './event-world.ts';
import { type WorkerOrders, workAsOrdered } from './ordered-worker.ts';

const rules = `
table: thing
permissions: {}
events:
  thing_written:
    operations: [insert]
    webhook: '{{RECEIVER}}/written'
    retry: { limit: 20, interval: 1, max_interval: 1, timeout: 30 }
  thing_moved:
    operations: [update]
    order_by: [owner]
    webhook: '{{RECEIVER}}/moved'
    retry: { limit: 20, interval: 1, max_interval: 1, timeout: 30 }
`;

/**
 * Creates a table whose changes fire event triggers, and installs them as `rowgate apply` does.
 * Returns the metadata folder.
 */
export async function captureThings({ owner, config }: EventWorld): Promise<string> {
  await owner.query(
    'create table public.thing (id integer primary key, owner integer not null, step integer not null default 0)',
  );
  const metadata = await mkdtemp(path.join(inject('scratch'), 'things-'));
  await mkdir(path.join(metadata, 'tables'));
  await writeFile(path.join(metadata, 'roles.yaml'), 'roles: {}\n');
  await writeFile(path.join(metadata, 'tables/thing.yaml'), rules);
  const { rolePrefix, headerPrefix } = config;
  await applyMetadata(owner, { metadata, rolePrefix, headerPrefix, password: 'p'.repeat(20) });
  return metadata;
}

/** The database, rules and webhooks with which a worker process is started. */
type Place = readonly [
  world: Pick<EventWorld, 'database' | 'login'>,
  metadata: string,
  receiver: string,
];

/**
 * Starts a worker in another process and waits until it is ready. Its heartbeats are short, so that
 * another worker detects its death after about two seconds.
 */
export async function startWorkerProcess(...place: Place): Promise<Program> {
  const script = path.join(import.meta.dirname, 'worker-process.ts');
  const started = startProgram(process.execPath, [script], {
    env: { ...compileCache(), WORKER: JSON.stringify(ordersFor(...place)) },
  });
  await started.firstLine();
  return started;
}

/**
 * Starts the same worker in this process. This is much faster than a separate process, but a test cannot kill the
 * worker.
 */
export function startWorkerBeside(...place: Place): Promise<{ close(): Promise<void> }> {
  return workAsOrdered(ordersFor(...place));
}

function ordersFor(...[world, metadata, receiver]: Place): WorkerOrders {
  return {
    url: world.login.url,
    ownerUrl: world.database.ownerUrl,
    metadata,
    environment: { RECEIVER: receiver, ROWGATE_WEBHOOK_BASE_URL: receiver },
    tuning: { workerPollMs: 100, heartbeatSeconds: 1, deadPollSeconds: 0.5 },
    superviseSeconds: 1,
  };
}
