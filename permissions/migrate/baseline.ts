import { join } from 'node:path';
import type pg from 'pg';
import { MigrationError } from '../errors.ts';
import {
  type History,
  type Migration,
  readHistory,
  recordMigration,
  refuseUnknown,
  withLockedHistory,
} from './history.ts';
import { readOptionalJson } from './optional-json.ts';
import { readSchemaFacts } from './schema-facts.ts';

/**
 * The content of `baseline.json`. A baseline is a set of migration files that replaces an older set with the same
 * result.
 */
interface Baseline {
  /**
   * Names of the new files, which are in the same folder. The list omits files that were added after the replacement.
   */
  readonly files: readonly string[];
  /** The replaced files: checksums by name. */
  readonly replaces: Readonly<Record<string, string>>;
  /** The definitions in a database after either set of files has run, in the format of readSchemaFacts. */
  readonly schema: Readonly<Record<string, string>>;
  /**
   * Functions whose new text differs in messages or names of local variables: their digests after the replaced files
   * have run. A database with this older text is recognised, too, and keeps it.
   */
  readonly reworded?: Readonly<Record<string, string>>;
}

interface Scope {
  readonly scope: string;
  readonly migrations: readonly Migration[];
}

/**
 * Handles a database on which the replaced migration files have run. When its schema equals the result of these files,
 * the new files are recorded as run, although they never ran there. Without a `baseline.json`, the function does
 * nothing.
 * @throws MigrationError when not all replaced files have run, when one was edited, or when the schema was changed
 */
export async function recordBaseline(
  client: pg.ClientBase,
  directory: string,
  target: Scope,
): Promise<void> {
  const baseline = await readOptionalJson<Baseline>(join(directory, 'baseline.json'));
  if (!baseline || !isOlder(await readHistory(client, target.scope), baseline)) return;
  await withLockedHistory(client, async () => {
    const history = await readHistory(client, target.scope);
    // Another process may have recorded the baseline before this process got the lock.
    if (!isOlder(history, baseline)) return;
    refuseIncomplete(history, baseline, target.scope);
    await refuseChangedSchema(client, baseline, target.scope);
    await replaceHistory(client, baseline, target);
  });
}

/**
 * Returns whether replaced files have run on the database. A replaced and a new file may have the same name, but never
 * the same checksum.
 */
function isOlder(history: History, { replaces }: Baseline): boolean {
  return [...history].some(([name, checksum]) => replaces[name] === checksum);
}

function refuseIncomplete(history: History, { replaces }: Baseline, scope: string): void {
  const older = Object.keys(replaces);
  const last = older.at(-1);
  const missing = older.find((name) => !history.has(name));
  if (missing !== undefined) {
    throw new MigrationError(
      `the database lacks migration ${scope}/${missing} of a history that this version replaced; run \`rowgate migrate\` of the last version that has ${scope}/${last}, then of this one`,
    );
  }
  const edited = older.find((name) => history.get(name) !== replaces[name]);
  if (edited !== undefined) {
    throw new MigrationError(
      `migration ${scope}/${edited} was edited before it ran, so its result is unknown; migrate a new database with this version and copy the rows into it`,
    );
  }
  refuseUnknown(history, older, scope);
}

/**
 * Refuses a database whose schema differs from the result of the replaced files. Added columns, indexes, triggers and
 * tables are allowed, because earlier versions ignored them, too.
 */
async function refuseChangedSchema(
  client: pg.ClientBase,
  { schema, reworded }: Baseline,
  scope: string,
): Promise<void> {
  const names = Object.keys(schema);
  const found = await readSchemaFacts(client, names);
  const missing = names.filter((name) => !found.has(name));
  const changed = names.filter((name) => {
    const digest = found.get(name);
    return digest !== undefined && digest !== schema[name] && digest !== reworded?.[name];
  });
  if (missing.length === 0 && changed.length === 0) return;
  throw new MigrationError(
    `the schema is not what the ${scope} migrations made (${[
      ...listed('missing', missing),
      ...listed('changed', changed),
    ].join(
      '; ',
    )}); undo these changes, run \`rowgate migrate\` and make them again. Nothing was changed`,
  );
}

const maxListed = 10;

function listed(label: string, names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  const rest = names.length - maxListed;
  const more = rest > 0 ? ` and ${rest} more` : '';
  return [`${label}: ${names.slice(0, maxListed).join(', ')}${more}`];
}

async function replaceHistory(
  client: pg.ClientBase,
  { files }: Baseline,
  { scope, migrations }: Scope,
): Promise<void> {
  await client.query('delete from rowgate.migration where scope = $1', [scope]);
  for (const migration of migrations) {
    if (files.includes(migration.name)) await recordMigration(client, scope, migration);
  }
}
