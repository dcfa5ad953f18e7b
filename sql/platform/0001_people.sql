-- Organizations (the tenants), their people, and the roles that those may take.
-- A tenant's table carries organization_id, which defaults to the current organization of the session.

create function public.touch_updated_at() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
    begin
      new.updated_at := now();
      return new;
    end
  $$;
comment on function public.touch_updated_at() is 'Keeps updated_at: the time of the transaction that changed the row last.';
revoke all on function public.touch_updated_at() from public;

create table public.organization (
  id uuid primary key default pg_catalog.gen_random_uuid(),
  name text not null default 'New organization' check (name <> ''),
  country text check (country ~ '^[A-Z]{2}$'),
  status text not null default 'active' check (status in ('active', 'suspended', 'closed')),
  created_at timestamptz not null default pg_catalog.now(),
  updated_at timestamptz not null default pg_catalog.now()
);
comment on table public.organization is 'A client of the platform: every row of a tenant belongs to one.';
comment on column public.organization.id is 'What X-Gql-Organization-Id carries.';
comment on column public.organization.name is 'The name that people know the organization by.';
comment on column public.organization.country is 'Where it is registered, as two letters of ISO 3166-1.';
comment on column public.organization.status is 'active, suspended or closed.';
comment on column public.organization.created_at is 'When the organization was entered.';
comment on column public.organization.updated_at is 'When the row changed last.';

create table public."user" (
  id text primary key default ('local|' || pg_catalog.gen_random_uuid()) check (id <> ''),
  organization_id uuid not null
    default (rowgate_api.session_variable('organization_id'))::uuid
    references public.organization,
  email text not null check (email ~ '^[^@[:space:]]+@[^@[:space:]]+$'),
  full_name text,
  created_at timestamptz not null default pg_catalog.now(),
  updated_at timestamptz not null default pg_catalog.now()
);
comment on table public."user" is 'A person who signs in through the identity provider.';
comment on column public."user".id is 'The id at the identity provider; what X-Gql-User-Id carries. Until the person has signed in, a local one.';
comment on column public."user".organization_id is 'The organization that the person belongs to.';
comment on column public."user".email is 'The e-mail address, once in an organization whatever its letter case.';
comment on column public."user".full_name is 'The name to address the person by.';
comment on column public."user".created_at is 'When the person was entered.';
comment on column public."user".updated_at is 'When the row changed last.';
create unique index user_organization_id_email_key on public."user" (organization_id, pg_catalog.lower(email));

create table public.user_role (
  user_id text not null references public."user" on delete cascade,
  role text not null check (role ~ '^[a-z][a-z0-9_]*$'),
  primary key (user_id, role)
);
comment on table public.user_role is 'The roles that a session of a person may take.';
comment on column public.user_role.user_id is 'The person.';
comment on column public.user_role.role is 'The name of the role, as in X-Gql-Role.';

create trigger touch_updated_at before update on public.organization
  for each row execute function public.touch_updated_at();
create trigger touch_updated_at before update on public."user"
  for each row execute function public.touch_updated_at();
