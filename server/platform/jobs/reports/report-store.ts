import type pg from 'pg';
import type { ReportData } from './report-data.ts';

/** The report that has waited longest, but none of those passed; undefined where there is none. */
export async function takeReport(
  pool: pg.Pool,
  passed: readonly string[],
): Promise<string | undefined> {
  const { rows } = await pool.query<{ readonly id: string | null }>(
    'select rowgate_jobs.take_report($1::uuid[]) as id',
    [passed],
  );
  return rows[0]?.id ?? undefined;
}

/** Undefined where the report is no longer this process's to make. */
export async function readReport(
  pool: pg.Pool,
  id: string,
  mostRows: number,
): Promise<ReportData | undefined> {
  const { rows } = await pool.query<{ readonly data: ReportData | null }>(
    'select rowgate_jobs.report_data($1, $2) as data',
    [id, mostRows],
  );
  return rows[0]?.data ?? undefined;
}

/** A file that lies in the storage. */
export interface StoredReport {
  readonly name: string;
  readonly originalName: string;
  /** In bytes. */
  readonly size: number;
  /** In hexadecimal. */
  readonly sha256: string;
}

/** Whether the file is the report's now. */
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

/** @param reason for whoever asked for the report */
export async function giveUpReport(pool: pg.Pool, id: string, reason: string): Promise<void> {
  await pool.query('select rowgate_jobs.give_up_report($1, $2)', [id, reason]);
}

/** Lets it wait for another time. */
export async function returnReport(pool: pg.Pool, id: string): Promise<void> {
  await pool.query('select rowgate_jobs.return_report($1)', [id]);
}
