import type { ObjectName, TableAccess } from '../../../permissions/index.ts';
import { tableAccess } from '../../../permissions/role-view.ts';
import { tenantRules } from '../attacks/tenants.ts';
import type { Installation } from '../support/installation.ts';

/** Notes of the tenants: one is locked, one belongs to another organization, one to another person. */
export const schema = `
create table org (id integer primary key, name text not null, banned boolean not null default false);
create table account (
  id integer primary key, org_id integer not null references org, code text not null unique,
  balance numeric not null default 0, note text, mood text, created_by text, parent_id integer
);
create domain slug as varchar(20) check (value <> '');
create table note (
  slug slug not null, at date not null, org_id integer not null references org, owner text not null,
  body text not null, locked boolean not null default false, serial integer unique,
  primary key (at, slug)
);
create function twin() returns trigger language plpgsql as $$ begin
  if new.slug = 'twin' then insert into public.note values (new.*); end if;
  return null;
end $$;
create trigger twin after insert on note for each row execute function twin();
insert into org values (1, 'ours'), (2, 'theirs');
insert into note values
  ('mine', '2026-01-01', 1, 'ann', 'old', false, 1),
  ('locked', '2026-01-01', 1, 'ann', 'old', true, 2),
  ('theirs', '2026-01-01', 2, 'eve', 'old', false, 3);
`;

export const rules = {
  ...tenantRules,
  'tables/note.yaml': `
table: note
permissions:
  writer:
    select: { filter: { org_id: { _eq: X-Gql-Org-Id } }, columns: [at, slug, body, serial] }
    insert: { check: {}, columns: '*' }
    update: { filter: { locked: { _eq: false }, org: { banned: { _eq: false } } }, columns: [body] }
  calm:
    select: { filter: {}, columns: '*' }
    insert: { check: {}, columns: '*' }
    update: { filter: {}, columns: '*' }
  not_banned:
    select: { filter: {}, columns: '*' }
    update: { filter: { locked: { _eq: false } }, columns: '*' }
  member:
    select: { filter: { org_id: { _eq: X-Gql-Org-Id } }, columns: [body] }
    insert: { check: {}, columns: '*' }
    update: { filter: {}, columns: [body] }
`,
};

/** Returns the update check of a role on notes by the current metadata. */
export async function checkOf(
  made: Installation,
  role: string,
): Promise<ObjectName | 'open' | undefined> {
  const { upserts } = await notesOf(made, role);
  return upserts.updateCheck;
}

/** Returns the name of the function that is the update check of role writer. */
export async function checkName(made: Installation): Promise<string> {
  const check = await checkOf(made, 'writer');
  if (typeof check !== 'object') throw new Error('the writer has no guard');
  return check.name;
}

/** Maps each unique constraint of notes to the name of the role's conflict lookup. */
export async function lookupsOf(
  made: Installation,
  role: string,
): Promise<Readonly<Record<string, string | undefined>>> {
  const { table, upserts } = await notesOf(made, role);
  return Object.fromEntries(
    table.uniqueConstraints.map(({ name }) => [name, upserts.conflictLookups.get(name)?.name]),
  );
}

async function notesOf(made: Installation, role: string): Promise<TableAccess> {
  const model = await made.model();
  const [found, table] = [model.roles.get(role), model.tables.get('public.note')];
  const rules = table && found?.tables.get(table.key);
  if (!found || !rules) throw new Error(`no role ${role}, or no table`);
  return tableAccess(found, table, rules, model.tables);
}
