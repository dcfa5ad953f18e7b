-- Organizations (the tenants), their people, the roles of these, and their notifications. A tenant's table carries
-- organization_id, which defaults to the current organization of the session. Unique keys carry it too, so that a
-- foreign key demands a parent of the same organization. A person who was entered before the first sign-in has a
-- local id until then; therefore every foreign key to a person cascades on update.

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

-- A role that may decide may not set the time of the decision. Where the platform stores a provider's decision, it
-- sets the provider's time.
create function public.stamp_review() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
    begin
      if new.status <> old.status
        and (new.status in ('approved', 'rejected') or old.status = 'pending_approval')
        and new.reviewed_at is not distinct from old.reviewed_at
      then
        new.reviewed_at := now();
      end if;
      return new;
    end
  $$;
comment on function public.stamp_review() is 'Keeps reviewed_at: the time of the transaction that approved or rejected the row.';
revoke all on function public.stamp_review() from public;

create table public.organization (
  id uuid primary key default pg_catalog.gen_random_uuid(),
  name text not null default 'New organization' check (name <> ''),
  country text check (country ~ '^[A-Z]{2}$'),
  status text not null default 'active' check (status in ('active', 'suspended', 'closed')),
  created_at timestamptz not null default pg_catalog.now(),
  updated_at timestamptz not null default pg_catalog.now(),
  billing_address text,
  tax_number text
);
comment on table public.organization is 'A client of the platform: every row of a tenant belongs to one.';
comment on column public.organization.id is 'What X-Gql-Organization-Id carries.';
comment on column public.organization.name is 'The name that people know the organization by.';
comment on column public.organization.country is 'Where it is registered, as two letters of ISO 3166-1.';
comment on column public.organization.status is 'active ⇄ suspended; closed for good.';
comment on column public.organization.created_at is 'When the organization was entered.';
comment on column public.organization.updated_at is 'When the row changed last.';
comment on column public.organization.billing_address is 'Where invoices are addressed to, line by line.';
comment on column public.organization.tax_number is 'The number that the tax authorities know it by, as invoices print it.';

create table public."user" (
  id text primary key default ('local|' || pg_catalog.gen_random_uuid()) check (id <> ''),
  organization_id uuid not null
    default (rowgate_api.session_variable('organization_id'))::uuid
    references public.organization,
  email text not null check (email ~ '^[^@[:space:]]+@[^@[:space:]]+$'),
  full_name text,
  created_at timestamptz not null default pg_catalog.now(),
  updated_at timestamptz not null default pg_catalog.now(),
  status text not null default 'active' check (status in ('active', 'disabled')),
  platform_admin boolean not null default false,
  unique (organization_id, id)
);
comment on table public."user" is 'A person who signs in through the identity provider.';
comment on column public."user".id is 'The id at the identity provider; what X-Gql-User-Id carries. Until the person has signed in, a local one.';
comment on column public."user".organization_id is 'The organization that the person belongs to.';
comment on column public."user".email is 'The e-mail address, once in an organization whatever its letter case.';
comment on column public."user".full_name is 'The name to address the person by.';
comment on column public."user".created_at is 'When the person was entered.';
comment on column public."user".updated_at is 'When the row changed last.';
comment on column public."user".status is 'active ⇄ disabled; a disabled person may do nothing, signed in or not.';
comment on column public."user".platform_admin is 'Whether the person administers the platform itself, whatever roles besides.';
create unique index user_organization_id_email_key on public."user" (organization_id, pg_catalog.lower(email));

create table public.user_role (
  user_id text not null references public."user" on update cascade on delete cascade,
  role text not null check (role ~ '^[a-z][a-z0-9_]*$'),
  primary key (user_id, role)
);
comment on table public.user_role is 'The roles that a session of a person may take.';
comment on column public.user_role.user_id is 'The person.';
comment on column public.user_role.role is 'The name of the role, as in X-Gql-Role.';

create table public.notification (
  id uuid primary key default pg_catalog.gen_random_uuid(),
  organization_id uuid not null
    default (rowgate_api.session_variable('organization_id'))::uuid
    references public.organization,
  user_id text not null,
  kind text not null default 'system'
    check (kind in ('transaction', 'trade', 'invoice', 'card', 'kyc', 'case', 'report', 'security', 'system')),
  title text not null check (title <> ''),
  body text not null default '',
  link text check (link ~ '^/[^/]'),
  read_at timestamptz,
  created_at timestamptz not null default pg_catalog.now(),
  updated_at timestamptz not null default pg_catalog.now(),
  foreign key (organization_id, user_id)
    references public."user" (organization_id, id) on update cascade on delete cascade
);
comment on table public.notification is 'Something that the platform tells a person.';
comment on column public.notification.id is 'The notification''s id.';
comment on column public.notification.organization_id is 'The organization that the person belongs to.';
comment on column public.notification.user_id is 'The person.';
comment on column public.notification.kind is 'What it is about: transaction, trade, invoice, card, kyc, case, report, security or system.';
comment on column public.notification.title is 'What happened, in a line.';
comment on column public.notification.body is 'The rest, as plain text.';
comment on column public.notification.link is 'Where to read on: a path on the platform.';
comment on column public.notification.read_at is 'When the person read it; absent until then.';
comment on column public.notification.created_at is 'When the person was told.';
comment on column public.notification.updated_at is 'When the row changed last.';
create index notification_organization_id_user_id_idx on public.notification (organization_id, user_id);
create index notification_user_id_created_at_idx on public.notification (user_id, created_at);

create table public.login_event (
  id uuid primary key default pg_catalog.gen_random_uuid(),
  organization_id uuid not null
    default (rowgate_api.session_variable('organization_id'))::uuid
    references public.organization,
  user_id text not null,
  kind text not null
    check (kind in ('login', 'login_failed', 'logout', 'password_changed', 'mfa_enrolled', 'mfa_passed', 'mfa_failed', 'blocked')),
  connection text,
  ip inet,
  user_agent text,
  log_id text not null check (log_id <> ''),
  occurred_at timestamptz not null default pg_catalog.now(),
  created_at timestamptz not null default pg_catalog.now(),
  foreign key (organization_id, user_id)
    references public."user" (organization_id, id) on update cascade on delete cascade,
  unique (organization_id, log_id)
);
comment on table public.login_event is 'What the identity provider says a known person did to sign in; never changed afterwards.';
comment on column public.login_event.id is 'The event''s id.';
comment on column public.login_event.organization_id is 'The organization that the person belongs to.';
comment on column public.login_event.user_id is 'The person.';
comment on column public.login_event.kind is 'login, login_failed, logout, password_changed, mfa_enrolled, mfa_passed, mfa_failed or blocked.';
comment on column public.login_event.connection is 'The connection of the identity provider, e.g. a password database or a social one.';
comment on column public.login_event.ip is 'The address that the person came from.';
comment on column public.login_event.user_agent is 'The program that the person used.';
comment on column public.login_event.log_id is 'The event''s id in the provider''s log, once in an organization.';
comment on column public.login_event.occurred_at is 'When it happened.';
comment on column public.login_event.created_at is 'When the event was stored.';
create index login_event_organization_id_user_id_idx on public.login_event (organization_id, user_id);
create index login_event_user_id_occurred_at_idx on public.login_event (user_id, occurred_at);
create index login_event_organization_id_occurred_at_idx on public.login_event (organization_id, occurred_at);

-- Foreign keys that carry the organization would move a person's rows along into another one.
create function public.keep_organization() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
    begin
      raise exception 'a person stays in the organization' using errcode = 'check_violation';
    end
  $$;
comment on function public.keep_organization() is 'Refuses to move a person to another organization.';
revoke all on function public.keep_organization() from public;

create trigger keep_organization before update of organization_id on public."user"
  for each row when (old.organization_id is distinct from new.organization_id)
  execute function public.keep_organization();

create trigger touch_updated_at before update on public.organization
  for each row execute function public.touch_updated_at();
create trigger touch_updated_at before update on public."user"
  for each row execute function public.touch_updated_at();
create trigger touch_updated_at before update on public.notification
  for each row execute function public.touch_updated_at();
