-- What people are told, and how they sign in.

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
    references public."user" (organization_id, id) on delete cascade
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
    references public."user" (organization_id, id) on delete cascade,
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

create trigger touch_updated_at before update on public.notification
  for each row execute function public.touch_updated_at();
