import type pg from 'pg';
import { ask } from '../../schedules/ask.ts';
import type { Job } from '../../schedules/job.ts';
import { runSteps, type Step } from '../../schedules/steps.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** What is done once a day, at its end: snapshots, reports, ends of what has expired, clean-up. */
export function midnightJob(pool: pg.Pool, generateReports: () => Promise<number>): Job {
  return {
    name: 'midnight',
    run: async (context) => {
      const day = dayBefore(context.scheduledFor);
      const steps: readonly Step[] = [
        {
          name: 'snapshots',
          run: () => ask(pool, 'rowgate_jobs.snapshot_wallets($1)', [day]),
        },
        { name: 'fund_snapshots', run: () => ask(pool, 'rowgate_jobs.snapshot_funds($1)', [day]) },
        { name: 'reports', run: generateReports },
        { name: 'expired', run: () => ask(pool, 'rowgate_jobs.expire($1)', [`midnight/${day}`]) },
        ...(await cleaners(pool)),
      ];
      const { ok, detail } = await runSteps(steps, context);
      return { ok, detail: { day, ...detail } };
    },
  };
}

/** The day in UTC that was over at a time. */
function dayBefore(time: Date): string {
  return new Date(time.getTime() - dayMs).toISOString().slice(0, 10);
}

/** Each schema that keeps things for some time has functions of its own that forget them. */
async function cleaners(pool: pg.Pool): Promise<readonly Step[]> {
  const { rows } = await pool.query<{ readonly name: string; readonly call: string }>(
    `select n.nspname || '.' || p.proname as name, pg_catalog.format('%I.%I()', n.nspname, p.proname) as call
     from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
     where n.nspname in ('rowgate_jobs', 'rowgate_mail', 'rowgate_webhooks')
       and p.proname ~ '^clean(_|$)' and p.pronargs = p.pronargdefaults and not p.proretset
     order by 1`,
  );
  return rows.map(({ name, call }) => ({ name, run: () => ask(pool, call) }));
}
