import pg from 'pg';
import { statementLines } from '../diagnostics.ts';
import { CommandError } from '../errors.ts';
import { shown } from '../text/characters.ts';
import { gatewaySchemas } from '../text/object-names.ts';
import { closedFindings, closedObjects } from './closed-installation.ts';
import { type CommandLogin, readLogin } from './login.ts';
import {
  administer,
  become,
  exclusiveOwner,
  name,
  type ObjectOwner,
  own,
  parameterTypes,
  powerfulRole,
  qualifiedName,
  relationKind,
  type Signature,
  signature,
} from './statements.ts';

const insufficientPrivilege = '42501';

/**
 * Finds Postgres's error about a missing privilege: the error itself or one of its causes. Returns undefined for other
 * errors, and for errors that a command has explained already.
 */
export function refusalIn(error: unknown): pg.DatabaseError | undefined {
  if (error instanceof pg.DatabaseError)
    return error.code === insufficientPrivilege ? error : undefined;
  if (error instanceof CommandError || !(error instanceof Error)) return undefined;
  return refusalIn(error.cause);
}

/**
 * Makes the error that the terminal shows for a missing privilege: who lacks what, and the statements that give it.
 * @param client another connection of the login, or the same one outside a failed transaction
 * @param error the error of Postgres, or one that it caused
 */
export async function explainRefusal(client: pg.ClientBase, error: Error): Promise<CommandError> {
  const refusal = refusalIn(error) ?? error;
  const login = await readLogin(client);
  const statements = await refusalStatements(client, refusal);
  const lines = statementLines([
    { code: 'RG_NOT_OWNER', severity: 'error', message: '', statements },
  ]);
  return new CommandError(
    'RG_NOT_OWNER',
    shown(
      `login "${login.name}" may not do this in database "${login.database}": ${error.message}`,
    ),
    {
      hint:
        lines.length > 0
          ? lines.join('\n  ')
          : "let DATABASE_URL log in as the owner of the tables and of Rowgate's schemas, with CREATEROLE",
      exitCode: 1,
      cause: error,
    },
  );
}

/**
 * Makes the statements that give the privilege that a message of Postgres reports as missing. `named` is the first
 * group of the pattern.
 */
type Explanation = (
  named: string,
  scope: { readonly client: pg.ClientBase; readonly login: CommandLogin },
) => Promise<readonly string[]> | readonly string[];

const createRoles: Explanation = (_, { login }) => [`alter role ${name(login.name)} createrole`];

/**
 * The messages and details of Postgres, in the order in which they are tried. Each pattern covers a whole text and has
 * quotes only around the name, which can hold quotes itself. A server with other than English messages matches none,
 * and its message is shown with general advice.
 */
const explanations: readonly (readonly [RegExp, Explanation])[] = [
  [/^[a-z ]*ADMIN option on (?:the )?role "(.+)"[a-z ]*\.?$/is, administerRole],
  [/^permission denied to (?:create|alter|drop) role$|^must have CREATEROLE/, createRoles],
  [/^must be (?:a )?member of role "(.+)"$/s, becomeRole],
  [/^must be able to SET ROLE "(.+)"$/s, becomeRole],
  [/^permission denied to create extension "(.+)"$/s, createExtension],
  [
    /^permission denied for database (.+)$/s,
    (database, { login }) =>
      database === login.database
        ? [`grant create on database ${name(database)} to ${name(login.name)}`]
        : [],
  ],
  [/^(?:permission denied for|must be owner of) schema (.+)$/s, useSchema],
  [/^(?:permission denied for|must be owner of) function (.+)$/s, ownFunction],
  [
    /^(?:permission denied for|must be owner of) (?:table|relation|view|materialized view|sequence|foreign table) (.+)$/s,
    ownRelation,
  ],
];

/**
 * The functions of Postgres that report a missing privilege. Functions of the database can raise errors with the same
 * code and any text, and these come from other places, e.g. `exec_stmt_raise`.
 */
const reporters: ReadonlySet<string | undefined> = new Set([
  'aclcheck_error',
  'check_can_set_role',
  'check_is_member_of_role',
  'check_object_ownership',
  'check_role_grantor',
  'check_role_membership_authorization',
  'execute_extension_script',
  'AddRoleMems',
  'AlterRole',
  'AlterRoleSet',
  'CreateRole',
  'DelRoleMems',
  'DropRole',
  'RenameRole',
]);

/** Returns the statements that give the missing privilege; none when the message does not lead to them. */
export async function refusalStatements(
  client: pg.ClientBase,
  refusal: Error,
): Promise<readonly string[]> {
  const login = await readLogin(client);
  const closed = await closedObjects(client);
  if (closed.length > 0)
    return closedFindings(closed, login).flatMap((one) => one.statements ?? []);
  const { message, detail = '', routine } = refusal as pg.DatabaseError;
  if (!reporters.has(routine)) return [];
  for (const [pattern, explain] of explanations) {
    const found = pattern.exec(detail) ?? pattern.exec(message);
    if (found) return explain(found[1] ?? '', { client, login });
  }
  return [];
}

async function administerRole(...[role, { client, login }]: Parameters<Explanation>) {
  if (!(await isHarmless(client, role))) return [];
  const may = login.createsRoles ? [] : [`alter role ${name(login.name)} createrole`];
  return login.serverVersion >= 160000 ? [...may, administer(role, login)] : may;
}

async function becomeRole(...[role, { client, login }]: Parameters<Explanation>) {
  return (await isHarmless(client, role)) ? become(role, login) : [];
}

/** Returns whether a role of this name exists and the login could become its member. */
async function isHarmless(client: pg.ClientBase, role: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from pg_catalog.pg_roles o join pg_catalog.pg_roles m on m.rolname = current_user
     where o.rolname = $1 and not ${powerfulRole} and not pg_catalog.pg_has_role(o.oid, m.oid, 'MEMBER')`,
    [role],
  );
  return rowCount === 1;
}

async function createExtension(...[extension, { client }]: Parameters<Explanation>) {
  const { rows } = await client.query<{ name: string }>(
    'select e.name from pg_catalog.pg_available_extensions e where e.name = $1',
    [extension],
  );
  return rows.map((row) => `create extension ${name(row.name)}`);
}

async function useSchema(...[schema, { client, login }]: Parameters<Explanation>) {
  if (gatewaySchemas.includes(schema)) return [];
  const { rows } = await client.query<{ usable: boolean }>(
    "select pg_catalog.has_schema_privilege(n.oid, 'USAGE') as usable from pg_catalog.pg_namespace n where n.nspname = $1",
    [schema],
  );
  return rows.map(
    ({ usable }) =>
      `grant ${usable ? 'create' : 'usage'} on schema ${name(schema)} to ${name(login.name)}`,
  );
}

interface Relation extends ObjectOwner {
  readonly schema: string;
  readonly name: string;
  readonly kind: string;
}

/** Postgres names a relation without its schema. So there is an answer only when one relation fits. */
async function ownRelation(...[relation, { client, login }]: Parameters<Explanation>) {
  const { rows } = await client.query<Relation>(
    `select n.nspname as schema, c.relname as name, c.relkind as kind, o.rolname as owner, ${exclusiveOwner} as exclusive
     from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
     join pg_catalog.pg_roles o on o.oid = c.relowner join pg_catalog.pg_roles m on m.rolname = current_user
     where c.relname = $1 and c.relkind in ('r', 'p', 'v', 'm', 'S', 'f') and not pg_catalog.pg_has_role(c.relowner, 'USAGE')`,
    [relation],
  );
  const [found] = rows;
  if (!found || rows.length > 1) return [];
  return own(`${relationKind(found.kind)} ${qualifiedName(found)}`, found, login);
}

/** Postgres names a function with or without its schema. So there is an answer only when one function fits. */
async function ownFunction(...[called, { client, login }]: Parameters<Explanation>) {
  const { rows } = await client.query<ObjectOwner & Signature & { definer: boolean }>(
    `select n.nspname as schema, p.proname as name, ${parameterTypes} as parameters, o.rolname as owner,
       p.prosecdef as definer, ${exclusiveOwner} as exclusive
     from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
     join pg_catalog.pg_roles o on o.oid = p.proowner join pg_catalog.pg_roles m on m.rolname = current_user
     where $1::text in (p.proname::text, n.nspname || '.' || p.proname) and not pg_catalog.pg_has_role(p.proowner, 'USAGE')`,
    [called],
  );
  const [found] = rows;
  if (!found || rows.length > 1) return [];
  // A security definer function would get the rights of the login.
  if (found.definer && found.exclusive && !gatewaySchemas.includes(found.schema)) return [];
  return own(`function ${signature(found)}`, found, login);
}
