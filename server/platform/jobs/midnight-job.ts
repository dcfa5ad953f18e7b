import type pg from 'pg';
import { callFunction } from '../../schedules/call-function.ts';
import type { Job } from '../../schedules/job.ts';
import { runSteps, type Step } from '../../schedules/steps.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** Makes the job for the end of each day: snapshots, reports, expiry and cleanup. */
export function midnightJob(pool: pg.Pool, generateReports: () => Promise<number>): Job {
  return {
    name: 'midnight',
    run: async (context) => {
      const day = dayBefore(context.scheduledFor);
      const steps: readonly Step[] = [
        {
          name: 'snapshots',
          run: () => callFunction(pool, 'rowgate_jobs.snapshot_wallets($1)', [day]),
        },
        {
          name: 'fund_snapshots',
          run: () => callFunction(pool, 'rowgate_jobs.snapshot_funds($1)', [day]),
        },
        { name: 'reports', run: generateReports },
        {
          name: 'expired',
          run: () => callFunction(pool, 'rowgate_jobs.expire($1)', [`midnight/${day}`]),
        },
        ...(await cleanupSteps(pool)),
      ];
      const { ok, detail } = await runSteps(steps, context);
      return { ok, detail: { day, ...detail } };
    },
  };
}

/** Returns the last complete day in UTC before a time. */
function dayBefore(time: Date): string {
  return new Date(time.getTime() - dayMs).toISOString().slice(0, 10);
}

/** Returns one step for each `clean…` function of the platform's schemas, which deletes old rows. */
async function cleanupSteps(pool: pg.Pool): Promise<readonly Step[]> {
  const { rows } = await pool.query<{ readonly name: string; readonly call: string }>(
    `select n.nspname || '.' || p.proname as name, pg_catalog.format('%I.%I()', n.nspname, p.proname) as call
     from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
     where n.nspname in ('rowgate_jobs', 'rowgate_mail', 'rowgate_webhooks')
       and p.proname ~ '^clean(_|$)' and p.pronargs = p.pronargdefaults and not p.proretset
     order by 1`,
  );
  return rows.map(({ name, call }) => ({ name, run: () => callFunction(pool, call) }));
}
