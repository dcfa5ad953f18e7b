-- Coins that move.

create table public.asset_transaction (
  id uuid primary key default pg_catalog.gen_random_uuid(),
  organization_id uuid not null
    default (rowgate_api.session_variable('organization_id'))::uuid
    references public.organization,
  digital_wallet_id uuid not null,
  kind text not null default 'transfer'
    check (kind in ('deposit', 'withdrawal', 'trade', 'transfer', 'fee', 'adjustment')),
  direction text not null default 'in' check (direction in ('in', 'out')),
  coin text not null check (coin ~ '^[A-Z0-9]{2,12}$'),
  amount numeric(38,18) not null check (amount > 0 and amount <> 'NaN'),
  fee numeric(38,18) not null default 0 check (fee >= 0 and fee <> 'NaN'),
  usd_value numeric(20,2) check (usd_value >= 0 and usd_value <> 'NaN'),
  status text not null default 'pending'
    check (status in ('pending_approval', 'pending', 'confirmed', 'failed', 'rejected')),
  hash text check (hash <> ''),
  custody_transfer_id text check (custody_transfer_id <> ''),
  counterparty_address text,
  occurred_at timestamptz not null default pg_catalog.now(),
  confirmed_at timestamptz check (confirmed_at >= occurred_at),
  created_at timestamptz not null default pg_catalog.now(),
  updated_at timestamptz not null default pg_catalog.now(),
  foreign key (organization_id, digital_wallet_id)
    references public.digital_wallet (organization_id, id),
  unique (organization_id, id),
  unique (organization_id, custody_transfer_id)
);
comment on table public.asset_transaction is 'Coins that came into a wallet or left it.';
comment on column public.asset_transaction.id is 'The transaction''s id.';
comment on column public.asset_transaction.organization_id is 'The organization that the wallet belongs to.';
comment on column public.asset_transaction.digital_wallet_id is 'The wallet.';
comment on column public.asset_transaction.kind is 'deposit, withdrawal, trade, transfer, fee or adjustment.';
comment on column public.asset_transaction.direction is 'in or out, as the wallet sees it.';
comment on column public.asset_transaction.coin is 'The ticker of the coin, e.g. BTC.';
comment on column public.asset_transaction.amount is 'How many coins.';
comment on column public.asset_transaction.fee is 'What the network took besides, in coins.';
comment on column public.asset_transaction.usd_value is 'The amount in US dollars at the price of the time; absent where there was no price.';
comment on column public.asset_transaction.status is 'pending_approval → pending → confirmed or failed; rejected where approval was refused. Only confirmed transactions count towards the balance.';
comment on column public.asset_transaction.hash is 'The hash on the coin''s network, once that has the transaction.';
comment on column public.asset_transaction.custody_transfer_id is 'The transfer''s id at the custody provider, once in an organization.';
comment on column public.asset_transaction.counterparty_address is 'The address at the other end.';
comment on column public.asset_transaction.occurred_at is 'When the transaction was seen first.';
comment on column public.asset_transaction.confirmed_at is 'When the network had confirmed it.';
comment on column public.asset_transaction.created_at is 'When the transaction was stored.';
comment on column public.asset_transaction.updated_at is 'When the row changed last.';
create index asset_transaction_organization_id_digital_wallet_id_idx on public.asset_transaction (organization_id, digital_wallet_id);
create index asset_transaction_digital_wallet_id_idx on public.asset_transaction (digital_wallet_id);
create index asset_transaction_organization_id_status_idx on public.asset_transaction (organization_id, status);
create index asset_transaction_organization_id_hash_idx on public.asset_transaction (organization_id, hash);

create trigger touch_updated_at before update on public.asset_transaction
  for each row execute function public.touch_updated_at();
