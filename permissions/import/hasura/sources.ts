import { CommandError } from '../../errors.ts';
import { quote } from '../../text/characters.ts';
import { counted } from '../../text/counted.ts';
import { withPermissions } from './count.ts';
import type { ImportReport } from './import-report.ts';
import { type Cursor, field, isEmpty, items, members, required, text } from './input/cursor.ts';

const known = ['name', 'kind', 'tables', 'functions'];

/** Features of a database besides tables that are not imported: for each key, a description and an instruction. */
const extras: Readonly<Record<string, readonly [string, string]>> = {
  native_queries: ['native query', 'use the tables that it reads'],
  stored_procedures: ['stored procedure', 'call it by a service of yours'],
};

const settings: Readonly<Record<string, readonly [string, string]>> = {
  configuration: ['how Hasura connects is not imported', 'set DATABASE_URL'],
  customization: [
    'prefixes, namespaces and naming conventions are not imported',
    'name tables and columns under graphql: where clients need the names',
  ],
  query_tags: ['query tags are not imported', 'look into pg_stat_activity by role'],
  health_check: ['the health check is not imported', 'use /readyz'],
};

/** Returns the database to import: the requested one, else `default`, else the first Postgres database. */
export function chooseSource(
  sources: readonly Cursor[],
  requested: string | undefined,
): Cursor | undefined {
  const candidates = sources.filter(isPostgres);
  const named = (name: string) =>
    candidates.find((source) => text(required(source, 'name')) === name);
  if (requested === undefined) return named('default') ?? candidates[0];
  const found = named(requested);
  if (found) return found;
  const names = candidates.map((source) => quote(text(required(source, 'name')))).join(', ');
  throw new CommandError('RG_USAGE', `the metadata has no Postgres database ${quote(requested)}`, {
    hint: `it has ${names || 'none'}`,
    exitCode: 2,
  });
}

function isPostgres(source: Cursor): boolean {
  const kind = field(source, 'kind');
  return !kind || text(kind) === 'postgres';
}

/**
 * Reports the content of a database that is not imported. For a database that was not chosen, that is its whole
 * content.
 */
export function reportSource(
  source: Cursor,
  isChosen: boolean,
  requested: string | undefined,
  report: ImportReport,
): void {
  if (!isChosen) reportOther(source, requested, report);
  else reportBeside(source, report);
}

function reportBeside(source: Cursor, report: ImportReport): void {
  const where = `database ${quote(text(required(source, 'name')))}`;
  for (const { key, value } of members(source)) {
    if (known.includes(key) || isEmpty(value)) continue;
    const extra = Object.hasOwn(extras, key) ? extras[key] : undefined;
    const setting = Object.hasOwn(settings, key) ? settings[key] : undefined;
    if (extra) for (const item of items(value)) reportExtra(item, extra, report);
    else if (key === 'logical_models') reportLogicalModels(value, report);
    else if (setting) report.add('feature', value, `${where}: ${setting[0]}`, setting[1]);
    else report.unknownKeys([{ key, value }], [], where);
  }
}

function reportExtra(
  item: Cursor,
  [what, hint]: readonly [string, string],
  report: ImportReport,
): void {
  const name = text(required(item, 'root_field_name'));
  report.add('feature', item, `the ${what} ${quote(name)} is not imported`, hint);
}

function reportLogicalModels(value: Cursor, report: ImportReport): void {
  for (const item of items(value)) {
    const name = quote(text(required(item, 'name')));
    const { length } = items(field(item, 'select_permissions'));
    const loss = length > 0 ? 'permission' : 'feature';
    report.add(loss, item, `the logical model ${name} is not imported${withPermissions(length)}`);
  }
}

function reportOther(source: Cursor, requested: string | undefined, report: ImportReport): void {
  const name = text(required(source, 'name'));
  const kind = field(source, 'kind');
  const postgres = isPostgres(source);
  const what = postgres
    ? 'another database'
    : `a database of kind ${quote(kind ? text(kind) : '')}`;
  const hint = postgres
    ? `import it into a folder of its own with --source ${quote(name)}`
    : 'keep Hasura for it';
  const tables = items(field(source, 'tables'));
  const permissions = tables.reduce((count, table) => count + permissionsOf(table), 0);
  const message = `${what}, ${quote(name)}, is not imported: ${counted(tables.length, 'table')}${withPermissions(permissions)}`;
  // A user who requests one database expects that the others are not imported. So permissions of the others do not
  // count as lost.
  const loss = permissions > 0 && requested === undefined ? 'permission' : 'feature';
  report.add(loss, source, message, hint);
}

function permissionsOf(table: Cursor): number {
  return members(table)
    .filter(({ key }) => key.endsWith('_permissions'))
    .reduce((count, { value }) => count + items(value).length, 0);
}
