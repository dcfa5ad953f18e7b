import type pg from 'pg';
import type { Prepared } from '../apply/prepare.ts';
import { systemRoles } from '../compile/names.ts';
import { compiledRoles } from '../compile/roles.ts';
import { type Diagnostic, Report } from '../diagnostics.ts';
import { tableSchemas } from '../model/table-schemas.ts';
import type { BoolExp, Model } from '../model/types.ts';
import {
  earlyTriggersQuery,
  foreignPoliciesQuery,
  openViewsQuery,
  ownedQuery,
  schemaMakersQuery,
  stackedLoginsQuery,
  writableSchemasQuery,
} from './database-sql.ts';

/** What of the database forbids applying, or deserves a warning. Each error would let somebody around the rules. */
export async function databaseFindings(
  client: pg.ClientBase,
  prepared: Prepared,
): Promise<readonly Diagnostic[]> {
  const report = new Report();
  foreignRoles(prepared, report);
  owners(prepared, report);
  missingLogin(prepared, report);
  await foreignPolicies(client, prepared, report);
  await writableSchemas(client, prepared, report);
  await extraPowers(client, prepared, report);
  await openViews(client, prepared, report);
  await earlyTriggers(client, prepared, report);
  return report.diagnostics;
}

function foreignRoles({ found }: Prepared, report: Report): void {
  for (const { name, comment } of found.foreignRoles) {
    const owner = comment?.startsWith('rowgate:')
      ? 'another installation of Rowgate'
      : 'somebody else';
    report.error(
      'RG_FOREIGN_ROLE',
      undefined,
      `the Postgres role "${name}" belongs to ${owner}`,
      'set ROWGATE_ROLE_PREFIX to a prefix of your own',
    );
  }
  for (const name of found.powerfulRoles) {
    report.error(
      'RG_EXTRA_PRIVILEGE',
      undefined,
      `the Postgres role "${name}" is superuser, may bypass row security, replicate or create databases`,
      `as a superuser: alter role "${name}" nosuperuser nobypassrls noreplication nocreatedb`,
    );
  }
}

function owners({ loaded }: Prepared, report: Report): void {
  for (const table of loaded.model.tables.values()) {
    if (loaded.catalog.tables.get(table.key)?.owned) continue;
    report.error(
      'RG_NOT_OWNER',
      table.position,
      `${table.schema}.${table.name} belongs to another role`,
      'let DATABASE_URL log in as the owner of the tables',
    );
  }
}

/** A login that is given must exist; Rowgate then grants it the roles. */
function missingLogin({ login, found, desired }: Prepared, report: Report): void {
  if (login.managed) return;
  const there = found.loginExists;
  if (!there && desired.length > 0) {
    report.error(
      'RG_FOREIGN_ROLE',
      undefined,
      `the login "${login.name}" of ROWGATE_GATEWAY_DATABASE_URL does not exist`,
      `create role "${login.name}" login noinherit password …`,
    );
  }
}

async function foreignPolicies(
  client: pg.ClientBase,
  { tables }: Prepared,
  report: Report,
): Promise<void> {
  const { rows } = await client.query<{
    schema: string;
    table: string;
    name: string;
    permissive: boolean;
  }>(foreignPoliciesQuery, [tables]);
  for (const row of rows) {
    const kind = row.permissive
      ? 'opens rows beside the rules'
      : 'hides rows from the rules, which turns every "not" over them around';
    report.error(
      'RG_FOREIGN_POLICY',
      undefined,
      `policy "${row.name}" on ${row.schema}.${row.table} is not Rowgate's: it ${kind}`,
      `express it as a rule and run: drop policy "${row.name}" on "${row.schema}"."${row.table}"`,
    );
  }
}

async function writableSchemas(
  client: pg.ClientBase,
  prepared: Prepared,
  report: Report,
): Promise<void> {
  const { model } = prepared.loaded;
  const { rows } = await client.query<{ schema: string; role: string; dangerous: boolean }>(
    writableSchemasQuery,
    [[...usedSchemas(model)], ourRoles(prepared)],
  );
  for (const row of rows) {
    const role = row.role === 'PUBLIC' ? 'PUBLIC' : `"${row.role}"`;
    const say = row.dangerous ? report.error.bind(report) : report.warning.bind(report);
    say(
      'RG_SCHEMA_WRITABLE',
      undefined,
      `${role} may create objects in schema "${row.schema}", which rules use`,
      `run: revoke create on schema "${row.schema}" from ${role}`,
    );
  }
}

function ourRoles({ loaded, login }: Prepared): readonly string[] {
  const { gateway, policy } = systemRoles(loaded.model);
  return [...compiledRoles(loaded.model), gateway, policy, login.name];
}

/** Schemas whose tables, types or operators rules name, and our own. */
function usedSchemas(model: Model): ReadonlySet<string> {
  const schemas = new Set(['rowgate', 'rowgate_api', 'rowgate_policy']);
  for (const table of model.tables.values()) {
    for (const schema of tableSchemas(table)) schemas.add(schema);
  }
  for (const role of model.roles.values()) {
    for (const rules of role.tables.values()) {
      for (const expression of [
        rules.select?.filter,
        rules.insert?.check,
        rules.update?.filter,
        rules.update?.check,
        rules.delete?.filter,
      ]) {
        if (expression) operatorSchemas(expression, schemas);
      }
    }
  }
  schemas.delete('pg_catalog');
  return schemas;
}

function operatorSchemas(expression: BoolExp, schemas: Set<string>): void {
  if (expression.kind === 'compare') schemas.add(expression.operator.schema);
  else if (expression.kind === 'and' || expression.kind === 'or') {
    for (const item of expression.items) operatorSchemas(item, schemas);
  } else if (expression.kind !== 'isNull') operatorSchemas(expression.item, schemas);
}

async function extraPowers(
  client: pg.ClientBase,
  prepared: Prepared,
  report: Report,
): Promise<void> {
  const owned = await client.query<{ role: string; object: string }>(ownedQuery, [
    ourRoles(prepared),
  ]);
  for (const { role, object } of owned.rows) {
    report.error(
      'RG_EXTRA_PRIVILEGE',
      undefined,
      `the Postgres role "${role}" owns ${object}`,
      'give it to the owner of the tables: owners obey no policy',
    );
  }
  const makers = await client.query<{ database: string; role: string }>(schemaMakersQuery, [
    ourRoles(prepared),
  ]);
  for (const { database, role } of makers.rows) {
    report.error(
      'RG_EXTRA_PRIVILEGE',
      undefined,
      `the Postgres role "${role}" may make schemas and extensions in this database`,
      `run: revoke create on database "${database}" from "${role}"`,
    );
  }
  const stacked = await client.query<{ login: string; roles: string }>(stackedLoginsQuery, [
    compiledRoles(prepared.loaded.model),
  ]);
  for (const { login, roles } of stacked.rows) {
    report.error(
      'RG_EXTRA_PRIVILEGE',
      undefined,
      `"${login}" inherits several roles at once (${roles}): the rows of one would show the columns of the other`,
      `revoke all but one of them from "${login}"`,
    );
  }
}

/** Views obey the policies of their owner, who obeys none. */
async function openViews(
  client: pg.ClientBase,
  { tables }: Prepared,
  report: Report,
): Promise<void> {
  const { rows } = await client.query<{ schema: string; view: string }>(openViewsQuery, [tables]);
  for (const { schema, view } of rows) {
    report.warning(
      'RG_EXTRA_PRIVILEGE',
      undefined,
      `PUBLIC may read ${schema}.${view}, which shows rows of a table with rules to everybody`,
      `run: revoke all on "${schema}"."${view}" from public`,
    );
  }
}

async function earlyTriggers(
  client: pg.ClientBase,
  prepared: Prepared,
  report: Report,
): Promise<void> {
  const { rows } = await client.query<{ schema: string; table: string; name: string }>(
    earlyTriggersQuery,
    [prepared.tables],
  );
  for (const row of rows) {
    report.warning(
      'RG_FOREIGN_TRIGGER',
      undefined,
      `trigger "${row.name}" on ${row.schema}.${row.table} runs before the presets and sees rows without them`,
      'give it a name that begins with a letter',
    );
  }
}
