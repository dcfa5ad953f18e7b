import type pg from 'pg';
import { hasGatewaySchema } from '../state/inspect-state.ts';

/**
 * Whose the roles are: the installation's id and the database's name, since a copy of a database carries
 * the id along. Before the first apply there is none: then every role of a wanted name is somebody else's.
 */
export async function installationId(client: pg.ClientBase): Promise<string> {
  if (!(await hasGatewaySchema(client))) return 'new';
  const { rows } = await client.query<{ id: string }>(
    "select id || ' ' || pg_catalog.current_database() as id from rowgate.installation",
  );
  const [row] = rows;
  if (!row) {
    throw new Error('rowgate.installation holds no row; restore it or start with a new database');
  }
  return row.id;
}
