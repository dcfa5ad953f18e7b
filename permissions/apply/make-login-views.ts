import type pg from 'pg';
import { defaultViewSchema } from '../access/login-view-names.ts';
import { loginViewsVersion } from '../compile/login-views.ts';
import { CommandError, sqlState } from '../errors.ts';
import type { LoadedModel } from '../model/load-model.ts';
import { readInstallation } from '../objects/state/installation.ts';
import type { Change } from '../plan/make-plan.ts';
import { type PrepareOptions, prepareLoaded } from '../plan/prepare.ts';
import type { RoleModel } from '../types/model.ts';
import { executePlan } from './apply-metadata.ts';

export interface MakeLoginViews extends Pick<PrepareOptions, 'login' | 'applicationSchemas'> {
  readonly loaded: LoadedModel;
  readonly role: RoleModel;
  /** Name of the schema of the views. Undefined: the schema that the role's views are in, or its default name. */
  readonly schema: string | undefined;
}

/**
 * Makes the schema with the views of a role for direct logins, in the transaction of the caller, and returns its name.
 * Later, apply keeps the views. When the role has its views already, nothing changes.
 * @throws CommandError RG_LOGIN when Postgres is too old, the schema belongs to others, or changes of the metadata are
 * not applied yet
 */
export async function makeLoginViews(
  client: pg.ClientBase,
  { loaded, role, schema: givenSchema, ...options }: MakeLoginViews,
): Promise<string> {
  if (loaded.catalog.data.serverVersion < loginViewsVersion) {
    throw refusal(
      'views for a login need Postgres 15 or later: before, a view reads with the rights of its owner, and row security would not apply to the login',
      'create the login without --views; it reads the columns of its role by name',
    );
  }
  const schema = await record(client, role, givenSchema);
  const prepared = await prepareLoaded(client, loaded, options);
  const pending = prepared.plan.changes.filter(
    (change) => change.action !== 'annotate' && !isOf(schema, change),
  );
  if (pending.length > 0) {
    throw refusal(
      `the database differs from the metadata in ${pending.length} objects, so the views would not fit the rights of role ${role.name}`,
      runApply,
    );
  }
  await executePlan(client, prepared);
  return schema;
}

/** Returns whether a change is one of the schema of views or of something in it. */
function isOf(schema: string, { kind, id }: Change): boolean {
  const kinds = ['login schema', 'login view', 'schema', 'grant'];
  return kinds.includes(kind) && JSON.parse(id)[1] === schema;
}

/** Records the schema of a role's views, unless it is recorded already, and returns its name. */
async function record(
  client: pg.ClientBase,
  { name }: RoleModel,
  givenSchema: string | undefined,
): Promise<string> {
  const recorded = (await readInstallation(client))?.viewSchemas;
  const existing = recorded?.get(name);
  const schema = givenSchema ?? existing ?? defaultViewSchema(name);
  if (existing === schema) return schema;
  if (existing !== undefined) {
    throw refusal(
      `the views of role ${name} are in schema "${existing}" already`,
      'leave --views-schema out',
    );
  }
  const { rowCount } = await client.query(
    'select from pg_catalog.pg_namespace n where n.nspname = $1',
    [schema],
  );
  if (rowCount !== 0 || [...(recorded?.values() ?? [])].includes(schema)) {
    throw refusal(`there is a schema "${schema}" already`, 'choose another with --views-schema');
  }
  await client.query(recordQuery, [name, schema]).catch((cause: unknown) => {
    // The column comes with a migration, which apply runs.
    throw sqlState(cause) === '42703'
      ? refusal('the database was prepared by an older version of Rowgate', runApply)
      : cause;
  });
  return schema;
}

const recordQuery =
  'update rowgate.installation set view_schemas = view_schemas || pg_catalog.jsonb_build_object($1::text, $2::text)';
const runApply = 'run `rowgate apply` first';

function refusal(message: string, hint: string): CommandError {
  return new CommandError('RG_LOGIN', message, { hint, exitCode: 1 });
}
