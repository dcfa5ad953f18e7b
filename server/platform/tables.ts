import type { RequiredTable } from '../db/preparation.ts';

/** The tables that the newest migrations of the platform made. */
export const platformTables: readonly RequiredTable[] = [
  { schema: 'rowgate_jobs', name: 'run' },
  { schema: 'rowgate_webhooks', name: 'linked' },
];
