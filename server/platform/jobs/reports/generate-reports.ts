import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import type pino from 'pino';
import type { Format } from '../../../rendering/format.ts';
import type { PdfRenderer } from '../../../rendering/pdf/pdf-renderer.ts';
import type { FileStorage } from '../../../storage/storage.ts';
import { reasonToGiveUp, renderWithRetry } from './render-with-retry.ts';
import { reportDocument } from './report-document.ts';
import {
  finishReport,
  giveUpReport,
  readReport,
  returnReport,
  type StoredReport,
  takeReport,
} from './report-store.ts';

export interface ReportServices {
  /** Connections of the sidecar login, with which the server accesses everything except the data API. */
  readonly pool: pg.Pool;
  readonly storage: FileStorage;
  readonly renderer: PdfRenderer;
  readonly format: Format;
  readonly logger: pino.Logger;
}

/** The maximum number of rows in each table of a report. A report with more rows could not be printed. */
const maxRows = 4000;

/**
 * Creates all requested reports one after the other. Several processes can share the work. A report that fails waits
 * for the next run and does not block the others.
 * @returns the number of reports that were finished
 * @throws AggregateError when some reports failed for a reason other than their contents
 */
export async function generateReports(services: ReportServices): Promise<number> {
  const { pool, logger } = services;
  const seen: string[] = [];
  const failures: unknown[] = [];
  let ready = 0;
  for (let id = await takeReport(pool, seen); id; id = await takeReport(pool, seen)) {
    seen.push(id);
    try {
      if (await makeReport(id, services)) ready += 1;
    } catch (error) {
      logger.error(
        { err: error, report: id },
        'a report could not be created; it waits for the next run',
      );
      failures.push(error);
      await returnReport(pool, id);
    }
  }
  if (failures.length > 0) {
    throw new AggregateError(failures, `${failures.length} reports could not be created`);
  }
  return ready;
}

async function makeReport(id: string, services: ReportServices): Promise<boolean> {
  const { pool, renderer, format } = services;
  const data = await readReport(pool, id, maxRows + 1);
  if (!data) return false;
  const refusal = reasonToRefuse(data);
  if (refusal !== undefined) return giveUp(id, refusal, services);
  const rendered = await renderWithRetry(renderer, reportDocument(data, format, new Date())).catch(
    (error: unknown) => ({ error }),
  );
  if (rendered instanceof Uint8Array) {
    const file = await storeFile(rendered, data.head.title, services);
    if (await finishReport(pool, id, file)) return true;
    // Another process has finished the report first and attached another file, so this file is removed.
    await services.storage.remove(file.name);
    return false;
  }
  const reason = reasonToGiveUp(rendered.error);
  if (reason === undefined) throw rendered.error;
  return giveUp(id, reason, services);
}

async function giveUp(
  id: string,
  reason: string,
  { pool, logger }: ReportServices,
): Promise<false> {
  logger.warn({ report: id, reason }, 'a report was given up');
  await giveUpReport(pool, id, reason);
  return false;
}

type Data = NonNullable<Awaited<ReturnType<typeof readReport>>>;

function reasonToRefuse({ head, rows }: Data): string | undefined {
  if (head.kind === 'fund' && !head.fund) return 'the report names no fund';
  const isTooLong = Object.values(rows).some(({ length }) => length > maxRows);
  return isTooLong
    ? 'there is more in this period than can be printed; choose a shorter one'
    : undefined;
}

async function storeFile(
  bytes: Uint8Array,
  title: string,
  { storage }: ReportServices,
): Promise<StoredReport> {
  const name = `${randomBytes(24).toString('base64url')}.pdf`;
  const folder = await mkdtemp(path.join(tmpdir(), 'rowgate-report-'));
  try {
    const file = path.join(folder, 'report.pdf');
    await writeFile(file, bytes, { mode: 0o600 });
    await storage.store(name, file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { name, originalName: fileName(title), size: bytes.length, sha256 };
}

/** Makes a valid file name from the title of a report. */
function fileName(title: string): string {
  const plain = title
    .toWellFormed()
    .replaceAll(/[\p{C}\u2028\u2029/\\:*?"<>|]+/gu, ' ')
    .trim();
  return `${[...plain].slice(0, 100).join('').trim() || 'report'}.pdf`;
}
