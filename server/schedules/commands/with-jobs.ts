import type pg from 'pg';
import type { ServerContext } from '../../cli/command-context.ts';
import { withOwnerPool } from '../../cli/with-owner-pool.ts';

/** @throws ProcessError RG_NOT_PREPARED where the database lacks the history of schedules */
export function withJobs<T>(
  context: ServerContext,
  work: (pool: pg.Pool) => Promise<T>,
): Promise<T> {
  return withOwnerPool(
    context,
    { relation: 'rowgate_events.schedule_run', subject: 'schedules' },
    work,
  );
}

/** As a terminal can show it: what a receiver has answered may hold anything. */
export function onTerminal(line: string): string {
  return line.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?');
}
