import type { RequiredTable } from '../db/preparation.ts';

/** All schemas that the migrations of the platform create. A test compares the list with the migrations. */
export const platformSchemas: readonly string[] = [
  'rowgate_auth',
  'rowgate_documents',
  'rowgate_jobs',
  'rowgate_mail',
  'rowgate_numbers',
  'rowgate_webhooks',
];

/** Tables from the newest migrations of the platform. Their existence shows that all migrations have run. */
export const platformTables: readonly RequiredTable[] = [
  { schema: 'rowgate_jobs', name: 'run' },
  { schema: 'rowgate_webhooks', name: 'linked' },
];
