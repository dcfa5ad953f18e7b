-- Wallets, the addresses that they pay to, and quotes for trades over the counter.

create table public.digital_wallet (
  id uuid primary key default pg_catalog.gen_random_uuid(),
  organization_id uuid not null
    default (rowgate_api.session_variable('organization_id'))::uuid
    references public.organization,
  user_id text references public."user" on delete set null,
  label text not null default '',
  description text,
  coin text not null default 'BTC' check (coin ~ '^[A-Z0-9]{2,12}$'),
  wallet_type text not null default 'custodial'
    check (wallet_type in ('custodial', 'hot', 'cold', 'smart_account')),
  address text,
  balance numeric(38,18) not null default 0,
  usd_value numeric(20,2) not null default 0,
  status text not null default 'draft' check (status in ('draft', 'active', 'locked', 'archived')),
  created_by text references public."user" on delete set null,
  created_at timestamptz not null default pg_catalog.now(),
  updated_at timestamptz not null default pg_catalog.now()
);
comment on table public.digital_wallet is 'A wallet that holds one coin for an organization.';
comment on column public.digital_wallet.id is 'The wallet''s id.';
comment on column public.digital_wallet.organization_id is 'The organization that the wallet belongs to.';
comment on column public.digital_wallet.user_id is 'The wallet''s owner; absent for a wallet of the organization as a whole.';
comment on column public.digital_wallet.label is 'What its people call the wallet.';
comment on column public.digital_wallet.description is 'What the wallet is for.';
comment on column public.digital_wallet.coin is 'The ticker of the coin, e.g. BTC.';
comment on column public.digital_wallet.wallet_type is 'custodial, hot, cold or smart_account.';
comment on column public.digital_wallet.address is 'Where the wallet receives, on the coin''s network.';
comment on column public.digital_wallet.balance is 'How much the wallet holds, in its coin.';
comment on column public.digital_wallet.usd_value is 'The balance in US dollars at the last known price.';
comment on column public.digital_wallet.status is 'draft, active, locked or archived; a locked wallet is not changed, a draft may be deleted.';
comment on column public.digital_wallet.created_by is 'Who entered the wallet.';
comment on column public.digital_wallet.created_at is 'When the wallet was entered.';
comment on column public.digital_wallet.updated_at is 'When the row changed last.';
create index digital_wallet_organization_id_status_idx on public.digital_wallet (organization_id, status);
create index digital_wallet_user_id_idx on public.digital_wallet (user_id);
create index digital_wallet_created_by_idx on public.digital_wallet (created_by);

create table public.address_book_entry (
  id uuid primary key default pg_catalog.gen_random_uuid(),
  organization_id uuid not null
    default (rowgate_api.session_variable('organization_id'))::uuid
    references public.organization,
  label text not null default '',
  description text,
  coin text not null default 'BTC' check (coin ~ '^[A-Z0-9]{2,12}$'),
  address text,
  status text not null default 'draft' check (status in ('draft', 'active', 'locked', 'archived')),
  created_by text references public."user" on delete set null,
  created_at timestamptz not null default pg_catalog.now(),
  updated_at timestamptz not null default pg_catalog.now()
);
comment on table public.address_book_entry is 'An address that an organization pays to.';
comment on column public.address_book_entry.id is 'The entry''s id.';
comment on column public.address_book_entry.organization_id is 'The organization that the entry belongs to.';
comment on column public.address_book_entry.label is 'What its people call the address.';
comment on column public.address_book_entry.description is 'Whose address it is, and what is paid to it.';
comment on column public.address_book_entry.coin is 'The ticker of the coin that the address takes, e.g. BTC.';
comment on column public.address_book_entry.address is 'The address on the coin''s network; absent while the entry is a draft.';
comment on column public.address_book_entry.status is 'draft, active, locked or archived; a locked entry is not changed, a draft may be deleted.';
comment on column public.address_book_entry.created_by is 'Who entered it.';
comment on column public.address_book_entry.created_at is 'When it was entered.';
comment on column public.address_book_entry.updated_at is 'When the row changed last.';
create index address_book_entry_organization_id_status_idx on public.address_book_entry (organization_id, status);
create index address_book_entry_created_by_idx on public.address_book_entry (created_by);

create table public.otc_quote (
  id uuid primary key default pg_catalog.gen_random_uuid(),
  organization_id uuid not null
    default (rowgate_api.session_variable('organization_id'))::uuid
    references public.organization,
  digital_wallet_id uuid references public.digital_wallet,
  pair text not null default 'BTC/USD' check (pair ~ '^[A-Z0-9]{2,12}/[A-Z]{3}$'),
  side text not null default 'buy' check (side in ('buy', 'sell')),
  quantity numeric(38,18) not null default 0 check (quantity >= 0),
  price numeric(38,18) not null default 0 check (price >= 0),
  fee numeric(20,2) not null default 0 check (fee >= 0),
  currency text not null default 'USD' check (currency ~ '^[A-Z]{3}$'),
  status text not null default 'draft'
    check (status in ('draft', 'quoted', 'accepted', 'rejected', 'expired', 'settled')),
  expires_at timestamptz,
  created_by text references public."user" on delete set null,
  created_at timestamptz not null default pg_catalog.now(),
  updated_at timestamptz not null default pg_catalog.now()
);
comment on table public.otc_quote is 'A price offered to an organization for a trade over the counter.';
comment on column public.otc_quote.id is 'The quote''s id.';
comment on column public.otc_quote.organization_id is 'The organization that the price is offered to.';
comment on column public.otc_quote.digital_wallet_id is 'The wallet that the coins come from or go to.';
comment on column public.otc_quote.pair is 'The coin and the currency that it is priced in, e.g. BTC/USD.';
comment on column public.otc_quote.side is 'buy or sell, as the organization sees it.';
comment on column public.otc_quote.quantity is 'How many coins.';
comment on column public.otc_quote.price is 'The price of one coin, in the currency.';
comment on column public.otc_quote.fee is 'What the platform takes for the trade, in the currency.';
comment on column public.otc_quote.currency is 'The currency of price and fee, as in ISO 4217.';
comment on column public.otc_quote.status is 'draft, quoted, accepted, rejected, expired or settled.';
comment on column public.otc_quote.expires_at is 'Until when the price holds.';
comment on column public.otc_quote.created_by is 'Who made the quote.';
comment on column public.otc_quote.created_at is 'When the quote was made.';
comment on column public.otc_quote.updated_at is 'When the row changed last.';
create index otc_quote_organization_id_status_idx on public.otc_quote (organization_id, status);
create index otc_quote_digital_wallet_id_idx on public.otc_quote (digital_wallet_id);
create index otc_quote_created_by_idx on public.otc_quote (created_by);

create trigger touch_updated_at before update on public.digital_wallet
  for each row execute function public.touch_updated_at();
create trigger touch_updated_at before update on public.address_book_entry
  for each row execute function public.touch_updated_at();
create trigger touch_updated_at before update on public.otc_quote
  for each row execute function public.touch_updated_at();
