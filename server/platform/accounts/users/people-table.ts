import type pg from 'pg';

/** A person with roles and the number of current sessions, for administrators. */
export interface ListedPerson {
  readonly id: string;
  readonly name: string | null;
  readonly email: string;
  readonly organization: string;
  readonly roles: readonly string[];
  readonly sessions: number;
  readonly isActive: boolean;
  readonly isPlatformAdmin: boolean;
}

export interface PeopleQuestion {
  /** A part of the name or the e-mail address, or the whole id or name of a role. */
  readonly search?: string | undefined;
  readonly ids?: readonly string[];
  /** The e-mail address and the id of the last person of the page before. */
  readonly after?: readonly string[] | undefined;
  readonly limit: number;
}

/** Lists people by e-mail address, with a connection of the owner. */
export async function listPeople(
  owner: pg.ClientBase,
  { search, ids, after = [], limit }: PeopleQuestion,
): Promise<readonly ListedPerson[]> {
  const [email, id] = after;
  const { rows } = await owner.query<ListedPerson>(
    `select u.id, u.full_name as name, u.email, o.name as organization,
       array(select r.role from public.user_role r where r.user_id = u.id order by r.role collate "C") as roles,
       (select pg_catalog.count(*)::integer from rowgate_auth.session s
         where s.user_id = u.id and s.expire > pg_catalog.now()) as sessions,
       u.status = 'active' as "isActive", u.platform_admin as "isPlatformAdmin"
     from public."user" u join public.organization o on o.id = u.organization_id
     where ($1::text is null or u.id = $1
         or pg_catalog.strpos(pg_catalog.lower(u.email), pg_catalog.lower($1)) > 0
         or pg_catalog.strpos(pg_catalog.lower(u.full_name), pg_catalog.lower($1)) > 0
         or exists (select from public.user_role r where r.user_id = u.id and r.role = $1))
       and ($2::text[] is null or u.id = any ($2))
       and ($3::text is null
         or (pg_catalog.lower(u.email) collate "C", u.id collate "C") > (pg_catalog.lower($3), $4))
     order by pg_catalog.lower(u.email) collate "C", u.id collate "C" limit $5`,
    [search, ids, email, id, limit],
  );
  return rows;
}

/** Grants a role to people, with a connection of the owner. Returns the ids of those who did not have it. */
export async function grantRole(
  owner: pg.ClientBase,
  ids: readonly string[],
  role: string,
): Promise<readonly string[]> {
  const { rows } = await owner.query<{ readonly user_id: string }>(
    `insert into public.user_role (user_id, role)
     select given.id, $2 from pg_catalog.unnest($1::text[]) given (id)
     on conflict do nothing returning user_id`,
    [ids, role],
  );
  return rows.map((row) => row.user_id);
}

/** Revokes a role of people, with a connection of the owner. Returns the ids of those who had it. */
export async function revokeRole(
  owner: pg.ClientBase,
  ids: readonly string[],
  role: string,
): Promise<readonly string[]> {
  const { rows } = await owner.query<{ readonly user_id: string }>(
    'delete from public.user_role r where r.user_id = any ($1) and r.role = $2 returning r.user_id',
    [ids, role],
  );
  return rows.map((row) => row.user_id);
}
