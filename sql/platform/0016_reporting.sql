-- What holdings were worth day by day, and reports.

create table public.portfolio_snapshot (
  id uuid primary key default pg_catalog.gen_random_uuid(),
  organization_id uuid not null
    default (rowgate_api.session_variable('organization_id'))::uuid
    references public.organization,
  user_id text,
  fund_id uuid,
  digital_wallet_id uuid,
  taken_on date not null,
  total_usd numeric(20,2) not null check (total_usd <> 'NaN'),
  holdings jsonb not null default '{}' check (pg_catalog.jsonb_typeof(holdings) = 'object'),
  created_at timestamptz not null default pg_catalog.now(),
  foreign key (organization_id, user_id)
    references public."user" (organization_id, id) on delete cascade,
  foreign key (organization_id, fund_id)
    references public.fund (organization_id, id),
  foreign key (organization_id, digital_wallet_id)
    references public.digital_wallet (organization_id, id),
  check (pg_catalog.num_nonnulls(user_id, fund_id, digital_wallet_id) <= 1)
);
comment on table public.portfolio_snapshot is 'What an organization, or one person, fund or wallet of it, was worth at the end of a day.';
comment on column public.portfolio_snapshot.id is 'The snapshot''s id.';
comment on column public.portfolio_snapshot.organization_id is 'The organization.';
comment on column public.portfolio_snapshot.user_id is 'The person, where it is about one.';
comment on column public.portfolio_snapshot.fund_id is 'The fund, where it is about one.';
comment on column public.portfolio_snapshot.digital_wallet_id is 'The wallet, where it is about one.';
comment on column public.portfolio_snapshot.taken_on is 'The day, in UTC.';
comment on column public.portfolio_snapshot.total_usd is 'What everything was worth, in US dollars.';
comment on column public.portfolio_snapshot.holdings is 'How much there was of each coin, by its ticker.';
comment on column public.portfolio_snapshot.created_at is 'When it was reckoned.';
create index portfolio_snapshot_organization_id_user_id_idx on public.portfolio_snapshot (organization_id, user_id);
create index portfolio_snapshot_user_id_idx on public.portfolio_snapshot (user_id);
create index portfolio_snapshot_organization_id_fund_id_idx on public.portfolio_snapshot (organization_id, fund_id);
create index portfolio_snapshot_fund_id_idx on public.portfolio_snapshot (fund_id);
create index portfolio_snapshot_organization_id_digital_wallet_id_idx on public.portfolio_snapshot (organization_id, digital_wallet_id);
create index portfolio_snapshot_digital_wallet_id_idx on public.portfolio_snapshot (digital_wallet_id);
create unique index portfolio_snapshot_organization_id_taken_on_subject_key on public.portfolio_snapshot (organization_id, taken_on, coalesce(user_id, fund_id::text, digital_wallet_id::text, ''));

create table public.report (
  id uuid primary key default pg_catalog.gen_random_uuid(),
  organization_id uuid not null
    default (rowgate_api.session_variable('organization_id'))::uuid
    references public.organization,
  user_id text,
  fund_id uuid,
  uploaded_file_id uuid,
  kind text not null default 'portfolio'
    check (kind in ('portfolio', 'fund', 'transactions', 'tax', 'compliance', 'audit')),
  title text not null default 'New report' check (title <> ''),
  period_from date not null default (pg_catalog.now() at time zone 'UTC')::date,
  period_to date not null default (pg_catalog.now() at time zone 'UTC')::date,
  status text not null default 'draft'
    check (status in ('draft', 'requested', 'generating', 'ready', 'failed', 'locked')),
  status_reason text,
  generated_at timestamptz,
  created_by text references public."user" on delete set null,
  created_at timestamptz not null default pg_catalog.now(),
  updated_at timestamptz not null default pg_catalog.now(),
  foreign key (organization_id, user_id)
    references public."user" (organization_id, id),
  foreign key (organization_id, fund_id)
    references public.fund (organization_id, id),
  foreign key (organization_id, uploaded_file_id)
    references public.uploaded_file (organization_id, id),
  check (period_from <= period_to),
  check (pg_catalog.num_nonnulls(user_id, fund_id) <= 1)
);
comment on table public.report is 'A report on an organization, or on one person or fund of it.';
comment on column public.report.id is 'The report''s id.';
comment on column public.report.organization_id is 'The organization that the report is on.';
comment on column public.report.user_id is 'The person that it is on, who may read it; absent where it is on the organization or a fund.';
comment on column public.report.fund_id is 'The fund that it is on, where it is on one.';
comment on column public.report.uploaded_file_id is 'The file, once it is ready.';
comment on column public.report.kind is 'portfolio, fund, transactions, tax, compliance or audit.';
comment on column public.report.title is 'The title printed on it.';
comment on column public.report.period_from is 'The first day that it covers.';
comment on column public.report.period_to is 'The last day that it covers.';
comment on column public.report.status is 'draft → requested → generating → ready or failed; locked once it is final. A draft may be deleted.';
comment on column public.report.status_reason is 'Why it failed.';
comment on column public.report.generated_at is 'When the file was made.';
comment on column public.report.created_by is 'Who asked for the report; absent where a schedule did.';
comment on column public.report.created_at is 'When the report was asked for.';
comment on column public.report.updated_at is 'When the row changed last.';
create index report_organization_id_user_id_idx on public.report (organization_id, user_id);
create index report_user_id_idx on public.report (user_id);
create index report_organization_id_fund_id_idx on public.report (organization_id, fund_id);
create index report_fund_id_idx on public.report (fund_id);
create index report_organization_id_uploaded_file_id_idx on public.report (organization_id, uploaded_file_id);
create index report_organization_id_status_idx on public.report (organization_id, status);
create index report_created_by_idx on public.report (created_by);

create trigger touch_updated_at before update on public.report
  for each row execute function public.touch_updated_at();
