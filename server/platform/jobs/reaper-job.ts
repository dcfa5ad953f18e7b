import type pg from 'pg';
import type pino from 'pino';
import { queueAgain } from '../../mail/mail-queue.ts';
import type { Queue } from '../../queue/open-queue.ts';
import { callFunction } from '../../schedules/call-function.ts';
import type { Job } from '../../schedules/job.ts';
import { runSteps, type Step } from '../../schedules/steps.ts';
import { sendCallbacks } from '../webhooks/callbacks/callback-queue.ts';

/** An event trigger whose deliveries fail. */
interface FailingTrigger {
  readonly trigger: string;
  /** The number of events whose delivery has failed for good. */
  readonly given_up: number;
  /** The number of events that were tried several times and still wait. */
  readonly late: number;
  readonly reason: string | null;
}

/** Rows that an operator must inspect. */
interface Findings {
  readonly count: number;
}

export interface ReaperOptions {
  readonly pool: pg.Pool;
  readonly queue: Queue;
  readonly logger: pino.Logger;
}

/**
 * Makes the job that finds failing webhooks, stuck deliveries and inconsistent data every few hours, and logs the rows
 * that an operator must inspect.
 */
export function reaperJob({ pool, queue, logger }: ReaperOptions): Job {
  const report = (call: string, message: string) => async () => {
    const findings = await callFunction<Findings>(pool, call);
    if (findings.count > 0) logger.warn({ findings }, message);
    return findings;
  };
  const steps: readonly Step[] = [
    { name: 'dead_runs', run: () => callFunction(pool, 'rowgate_events.mark_dead_runs()') },
    { name: 'failing_webhooks', run: () => reportFailingTriggers(pool, logger) },
    { name: 'events_sent_again', run: () => callFunction(pool, 'rowgate_jobs.resend_events()') },
    { name: 'callbacks_sent_again', run: () => resendCallbacks(pool, queue) },
    { name: 'mails_sent_again', run: () => resendMails(pool, queue) },
    { name: 'mails_late', run: () => callFunction(pool, 'rowgate_jobs.late_mails()') },
    {
      name: 'reports_again',
      run: () => callFunction(pool, 'rowgate_jobs.request_reports_again()'),
    },
    {
      name: 'stale_prices',
      run: () => callFunction(pool, "rowgate_jobs.mark_stale_prices('1 hour')"),
    },
    {
      name: 'stale_rates',
      run: () => callFunction(pool, "rowgate_jobs.mark_stale_rates('4 days')"),
    },
    {
      name: 'balances',
      run: report(
        'rowgate_jobs.balance_differences()',
        'balances of wallets differ from the sums of their transactions',
      ),
    },
    {
      name: 'late_transactions',
      run: report(
        'rowgate_jobs.late_transactions()',
        'transactions have been pending for more than a day',
      ),
    },
  ];
  return { name: 'reaper', run: (context) => runSteps(steps, context) };
}

async function reportFailingTriggers(
  pool: pg.Pool,
  logger: pino.Logger,
): Promise<readonly FailingTrigger[]> {
  const failing = await callFunction<readonly FailingTrigger[]>(
    pool,
    'rowgate_jobs.failing_triggers()',
  );
  for (const one of failing) {
    logger.error({ ...one }, 'the webhook of an event trigger fails');
    await callFunction(pool, 'rowgate_jobs.tell_platform_admins($1, $2)', [
      titleOf(one),
      bodyOf(one),
    ]);
  }
  return failing;
}

function titleOf({ trigger }: FailingTrigger): string {
  return `The webhook of ${trigger} fails`;
}

function bodyOf({ given_up, late, reason }: FailingTrigger): string {
  const counts = `${given_up} events were given up in the last 6 hours, ${late} are tried again.`;
  const last = reason === null ? '' : ` The last one: ${reason}.`;
  return `${counts}${last} rowgate events list shows them, rowgate events redeliver sends them again.`;
}

async function resendCallbacks(pool: pg.Pool, { boss }: Queue): Promise<number> {
  const { rows } = await pool.query<{ readonly id: string }>(
    'select id from rowgate_jobs.stuck_callbacks() id',
  );
  await sendCallbacks(
    boss,
    rows.map(({ id }) => id),
  );
  return rows.length;
}

async function resendMails(pool: pg.Pool, { boss }: Queue): Promise<number> {
  const { rows } = await pool.query<{ readonly id: string }>(
    'select id from rowgate_jobs.stuck_mails() id',
  );
  for (const { id } of rows) await queueAgain(boss, id);
  return rows.length;
}
