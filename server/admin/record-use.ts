import type pg from 'pg';

/** A use of an endpoint for admins, without the values of rows and variables. */
export interface AdminUse {
  readonly actor: string;
  /** The id of the person whom the application has signed in. */
  readonly person?: string | undefined;
  /** The path of the endpoint. */
  readonly endpoint: string;
  readonly requestId: string;
  readonly role?: string | undefined;
  readonly table?: string | undefined;
  readonly operation?: string | undefined;
  /** The event, event trigger, schedule or mail, or the ids of rows in a section of the application. */
  readonly subject?: string | undefined;
  /** Names of the columns of the key, and of those to read or write. */
  readonly columns?: readonly string[] | undefined;
  /** Names of the session variables. */
  readonly variables?: readonly string[] | undefined;
}

/** Records the beginning of a use. Returns the id of the record. */
export async function recordUse(client: pg.ClientBase, use: AdminUse): Promise<string> {
  const { actor, person, endpoint, requestId, role, table, operation, subject } = use;
  const { columns = [], variables = [] } = use;
  const { rows } = await client.query<{ readonly id: string }>(
    `insert into rowgate.admin_use (actor, person, endpoint, request_id, role, relation, operation, subject, columns, variables)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning id`,
    [actor, person, endpoint, requestId, role, table, operation, subject, columns, variables],
  );
  const [row] = rows;
  if (!row) throw new Error('the use was not recorded');
  return row.id;
}

/** Records the status of the answer. */
export async function recordStatus(
  client: pg.ClientBase,
  id: string,
  status: number,
): Promise<void> {
  await client.query('update rowgate.admin_use set status = $2 where id = $1', [id, status]);
}
