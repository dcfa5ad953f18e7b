import type { RequiredTable } from '../db/preparation.ts';

/** Tables from the newest migrations of the platform. When they exist, all migrations have run. */
export const platformTables: readonly RequiredTable[] = [
  { schema: 'rowgate_jobs', name: 'run' },
  { schema: 'rowgate_webhooks', name: 'linked' },
];
