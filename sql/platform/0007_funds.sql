-- Funds, access of users to funds, and subscriptions.

create table public.fund (
  id uuid primary key default pg_catalog.gen_random_uuid(),
  organization_id uuid not null
    default (rowgate_api.session_variable('organization_id'))::uuid
    references public.organization,
  name text not null default 'New fund' check (name <> ''),
  description text,
  currency text not null default 'USD' check (currency ~ '^[A-Z]{3}$'),
  status text not null default 'draft' check (status in ('draft', 'open', 'closed', 'liquidated')),
  created_by text references public."user" on update cascade on delete set null,
  created_at timestamptz not null default pg_catalog.now(),
  updated_at timestamptz not null default pg_catalog.now(),
  user_agreement text,
  unique (organization_id, id)
);
comment on table public.fund is 'A fund to which users subscribe.';
comment on column public.fund.id is 'Id of the fund. The header X-Gql-Allowed-Funds lists the ids of all funds that a user may access.';
comment on column public.fund.organization_id is 'The organization that runs the fund.';
comment on column public.fund.name is 'The name of the fund.';
comment on column public.fund.description is 'Investments of the fund.';
comment on column public.fund.currency is 'Currency of the fund''s amounts, as an ISO 4217 code.';
comment on column public.fund.status is 'draft → open ⇄ closed → liquidated.';
comment on column public.fund.created_by is 'User who created the fund.';
comment on column public.fund.created_at is 'Time at which the fund was created.';
comment on column public.fund.updated_at is 'Time of the last change of the row.';
comment on column public.fund.user_agreement is 'Text that a user must accept before subscribing. Empty lines separate paragraphs.';
create index fund_organization_id_status_idx on public.fund (organization_id, status);
create index fund_created_by_idx on public.fund (created_by);

create table public.fund_access (
  user_id text not null references public."user" on update cascade on delete cascade,
  fund_id uuid not null references public.fund on delete cascade,
  primary key (user_id, fund_id)
);
comment on table public.fund_access is 'The funds that a user may access. The header X-Gql-Allowed-Funds is filled from this table.';
comment on column public.fund_access.user_id is 'The user.';
comment on column public.fund_access.fund_id is 'The fund.';
create index fund_access_fund_id_idx on public.fund_access (fund_id);

create table public.fund_subscription (
  id uuid primary key default pg_catalog.gen_random_uuid(),
  user_id text not null
    default rowgate_api.session_variable('user_id')
    references public."user" on update cascade,
  fund_id uuid not null references public.fund,
  subscription_amount numeric(20,2) not null default 0 check (subscription_amount >= 0),
  currency text not null default 'USD' check (currency ~ '^[A-Z]{3}$'),
  status text not null default 'draft'
    check (status in ('draft', 'submitted', 'approved', 'active', 'redeemed', 'cancelled')),
  created_by text references public."user" on update cascade on delete set null,
  created_at timestamptz not null default pg_catalog.now(),
  updated_at timestamptz not null default pg_catalog.now(),
  reviewed_by text references public."user" on update cascade on delete set null,
  reviewed_at timestamptz,
  constraint fund_subscription_number_check check (subscription_amount <> 'NaN')
);
comment on table public.fund_subscription is 'A planned or active investment of a user in a fund.';
comment on column public.fund_subscription.id is 'Id of the subscription.';
comment on column public.fund_subscription.user_id is 'The user who subscribes.';
comment on column public.fund_subscription.fund_id is 'The fund.';
comment on column public.fund_subscription.subscription_amount is 'Subscribed amount, in the currency.';
comment on column public.fund_subscription.currency is 'Currency of the amount, as an ISO 4217 code.';
comment on column public.fund_subscription.status is 'draft → submitted → approved → active → redeemed. cancelled is possible before active.';
comment on column public.fund_subscription.created_by is 'User who created the subscription.';
comment on column public.fund_subscription.created_at is 'Time at which the subscription was created.';
comment on column public.fund_subscription.updated_at is 'Time of the last change of the row.';
comment on column public.fund_subscription.reviewed_by is 'User who approved the subscription.';
comment on column public.fund_subscription.reviewed_at is 'Time of the approval.';
create index fund_subscription_user_id_fund_id_idx on public.fund_subscription (user_id, fund_id);
create index fund_subscription_fund_id_idx on public.fund_subscription (fund_id);
create index fund_subscription_created_by_idx on public.fund_subscription (created_by);
create index fund_subscription_reviewed_by_idx on public.fund_subscription (reviewed_by);

create trigger touch_updated_at before update on public.fund
  for each row execute function public.touch_updated_at();
create trigger check_move after update on public.fund for each row
  when (old.status is distinct from new.status) execute function rowgate_webhooks.check_move();
create trigger touch_updated_at before update on public.fund_subscription
  for each row execute function public.touch_updated_at();
create trigger stamp_review before update of status on public.fund_subscription
  for each row execute function public.stamp_review();
create trigger check_move after update on public.fund_subscription for each row
  when (old.status is distinct from new.status) execute function rowgate_webhooks.check_move();

create function rowgate_webhooks.notify_fund(fund_id uuid, role text, kind text, title text, body text, link text)
  returns void
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select rowgate_webhooks.notify(a.user_id, $3, $4, $5, $6)
    from public.fund_access a
    join public.user_role r on r.user_id = a.user_id and r.role = $2
    where a.fund_id = $1
    order by a.user_id;
  $$;
comment on function rowgate_webhooks.notify_fund(uuid, text, text, text, text, text) is
  'Notifies the users who have access to a fund and a given role.';

revoke all on all functions in schema rowgate_webhooks from public;
