import { compiledRoles } from '../../objects/roles/role.ts';
import { ident } from '../../text/sql-text.ts';
import { queryLint } from '../query-lint.ts';

/**
 * $1: the gateway's login, $2: compiled roles. The query returns settings from ALTER ROLE … SET and ALTER DATABASE …
 * SET, with which a connection starts. It skips search_path, because everything that Rowgate compiles sets its own. For
 * direct logins, only session_replication_role matters, because rules ignore `gql.*` settings of such logins.
 */
const query = `
select g.rolname as role, d.datname as database, s.name, s.name like 'gql.%' as variable
from pg_catalog.pg_db_role_setting x
left join pg_catalog.pg_roles g on g.oid = x.setrole
left join pg_catalog.pg_database d on d.oid = x.setdatabase
cross join lateral (select pg_catalog.lower(pg_catalog.split_part(one, '=', 1)) as name,
  pg_catalog.substr(one, pg_catalog.strpos(one, '=') + 1) as value from pg_catalog.unnest(x.setconfig) one) s
where (x.setdatabase = 0 or d.datname = pg_catalog.current_database()) and case
  when s.name = 'session_replication_role' then pg_catalog.lower(s.value) <> 'origin' and (x.setrole = 0 or g.rolname = $1
    or not g.rolsuper and g.rolname <> current_user and exists (select 1 from pg_catalog.pg_roles r where r.rolname = any ($2::text[]) and pg_catalog.pg_has_role(g.oid, r.oid, 'MEMBER')))
  when x.setrole <> 0 and g.rolname <> $1 then false
  when s.name = 'row_security' then not s.value::bool
  when s.name = 'role' then pg_catalog.lower(s.value) <> 'none'
  else s.name like 'gql.%' end
order by 1, 2, 3`;

const effects: Readonly<Record<string, string>> = {
  row_security: 'makes Postgres refuse every query that a policy would filter',
  session_replication_role: 'switches the triggers of presets and foreign keys off',
  role: 'chooses a role before a request does',
};

/** Reports settings of the database or of logins that change the meaning of rules. */
export const settings = queryLint<{
  role: string | null;
  database: string | null;
  name: string;
  variable: boolean;
}>(
  { query, values: ({ login, loaded }) => [login.name, compiledRoles(loaded.model)] },
  {
    severity: 'error',
    code: 'RG_SETTING',
    message: ({ role, database, name, variable }) => {
      const login = role === null ? 'every login' : ident(role).text;
      const effect = variable ? 'gives a session variable that no request sent' : effects[name];
      return `${login} starts with a setting ${name}${inDatabase(database)}, which ${effect}`;
    },
    hint: ({ role, database, name }) => {
      const setting = name.split('.').map((part) => ident(part).text);
      return `run: alter ${alteredBy(role, database)} reset ${setting.join('.')}`;
    },
  },
);

function alteredBy(role: string | null, database: string | null): string {
  if (role === null && database !== null) return `database ${ident(database).text}`;
  return `role ${role === null ? 'all' : ident(role).text}${inDatabase(database)}`;
}

const inDatabase = (database: string | null) =>
  database === null ? '' : ` in database ${ident(database).text}`;
