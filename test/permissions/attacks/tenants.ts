import type pg from 'pg';
import { type Answer, ask } from '../support/as-role.ts';
import {
  type Installation,
  type InstallationOptions,
  install,
  makeInstallation,
} from '../support/installation.ts';

/**
 * Two organizations with accounts and people. Organization 1 belongs to the attacker; the rows of organization 2 must
 * stay hidden.
 */
const schema = `
create type mood as enum ('calm', 'angry');
create table org (id integer primary key, name text not null, banned boolean not null default false);
create table account (
  id integer primary key, org_id integer not null references org, code text not null unique,
  balance numeric not null default 0, note text, mood mood not null default 'calm',
  created_by text not null default 'nobody', parent_id integer references account
);
insert into org values (1, 'ours', false), (2, 'theirs', true);
insert into account (id, org_id, code, balance, note) values
  (1, 1, 'A-1', 10, 'mine'), (2, 1, 'A-2', 20, 'mine too'),
  (3, 2, 'secret-3', 300, 'hidden note'), (4, 2, 'secret-4', 400, 'hidden too');
analyze account;
`;

const own = '{ org_id: { _eq: X-Gql-Org-Id } }';

export const tenantRules = {
  'roles.yaml': `
roles:
  member: { requires: [X-Gql-Org-Id] }
  writer: { requires: [X-Gql-Org-Id] }
  not_banned: {}
  calm: {}
`,
  'tables/org.yaml': 'table: org\n',
  'tables/account.yaml': `
table: account
permissions:
  member:
    select: { filter: ${own}, columns: [id, org_id, code, balance] }
  writer:
    select: { filter: ${own}, columns: [id, org_id, code, note] }
    insert: { check: ${own}, set: { created_by: X-Gql-User-Id }, columns: [id, org_id, code, parent_id] }
    update: { filter: ${own}, columns: [code, note] }
    delete: { filter: ${own} }
  not_banned:
    select: { filter: { _not: { org: { banned: { _eq: X-Gql-Banned } } } }, columns: [id] }
  calm:
    select: { filter: { mood: { _eq: X-Gql-Mood } }, columns: [id] }
`,
};

export interface Tenants extends Installation {
  readonly superuser: pg.Client;
  /**
   * Creates a Postgres login that inherits roles of the metadata, and stores its variables in rowgate.login_variable.
   */
  addLogin(
    name: string,
    roles: readonly string[],
    variables?: Readonly<Record<string, string>>,
    options?: string,
  ): Promise<pg.Client>;
}

/** Creates the tenants and applies their rules. */
export async function installTenants(options: Partial<InstallationOptions> = {}): Promise<Tenants> {
  return withLogins(await install({ schema, rules: tenantRules, ...options }));
}

/** Creates the tenants and their metadata without applying the rules. */
export async function makeTenants(options: Partial<InstallationOptions> = {}): Promise<Tenants> {
  return withLogins(await makeInstallation({ schema, rules: tenantRules, ...options }));
}

async function withLogins(made: Installation): Promise<Tenants> {
  const superuser = await made.database.connectSuperuser();
  return {
    ...made,
    superuser,
    addLogin: async (name, roles, variables = {}, options = '') => {
      const login = `${made.prefix}${name}`;
      await superuser.query(`create role "${login}" login`);
      for (const role of roles) {
        await superuser.query(`grant "${made.prefix}${role}" to "${login}" ${options}`);
      }
      for (const [variable, value] of Object.entries(variables)) {
        await superuser.query('insert into rowgate.login_variable values ($1::regrole, $2, $3)', [
          `"${login}"`,
          variable,
          value,
        ]);
      }
      return made.connectAs(login);
    },
  };
}

/** Returns the first column of the rows that a statement returns. */
export async function column(client: pg.ClientBase, sql: string): Promise<readonly unknown[]> {
  const { rows }: Answer = await ask(client, sql);
  return rows.map(([cell]) => cell);
}

export const ids = 'select id from public.account order by id';
