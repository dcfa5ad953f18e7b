-- Funds, who may see them, and what people have put into them.

create table public.fund (
  id uuid primary key default pg_catalog.gen_random_uuid(),
  organization_id uuid not null
    default (rowgate_api.session_variable('organization_id'))::uuid
    references public.organization,
  name text not null default 'New fund' check (name <> ''),
  description text,
  currency text not null default 'USD' check (currency ~ '^[A-Z]{3}$'),
  status text not null default 'draft' check (status in ('draft', 'open', 'closed', 'liquidated')),
  created_by text references public."user" on delete set null,
  created_at timestamptz not null default pg_catalog.now(),
  updated_at timestamptz not null default pg_catalog.now()
);
comment on table public.fund is 'A fund that people subscribe to.';
comment on column public.fund.id is 'One of the ids in X-Gql-Allowed-Funds, for those who have access.';
comment on column public.fund.organization_id is 'The organization that runs the fund.';
comment on column public.fund.name is 'The name of the fund.';
comment on column public.fund.description is 'What the fund invests in.';
comment on column public.fund.currency is 'The currency that amounts of the fund are in, as in ISO 4217.';
comment on column public.fund.status is 'draft, open, closed or liquidated.';
comment on column public.fund.created_by is 'Who entered the fund.';
comment on column public.fund.created_at is 'When the fund was entered.';
comment on column public.fund.updated_at is 'When the row changed last.';
create index fund_organization_id_status_idx on public.fund (organization_id, status);
create index fund_created_by_idx on public.fund (created_by);

create table public.fund_access (
  user_id text not null references public."user" on delete cascade,
  fund_id uuid not null references public.fund on delete cascade,
  primary key (user_id, fund_id)
);
comment on table public.fund_access is 'Which funds a person may see: the source of X-Gql-Allowed-Funds.';
comment on column public.fund_access.user_id is 'The person.';
comment on column public.fund_access.fund_id is 'The fund.';
create index fund_access_fund_id_idx on public.fund_access (fund_id);

create table public.fund_subscription (
  id uuid primary key default pg_catalog.gen_random_uuid(),
  user_id text not null
    default rowgate_api.session_variable('user_id')
    references public."user",
  fund_id uuid not null references public.fund,
  subscription_amount numeric(20,2) not null default 0 check (subscription_amount >= 0),
  currency text not null default 'USD' check (currency ~ '^[A-Z]{3}$'),
  status text not null default 'draft'
    check (status in ('draft', 'submitted', 'approved', 'active', 'redeemed', 'cancelled')),
  created_by text references public."user" on delete set null,
  created_at timestamptz not null default pg_catalog.now(),
  updated_at timestamptz not null default pg_catalog.now()
);
comment on table public.fund_subscription is 'What one person has put, or means to put, into one fund.';
comment on column public.fund_subscription.id is 'The subscription''s id.';
comment on column public.fund_subscription.user_id is 'The person who subscribes.';
comment on column public.fund_subscription.fund_id is 'The fund.';
comment on column public.fund_subscription.subscription_amount is 'How much is subscribed, in the currency.';
comment on column public.fund_subscription.currency is 'The currency of the amount, as in ISO 4217.';
comment on column public.fund_subscription.status is 'draft, submitted, approved, active, redeemed or cancelled.';
comment on column public.fund_subscription.created_by is 'Who entered the subscription.';
comment on column public.fund_subscription.created_at is 'When the subscription was entered.';
comment on column public.fund_subscription.updated_at is 'When the row changed last.';
create index fund_subscription_user_id_fund_id_idx on public.fund_subscription (user_id, fund_id);
create index fund_subscription_fund_id_idx on public.fund_subscription (fund_id);
create index fund_subscription_created_by_idx on public.fund_subscription (created_by);

create trigger touch_updated_at before update on public.fund
  for each row execute function public.touch_updated_at();
create trigger touch_updated_at before update on public.fund_subscription
  for each row execute function public.touch_updated_at();
