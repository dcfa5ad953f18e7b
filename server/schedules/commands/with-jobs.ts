import type pg from 'pg';
import type { ServerContext } from '../../cli/command-context.ts';
import { withOwnerPool } from '../../cli/with-owner-pool.ts';

/** Runs work with a pool of the owner. @throws ProcessError RG_NOT_PREPARED when the tables of schedules are missing */
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

/** Replaces control characters, because the answer of a receiver may contain any text. */
export function onTerminal(line: string): string {
  return line.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?');
}
