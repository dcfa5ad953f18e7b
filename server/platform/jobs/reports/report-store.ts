import type pg from 'pg';
import type { ReportData } from './report-data.ts';

/** Takes the report that has waited longest and is not in `skipped`; undefined without such a report. */
export async function takeReport(
  pool: pg.Pool,
  skipped: readonly string[],
): Promise<string | undefined> {
  const { rows } = await pool.query<{ readonly id: string | null }>(
    'select rowgate_jobs.take_report($1::uuid[]) as id',
    [skipped],
  );
  return rows[0]?.id ?? undefined;
}

/** Reads the data of a report; undefined when another process has taken over the report. */
export async function readReport(
  pool: pg.Pool,
  id: string,
  maxRows: number,
): Promise<ReportData | undefined> {
  const { rows } = await pool.query<{ readonly data: ReportData | null }>(
    'select rowgate_jobs.report_data($1, $2) as data',
    [id, maxRows],
  );
  return rows[0]?.data ?? undefined;
}

/** A report file in the storage. */
export interface StoredReport {
  readonly name: string;
  readonly originalName: string;
  /** The size in bytes. */
  readonly size: number;
  /** The digest in hexadecimal. */
  readonly sha256: string;
}

/** Attaches a file to a report. Returns false when another process has finished the report. */
export async function finishReport(
  pool: pg.Pool,
  id: string,
  file: StoredReport,
): Promise<boolean> {
  const { rows } = await pool.query<{ readonly finished: boolean }>(
    'select rowgate_jobs.finish_report($1, $2::jsonb) as finished',
    [id, JSON.stringify(file)],
  );
  return rows[0]?.finished === true;
}

/**
 * Marks a report as failed.
 * @param reason a text for the requester
 */
export async function giveUpReport(pool: pg.Pool, id: string, reason: string): Promise<void> {
  await pool.query('select rowgate_jobs.give_up_report($1, $2)', [id, reason]);
}

/** Returns a report to the queue. */
export async function returnReport(pool: pg.Pool, id: string): Promise<void> {
  await pool.query('select rowgate_jobs.return_report($1)', [id]);
}
