-- Organizations (the tenants), users, user roles and notifications. Each table of a tenant has organization_id, which
-- defaults to the organization of the session. Unique keys include it, so that a foreign key requires a parent row of
-- the same organization. A user entered before the first sign-in has a temporary local id, so every foreign key to a
-- user cascades on update.

create function public.touch_updated_at() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
    begin
      new.updated_at := now();
      return new;
    end
  $$;
comment on function public.touch_updated_at() is 'Sets updated_at to the time of the transaction.';
revoke all on function public.touch_updated_at() from public;

-- Roles that may decide must not set the time of the decision. When the platform stores a provider's decision, it sets
-- the provider's time instead.
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
comment on function public.stamp_review() is 'Sets reviewed_at to the time of the transaction that approves or rejects the row.';
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
comment on table public.organization is 'A client of the platform. Every row of a tenant belongs to one organization.';
comment on column public.organization.id is 'Id of the organization: the value of the header X-Gql-Organization-Id.';
comment on column public.organization.name is 'Display name of the organization.';
comment on column public.organization.country is 'Country of registration, as an ISO 3166-1 two-letter code.';
comment on column public.organization.status is 'active ⇄ suspended. closed is final.';
comment on column public.organization.created_at is 'Time at which the organization was created.';
comment on column public.organization.updated_at is 'Time of the last change of the row.';
comment on column public.organization.billing_address is 'Postal address for invoices, one line per line break.';
comment on column public.organization.tax_number is 'Tax number as printed on invoices.';

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
comment on column public."user".id is 'Id at the identity provider: the value of the header X-Gql-User-Id. Before the first sign-in, a temporary local id.';
comment on column public."user".organization_id is 'The organization of the user.';
comment on column public."user".email is 'E-mail address, unique in an organization regardless of letter case.';
comment on column public."user".full_name is 'Display name of the user.';
comment on column public."user".created_at is 'Time at which the user was created.';
comment on column public."user".updated_at is 'Time of the last change of the row.';
comment on column public."user".status is 'active ⇄ disabled. A disabled user has no access, even with a session.';
comment on column public."user".platform_admin is 'True if the user administers the platform itself, independently of roles.';
create unique index user_organization_id_email_key on public."user" (organization_id, pg_catalog.lower(email));

create table public.user_role (
  user_id text not null references public."user" on update cascade on delete cascade,
  role text not null check (role ~ '^[a-z][a-z0-9_]*$'),
  primary key (user_id, role)
);
comment on table public.user_role is 'The roles that a session of a user may take.';
comment on column public.user_role.user_id is 'The user.';
comment on column public.user_role.role is 'Name of the role, as in the header X-Gql-Role.';

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
comment on table public.notification is 'A message of the platform to a user.';
comment on column public.notification.id is 'Id of the notification.';
comment on column public.notification.organization_id is 'The organization of the user.';
comment on column public.notification.user_id is 'The user.';
comment on column public.notification.kind is 'Subject area: transaction, trade, invoice, card, kyc, case, report, security or system.';
comment on column public.notification.title is 'One line that says what happened.';
comment on column public.notification.body is 'Further text, without formatting.';
comment on column public.notification.link is 'Path of a page of the platform with more information.';
comment on column public.notification.read_at is 'Time at which the user read the notification. Null until then.';
comment on column public.notification.created_at is 'Time at which the user was notified.';
comment on column public.notification.updated_at is 'Time of the last change of the row.';
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
comment on table public.login_event is 'Sign-in events of known users, as reported by the identity provider. The rows never change.';
comment on column public.login_event.id is 'Id of the event.';
comment on column public.login_event.organization_id is 'The organization of the user.';
comment on column public.login_event.user_id is 'The user.';
comment on column public.login_event.kind is 'login, login_failed, logout, password_changed, mfa_enrolled, mfa_passed, mfa_failed or blocked.';
comment on column public.login_event.connection is 'Connection of the identity provider, e.g. a password database or a social login.';
comment on column public.login_event.ip is 'IP address of the client.';
comment on column public.login_event.user_agent is 'User agent of the client.';
comment on column public.login_event.log_id is 'Id of the event in the provider''s log, unique in an organization.';
comment on column public.login_event.occurred_at is 'Time of the event.';
comment on column public.login_event.created_at is 'Time at which the event was stored.';
create index login_event_organization_id_user_id_idx on public.login_event (organization_id, user_id);
create index login_event_user_id_occurred_at_idx on public.login_event (user_id, occurred_at);
create index login_event_organization_id_occurred_at_idx on public.login_event (organization_id, occurred_at);

-- Foreign keys that include the organization would move all rows of the user to the other organization.
create function public.keep_organization() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
    begin
      raise exception 'a user cannot move to another organization' using errcode = 'check_violation';
    end
  $$;
comment on function public.keep_organization() is 'Refuses to move a user to another organization.';
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
