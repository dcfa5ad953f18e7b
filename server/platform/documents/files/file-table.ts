import type pg from 'pg';

/** The purpose and the owner of uploaded files. */
export interface UploadRequest {
  readonly purpose: string;
  readonly ownerUserId: string;
  /** The organization that the owner must belong to; absent: any organization. */
  readonly organizationId: string | undefined;
  readonly caseId: string | undefined;
  readonly kycProfileId: string | undefined;
  /** The id of the administrator who uploads; absent when a program uploads. */
  readonly createdBy: string | undefined;
}

/** A file to record in the database. */
export interface NewFile {
  /** The name in the storage. */
  readonly name: string;
  readonly originalName: string;
  readonly contentType: string;
  /** In bytes. */
  readonly size: number;
  /** In hexadecimal. */
  readonly sha256: string;
}

/** A file that is recorded in the database. */
export interface RecordedFile extends Omit<NewFile, 'name'> {
  readonly ownerUserId: string;
  readonly createdAt: Date;
}

export type StoreOutcome =
  | { readonly ids: readonly string[] }
  | { readonly missing: 'owner' | 'case' | 'kyc_profile' };

/** Records files in one transaction and returns their ids in the same order. */
export async function recordFiles(
  client: pg.ClientBase,
  request: UploadRequest,
  files: readonly NewFile[],
): Promise<StoreOutcome> {
  const { rows } = await client.query<{ readonly outcome: StoreOutcome }>({
    text: 'select rowgate_documents.store_files($1::jsonb) as outcome',
    values: [JSON.stringify({ ...request, files })],
  });
  const [row] = rows;
  if (!row) throw new Error('the database returned no result for recorded files');
  return row.outcome;
}

interface Row {
  readonly user_id: string;
  readonly original_name: string;
  readonly content_type: string;
  /** A bigint, which pg returns as text. */
  readonly size: string;
  readonly sha256: string;
  readonly created_at: Date;
}

/** Finds the record of a file by its name in the storage. */
export async function findFile(pool: pg.Pool, name: string): Promise<RecordedFile | undefined> {
  const { rows } = await pool.query<Row>({
    name: 'find_file',
    text: `select f.user_id, f.original_name, f.content_type, f.size, f.sha256, f.created_at
      from rowgate_documents.find_file($1) f`,
    values: [name],
  });
  const [row] = rows;
  return (
    row && {
      ownerUserId: row.user_id,
      originalName: row.original_name,
      contentType: row.content_type,
      size: Number(row.size),
      sha256: row.sha256,
      createdAt: row.created_at,
    }
  );
}

/** Returns the names without a record. */
export async function namesWithoutFile(
  pool: pg.Pool,
  names: readonly string[],
): Promise<readonly string[]> {
  const { rows } = await pool.query<{ readonly name: string }>(
    'select n.name from rowgate_documents.names_without_file($1::text[]) n(name)',
    [names],
  );
  return rows.map(({ name }) => name);
}

/** Returns the identifier of this installation, which marks a storage as owned by this database. */
export async function installationOf(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ readonly installation: string }>(
    'select rowgate_documents.installation() as installation',
  );
  const [row] = rows;
  if (!row) throw new Error('the database returned no identifier');
  return row.installation;
}
