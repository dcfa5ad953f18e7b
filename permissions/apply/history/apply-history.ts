import type pg from 'pg';
import { readsTables } from '../../objects/state/installation.ts';
import { changesNothing, type Plan } from '../../plan/make-plan.ts';
import {
  type AppliedMetadata,
  hashFiles,
  packMetadata,
  unpackMetadata,
  withoutKeys,
} from './applied-metadata.ts';

/** Who applies, and from where. */
export interface Applier {
  /** The person or program, e.g. the user of the operating system. */
  readonly actor: string | undefined;
  /** The git commit of the metadata folder, with `-dirty` if files differ from it. */
  readonly revision: string | undefined;
  /** The version of the program. */
  readonly version: string;
}

/** A recorded apply. */
export interface ApplyRecord {
  /** The number by which `rollback` names the apply. */
  readonly id: number;
  /** ISO 8601. */
  readonly endedAt: string;
  readonly login: string;
  readonly actor: string | null;
  readonly revision: string | null;
  readonly version: string;
  readonly filesHash: string | null;
  /** The changes for each role, compared with the apply before. */
  readonly words: readonly string[];
  /** The changes of database objects. */
  readonly plan: readonly string[];
  /** Why the apply failed; null for one that succeeded. */
  readonly error: string | null;
  /** Whether the metadata of the apply are kept, so that it can be exported and rolled back to. */
  readonly hasFiles: boolean;
}

/** Number of applies whose metadata are kept. */
const keptSources = 100;

/** Maximum length of a recorded error. */
const maxErrorLength = 4000;

interface RecordedWork {
  readonly plan: Plan;
  readonly words: readonly string[];
  readonly applier: Applier;
}

/** Records a successful apply, in its transaction. Omits one that changed neither the database nor the files. */
export async function recordApply(
  client: pg.ClientBase,
  { files, catalog }: AppliedMetadata,
  { plan, words, applier }: RecordedWork,
): Promise<void> {
  const open = await withoutKeys(files);
  const hash = hashFiles(open.files);
  const { rows } = await client.query<{ same: boolean }>(
    `select h.files_hash = $1 as same from rowgate.apply_history h where h.error is null order by h.id desc limit 1`,
    [hash],
  );
  if (rows[0]?.same && changesNothing(plan)) return;
  const { actor, revision, version } = applier;
  const labels = plan.changes.flatMap(({ action, kind, label }) =>
    kind === 'fingerprint' ? [] : [`${action} ${label}`],
  );
  const source = open.isComplete ? await packMetadata({ files: open.files, catalog }) : null;
  await client.query(
    `insert into rowgate.apply_history (actor, revision, program_version, files_hash, words, plan, source)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [actor, revision, version, hash, words, labels, source],
  );
  await client.query(
    `update rowgate.apply_history set source = null where source is not null
     and id <= (select h.id from rowgate.apply_history h where h.source is not null order by h.id desc offset ${keptSources} limit 1)`,
  );
}

/** Records a failed apply after its rollback. A record that cannot be written does not hide the failure. */
export async function recordFailure(
  client: pg.ClientBase,
  error: unknown,
  { actor, revision, version }: Applier,
): Promise<void> {
  const message = (error instanceof Error ? error.message : String(error)).slice(0, maxErrorLength);
  await client
    .query(
      'insert into rowgate.apply_history (actor, revision, program_version, error) values ($1, $2, $3, $4)',
      [actor, revision, version, message],
    )
    .catch(() => {});
}

/**
 * Returns the newest records first. Undefined when the table does not exist, or the login may not read it.
 * @param before only records with a smaller id
 */
export async function readHistory(
  client: pg.ClientBase,
  limit: number,
  before?: number,
): Promise<readonly ApplyRecord[] | undefined> {
  if (!(await hasHistory(client))) return undefined;
  const { rows } = await client.query<ApplyRecord>(
    `select id::int as id, pg_catalog.to_char(ended_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "endedAt",
       login, actor, revision, program_version as version, files_hash as "filesHash", words, plan, error,
       source is not null as "hasFiles"
     from rowgate.apply_history h where $2::bigint is null or h.id < $2 order by h.id desc limit $1`,
    [limit, before],
  );
  return rows;
}

/** Reads the metadata of an apply; without an id, of the last one that succeeded. Undefined when none is recorded. */
export async function readAppliedMetadata(
  client: pg.ClientBase,
  id?: number,
): Promise<AppliedMetadata | undefined> {
  if (!(await hasHistory(client))) return undefined;
  const { rows } = await client.query<{ source: Buffer | null }>(
    `select h.source from rowgate.apply_history h where h.error is null and ($1::bigint is null or h.id = $1)
     order by h.id desc limit 1`,
    [id ?? null],
  );
  const [row] = rows;
  return row?.source ? unpackMetadata(row.source) : undefined;
}

/** The table is missing until the migrations of this version have run. */
async function hasHistory(client: pg.ClientBase): Promise<boolean> {
  if ((await readsTables(client)) !== true) return false;
  const { rows } = await client.query<{ found: boolean }>(
    "select pg_catalog.to_regclass('rowgate.apply_history') is not null as found",
  );
  return rows[0]?.found === true;
}
