import pg from 'pg';
import { statementLines } from '../diagnostics.ts';
import { CommandError } from '../errors.ts';
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
  qualifiedName,
  relationKind,
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
    `login "${login.name}" may not do this in database "${login.database}": ${error.message}`,
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
 * The messages of Postgres, in the order in which they are tried. A server with other than English messages matches
 * none, and its message is shown with general advice.
 */
const explanations: readonly (readonly [RegExp, Explanation])[] = [
  [/ADMIN option on (?:the )?role "(.+?)"/i, administerRole],
  [/permission denied to (?:create|alter|drop) role|must have CREATEROLE/, createRoles],
  [/must be (?:a )?member of role "(.+?)"/, (role, { login }) => become(role, login)],
  [/must be able to SET ROLE "(.+?)"/, (role, { login }) => become(role, login)],
  [/permission denied to create extension "(.+?)"/, (named) => [`create extension ${name(named)}`]],
  [
    /permission denied for database (.+)/,
    (database, { login }) => [`grant create on database ${name(database)} to ${name(login.name)}`],
  ],
  [/(?:permission denied for|must be owner of) schema (.+)/, useSchema],
  [/(?:permission denied for|must be owner of) function (.+)/, ownFunction],
  [
    /(?:permission denied for|must be owner of) (?:table|relation|view|materialized view|sequence|foreign table) (.+)/,
    ownRelation,
  ],
];

/** Returns the statements that give the missing privilege; none when the message does not lead to them. */
export async function refusalStatements(
  client: pg.ClientBase,
  refusal: Error,
): Promise<readonly string[]> {
  const login = await readLogin(client);
  const closed = await closedObjects(client);
  if (closed.length > 0)
    return closedFindings(closed, login).flatMap((one) => one.statements ?? []);
  const { message, detail = '' } = refusal as pg.DatabaseError;
  for (const [pattern, explain] of explanations) {
    const found = pattern.exec(`${message}\n${detail}`);
    if (found) return explain(found[1] ?? '', { client, login });
  }
  return [];
}

function administerRole(...[role, { login }]: Parameters<Explanation>): readonly string[] {
  const may = login.createsRoles ? [] : [`alter role ${name(login.name)} createrole`];
  return login.serverVersion >= 160000 ? [...may, administer(role, login)] : may;
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

async function ownFunction(...[called, { client, login }]: Parameters<Explanation>) {
  const { rows } = await client.query<ObjectOwner & { target: string }>(
    `select p.oid::pg_catalog.regprocedure::text as target, o.rolname as owner, ${exclusiveOwner} as exclusive
     from pg_catalog.pg_proc p
     join pg_catalog.pg_roles o on o.oid = p.proowner join pg_catalog.pg_roles m on m.rolname = current_user
     where p.proname = pg_catalog.split_part($1, '(', 1) and not pg_catalog.pg_has_role(p.proowner, 'USAGE')`,
    [called],
  );
  const [found] = rows;
  if (!found || rows.length > 1) return [];
  return own(`function ${found.target}`, found, login);
}
