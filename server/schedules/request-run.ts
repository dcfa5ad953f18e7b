import type pg from 'pg';
import type { PgBoss } from 'pg-boss';
import type { Schedule } from '../../permissions/index.ts';
import { inTransaction } from '../db/with-transaction.ts';
import { within } from '../queue/open-queue.ts';
import { withQueue } from '../queue/with-queue.ts';
import { readLastRuns } from './run-store.ts';
import { type DueSchedule, jobLimits } from './sync-schedules.ts';

/** The queue of runs that a person has requested. */
export const requestedQueue = 'schedules-requested';

/**
 * The result of a request. `requested`: a worker will run the schedule once. `waiting`: an earlier request waits or
 * runs. `running`: the schedule runs because it was due. `changed`: a run has begun that the person has not seen.
 */
export type Requested = 'requested' | 'waiting' | 'running' | 'changed';

/** Creates the queue. It accepts a job for a schedule only when the earlier one has ended. */
export async function prepareRequestedQueue(boss: PgBoss): Promise<void> {
  await boss.createQueue(requestedQueue, { policy: 'exclusive', notify: true });
}

/**
 * Requests one run of a schedule by a worker. Of several equal requests, one is accepted: the queue refuses them while
 * the run waits or runs, and afterwards the last run is not the one that they name.
 * @param after the id of the last run that the person has seen; undefined: the schedule never ran
 */
export function requestRun(
  client: pg.ClientBase,
  ownerUrl: string,
  schedule: Schedule,
  after: string | undefined,
): Promise<Requested> {
  const { name } = schedule;
  return withQueue(ownerUrl, async (boss) => {
    await prepareRequestedQueue(boss);
    let refused: Requested | undefined;
    await inTransaction(client, async () => {
      // First the job, because another request waits here until this transaction ends.
      const data: DueSchedule = { schedule: name };
      const id = await boss.send(requestedQueue, data, {
        ...{ ...jobLimits(schedule), singletonKey: name, retryLimit: 0 },
        ...within(client),
      });
      const last = (await readLastRuns(client, [name])).get(name);
      if (id === null) refused = 'waiting';
      else if (last?.outcome === 'running') refused = 'running';
      else if (last?.id !== after) refused = 'changed';
      if (refused) throw new NotRequested();
    }).catch((error: unknown) => {
      if (!(error instanceof NotRequested)) throw error;
    });
    return refused ?? 'requested';
  });
}

/** Rolls a request back. */
class NotRequested extends Error {}
