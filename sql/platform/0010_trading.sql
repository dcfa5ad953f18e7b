-- Trades: what is asked for, and how it is settled.

create table public.trade_request (
  id uuid primary key default pg_catalog.gen_random_uuid(),
  organization_id uuid not null
    default (rowgate_api.session_variable('organization_id'))::uuid
    references public.organization,
  user_id text,
  fund_id uuid,
  digital_wallet_id uuid,
  otc_quote_id uuid,
  side text not null default 'buy' check (side in ('buy', 'sell')),
  pair text not null default 'BTC/USD' check (pair ~ '^[A-Z0-9]{2,12}/[A-Z]{3}$'),
  quantity numeric(38,18) not null check (quantity > 0 and quantity <> 'NaN'),
  limit_price numeric(38,18) check (limit_price > 0 and limit_price <> 'NaN'),
  executed_quantity numeric(38,18) not null default 0
    check (executed_quantity between 0 and quantity),
  executed_price numeric(38,18) check (executed_price > 0 and executed_price <> 'NaN'),
  fee numeric(20,2) not null default 0 check (fee >= 0 and fee <> 'NaN'),
  currency text not null default 'USD' check (currency ~ '^[A-Z]{3}$'),
  status text not null default 'draft'
    check (status in ('draft', 'submitted', 'approved', 'executed', 'settled', 'rejected', 'cancelled', 'expired', 'locked')),
  status_reason text,
  reviewed_by text references public."user" on delete set null,
  reviewed_at timestamptz,
  expires_at timestamptz,
  executed_at timestamptz,
  created_by text references public."user" on delete set null,
  created_at timestamptz not null default pg_catalog.now(),
  updated_at timestamptz not null default pg_catalog.now(),
  foreign key (organization_id, user_id)
    references public."user" (organization_id, id),
  foreign key (organization_id, fund_id)
    references public.fund (organization_id, id),
  foreign key (organization_id, digital_wallet_id)
    references public.digital_wallet (organization_id, id),
  foreign key (organization_id, otc_quote_id)
    references public.otc_quote (organization_id, id),
  unique (organization_id, id)
);
comment on table public.trade_request is 'A trade that somebody asks for.';
comment on column public.trade_request.id is 'The request''s id.';
comment on column public.trade_request.organization_id is 'The organization that trades.';
comment on column public.trade_request.user_id is 'The person who trades; absent for a trade of the organization as a whole.';
comment on column public.trade_request.fund_id is 'The fund that trades, where it is one.';
comment on column public.trade_request.digital_wallet_id is 'The wallet that the coins come from or go to.';
comment on column public.trade_request.otc_quote_id is 'The quote that the request takes, where it takes one.';
comment on column public.trade_request.side is 'buy or sell, as the organization sees it.';
comment on column public.trade_request.pair is 'The coin and the currency that it is priced in, e.g. BTC/USD.';
comment on column public.trade_request.quantity is 'How many coins are to be traded.';
comment on column public.trade_request.limit_price is 'The worst price of one coin to accept, in the currency; absent for any.';
comment on column public.trade_request.executed_quantity is 'How many coins were traded.';
comment on column public.trade_request.executed_price is 'The price of one coin that was paid on average, in the currency.';
comment on column public.trade_request.fee is 'What the platform takes for the trade, in the currency.';
comment on column public.trade_request.currency is 'The currency of prices and fee, as in ISO 4217.';
comment on column public.trade_request.status is 'draft → submitted → approved → executed → settled; rejected from submitted, cancelled or expired before the execution; locked while compliance holds it. A draft may be deleted.';
comment on column public.trade_request.status_reason is 'Why it was rejected, cancelled or locked.';
comment on column public.trade_request.reviewed_by is 'Who approved or rejected it.';
comment on column public.trade_request.reviewed_at is 'When it was approved or rejected.';
comment on column public.trade_request.expires_at is 'Until when it may be executed; absent for as long as it stands.';
comment on column public.trade_request.executed_at is 'When it was executed.';
comment on column public.trade_request.created_by is 'Who entered the request.';
comment on column public.trade_request.created_at is 'When the request was entered.';
comment on column public.trade_request.updated_at is 'When the row changed last.';
create index trade_request_organization_id_user_id_idx on public.trade_request (organization_id, user_id);
create index trade_request_user_id_idx on public.trade_request (user_id);
create index trade_request_organization_id_fund_id_idx on public.trade_request (organization_id, fund_id);
create index trade_request_fund_id_idx on public.trade_request (fund_id);
create index trade_request_organization_id_digital_wallet_id_idx on public.trade_request (organization_id, digital_wallet_id);
create index trade_request_digital_wallet_id_idx on public.trade_request (digital_wallet_id);
create index trade_request_organization_id_otc_quote_id_idx on public.trade_request (organization_id, otc_quote_id);
create index trade_request_reviewed_by_idx on public.trade_request (reviewed_by);
create index trade_request_organization_id_status_idx on public.trade_request (organization_id, status);
create index trade_request_created_by_idx on public.trade_request (created_by);

create table public.trade_settlement (
  id uuid primary key default pg_catalog.gen_random_uuid(),
  organization_id uuid not null
    default (rowgate_api.session_variable('organization_id'))::uuid
    references public.organization,
  trade_request_id uuid not null,
  asset_transaction_id uuid,
  coin text not null check (coin ~ '^[A-Z0-9]{2,12}$'),
  coin_amount numeric(38,18) not null check (coin_amount > 0 and coin_amount <> 'NaN'),
  amount numeric(20,2) not null check (amount >= 0 and amount <> 'NaN'),
  currency text not null default 'USD' check (currency ~ '^[A-Z]{3}$'),
  status text not null default 'pending'
    check (status in ('pending', 'processing', 'settled', 'failed', 'cancelled', 'locked')),
  status_reason text,
  bank_reference text,
  due_on date,
  settled_at timestamptz,
  created_by text references public."user" on delete set null,
  created_at timestamptz not null default pg_catalog.now(),
  updated_at timestamptz not null default pg_catalog.now(),
  foreign key (organization_id, trade_request_id)
    references public.trade_request (organization_id, id),
  foreign key (organization_id, asset_transaction_id)
    references public.asset_transaction (organization_id, id)
);
comment on table public.trade_settlement is 'The exchange of coins and money that an executed trade leads to.';
comment on column public.trade_settlement.id is 'The settlement''s id.';
comment on column public.trade_settlement.organization_id is 'The organization that trades.';
comment on column public.trade_settlement.trade_request_id is 'The trade that is settled.';
comment on column public.trade_settlement.asset_transaction_id is 'The transaction that moved the coins, once there is one.';
comment on column public.trade_settlement.coin is 'The ticker of the coin, e.g. BTC.';
comment on column public.trade_settlement.coin_amount is 'How many coins change hands.';
comment on column public.trade_settlement.amount is 'How much money changes hands, fee included, in the currency.';
comment on column public.trade_settlement.currency is 'The currency of the amount, as in ISO 4217.';
comment on column public.trade_settlement.status is 'pending → processing → settled or failed; failed → pending for another try; cancelled from pending; locked while compliance holds it.';
comment on column public.trade_settlement.status_reason is 'Why it failed, was cancelled or is locked.';
comment on column public.trade_settlement.bank_reference is 'What the bank knows the payment by.';
comment on column public.trade_settlement.due_on is 'The day on which it is to be settled.';
comment on column public.trade_settlement.settled_at is 'When coins and money had changed hands.';
comment on column public.trade_settlement.created_by is 'Who entered the settlement; absent where the platform did.';
comment on column public.trade_settlement.created_at is 'When the settlement was entered.';
comment on column public.trade_settlement.updated_at is 'When the row changed last.';
create index trade_settlement_organization_id_trade_request_id_idx on public.trade_settlement (organization_id, trade_request_id);
create index trade_settlement_trade_request_id_idx on public.trade_settlement (trade_request_id);
create index trade_settlement_organization_id_asset_transaction_id_idx on public.trade_settlement (organization_id, asset_transaction_id);
create index trade_settlement_organization_id_status_idx on public.trade_settlement (organization_id, status);
create index trade_settlement_created_by_idx on public.trade_settlement (created_by);

create trigger touch_updated_at before update on public.trade_request
  for each row execute function public.touch_updated_at();
create trigger touch_updated_at before update on public.trade_settlement
  for each row execute function public.touch_updated_at();
