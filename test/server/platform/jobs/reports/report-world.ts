import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import type pg from 'pg';
import pino from 'pino';
import { inject } from 'vitest';
import { generateReports } from '../../../../../server/platform/jobs/reports/generate-reports.ts';
import { makeFormat } from '../../../../../server/rendering/format.ts';
import {
  openPdfRenderer,
  type PdfRenderer,
} from '../../../../../server/rendering/pdf/pdf-renderer.ts';
import { openStorage } from '../../../../../server/storage/open-storage.ts';
import type { FileStorage } from '../../../../../server/storage/storage.ts';
import { createDatabase, type TestDatabase } from '../../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../../support/http.ts';
import { openTestPool } from '../../../../support/sidecar-pool.ts';
import { startLocalIssuer } from '../../accounts/support/local-issuer.ts';

/**
 * A platform that generates reports. The demo data requests none, so only reports of the test are
 * generated.
 */
export interface ReportWorld {
  readonly server: TestServer;
  readonly owner: pg.Client;
  readonly renderer: PdfRenderer;
  readonly storage: FileStorage;
  /** Generates all requested reports, optionally with other services such as a full PDF queue. */
  generate(parts?: {
    readonly storage?: FileStorage;
    readonly renderer?: PdfRenderer;
  }): Promise<number>;
  /** Inserts a request for a report on the year 2025, and returns its id. */
  request(columns: Readonly<Record<string, unknown>>): Promise<string>;
  // biome-ignore lint/suspicious/noExplicitAny: columns are what the test is about
  row(text: string, values?: readonly unknown[]): Promise<any>;
  /** Downloads the file of a report as a person, over HTTP. */
  open(id: string, person: string): Promise<Response>;
  /** Returns the contents of the stored file of a report. */
  fileOf(id: string): Promise<Buffer>;
  close(): Promise<void>;
}

export async function openReportWorld(): Promise<ReportWorld> {
  const database: TestDatabase = await createDatabase({ from: 'applied' });
  const folder = await mkdtemp(path.join(inject('scratch'), 'reports-'));
  const issuer = await startLocalIssuer();
  const environment = { ...issuer.environment, ROWGATE_STORAGE_URL: `file://${folder}` };
  const server = await startTestServer({ database, rest: true, graphql: false, environment });
  const owner = await database.connectOwner();
  await owner.query(`delete from public.report where status in ('requested', 'generating')`);
  const pool = await openTestPool(server.config, database);
  const { brand } = server.config.documents;
  const renderer = openPdfRenderer({ brand, workers: 1, queue: 4 });
  const storage = await openStorage(server.config.storage);
  const logger = pino({ level: 'silent' });
  const services = { pool, storage, renderer, format: makeFormat('en-GB'), logger };
  const row: ReportWorld['row'] = async (text, values = []) =>
    (await owner.query(text, [...values])).rows[0];
  const nameOf = async (id: string): Promise<string> => {
    const found = await row(
      'select f.name from public.report r join public.uploaded_file f on f.id = r.uploaded_file_id where r.id = $1',
      [id],
    );
    return found.name;
  };
  return {
    server,
    owner,
    renderer,
    storage,
    row,
    generate: (parts = {}) => generateReports({ ...services, ...parts }),
    request: async (columns) => {
      const all = {
        title: 'Our report',
        status: 'requested',
        period_from: '2025-01-01',
        period_to: '2025-12-31',
        ...columns,
      };
      const { id } = await row(
        `insert into public.report (${Object.keys(all).join(', ')})
         values (${Object.keys(all).map((_, index) => `$${index + 1}`)}) returning id`,
        Object.values(all),
      );
      return id;
    },
    open: async (id, person) => {
      const Authorization = `Bearer ${await issuer.tokenFor(person)}`;
      return server.fetch(`/static/file-uploads/${await nameOf(id)}`, {
        headers: { Authorization },
      });
    },
    fileOf: async (id) => {
      const stream = await storage.read(await nameOf(id));
      return stream ? buffer(stream) : Buffer.alloc(0);
    },
    close: async () => {
      await renderer.close();
      await pool.end();
      await server.stop();
      await issuer.stop();
      await database.drop();
    },
  };
}
