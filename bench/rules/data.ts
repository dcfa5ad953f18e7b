import type pg from 'pg';

/** The rows of the tables besides invoices, whose number the benchmark chooses. */
const organizations = 2000;

/** SQL that creates the tables of the benchmark of rules, and fills them. Users 1 to 4 are the callers. */
export function schemaOf(invoices: number): string {
  return `
create table organization (id int primary key, name text not null);
create table fund (id int primary key, organization_id int not null references organization, manager_id uuid not null);
create table member (organization_id int not null references organization, user_id uuid not null, primary key (organization_id, user_id));
create table invoice (id int primary key, organization_id int not null references organization, fund_id int not null references fund,
  owner_id uuid not null, status text not null, amount numeric(20,2) not null, created_at timestamptz not null, deleted_at timestamptz);
create function pg_temp.person(n int) returns uuid immutable language sql as $$ select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid $$;
insert into organization select n, 'Organization ' || n from generate_series(1, ${organizations}) n;
insert into fund select n, n % ${organizations} + 1, pg_temp.person(case when n = 77 then 2 when n between 500 and 519 then 3 when n > 4000 then 4 else 100 + n % 900 end)
  from generate_series(1, 6000) n;
insert into member select o, pg_temp.person(1000 + (o * 10 + k) % 9000) from generate_series(1, ${organizations}) o, generate_series(0, 4) k;
insert into member select 78, pg_temp.person(2) union all select 500 + n, pg_temp.person(3) from generate_series(1, 20) n
  union all select n, pg_temp.person(4) from generate_series(1, ${organizations}) n;
insert into invoice select n, f.organization_id, f.id,
    pg_temp.person(case when n % 50000 = 0 then 2 when n % 997 = 0 then 3 when n % 3 = 0 then 4 else 1000 + n % 9000 end),
    (array['draft', 'issued', 'paid', 'void'])[n % 4 + 1], n % 1000 + 0.5, '2026-01-01'::timestamptz - n * interval '1 second',
    case when n % 10 = 0 then now() end
  from generate_series(1, ${invoices}) n join fund f on f.id = n % 6000 + 1;
create index on fund (organization_id);
create index on fund (manager_id);
create index on member (user_id);
create index on invoice (organization_id, created_at desc);
create index on invoice (fund_id);
create index on invoice (owner_id);
create index on invoice (created_at desc);`;
}

/**
 * Gives each run the same plans. With this target, ANALYZE reads every row of small tables. VACUUM marks pages as
 * visible only when the commit of their rows is on disk, which an asynchronous commit does not wait for.
 */
export async function settle(owner: pg.ClientBase): Promise<void> {
  await owner.query('set default_statistics_target = 1000');
  let unmarked: number | null;
  do {
    await owner.query('vacuum analyze organization, fund, member, invoice');
    const { rowCount } = await owner.query(
      `select from pg_class where oid in ('organization'::regclass, 'fund'::regclass, 'member'::regclass, 'invoice'::regclass)
        and relallvisible < relpages`,
    );
    unmarked = rowCount;
  } while (unmarked !== 0);
}

const personId = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

const range = (from: number, to: number) =>
  `{${Array.from({ length: to - from + 1 }, (_, index) => from + index).join()}}`;

/** The session variables of a caller, by setting. */
export type Variables = Readonly<Record<'user_id' | 'org_id' | 'org_ids', string>>;

/** Callers by the number of organizations that they belong to. */
export const callers: Readonly<Record<string, Variables>> = {
  none: { user_id: personId(1), org_id: '0', org_ids: '{}' },
  one: { user_id: personId(2), org_id: '78', org_ids: '{78}' },
  twenty: { user_id: personId(3), org_id: '501', org_ids: range(501, 520) },
  all: { user_id: personId(4), org_id: '1999', org_ids: range(1, organizations) },
};
