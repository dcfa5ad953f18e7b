import pino from 'pino';
import { loadModel } from '../../../../permissions/index.ts';
import { parseConfig } from '../../../../server/config/config.ts';
import { openEvents, type Tuning } from '../../../../server/events/open-events.ts';
import { openQueue } from '../../../../server/queue/open-queue.ts';
import { openPool } from '../../../support/open-pool.ts';

/** The options of a worker for the events of a metadata folder. */
export interface WorkerOrders {
  /** The URL of the sidecar login. */
  readonly url: string;
  readonly ownerUrl: string;
  readonly metadata: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly tuning: Partial<Tuning>;
  readonly superviseSeconds: number;
}

/** Starts a worker in this process. It delivers events until it is closed. */
export async function workAsOrdered(orders: WorkerOrders): Promise<{ close(): Promise<void> }> {
  const { url, ownerUrl, metadata, environment, tuning, superviseSeconds } = orders;
  const logger = pino({ level: 'warn' }, pino.destination(2));
  const { config } = parseConfig({ DATABASE_URL: ownerUrl, ...environment }, '/');
  const owner = openPool({ connectionString: ownerUrl, max: 1 });
  const { rolePrefix, headerPrefix } = config;
  const model = await loadModel({ metadata, client: owner, rolePrefix, headerPrefix });
  await owner.end();
  const pool = openPool({ connectionString: url });
  const queue = await openQueue({ url, works: true, superviseSeconds, logger });
  const events = await openEvents({
    config,
    queue,
    pool,
    listenUrl: url,
    model: () => model,
    platformSecret: 'p'.repeat(40),
    logger,
    tuning,
  });
  return {
    close: async () => {
      await events.close();
      await queue.close();
      await pool.end();
    },
  };
}
