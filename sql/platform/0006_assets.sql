-- Prices of coins and currencies, which all organizations share; wallets, address books and coin transactions.

create table public.coin_price (
  coin text not null check (coin ~ '^[A-Z0-9]{2,12}$'),
  currency text not null default 'USD' check (currency ~ '^[A-Z]{3}$'),
  quoted_at timestamptz not null,
  price numeric(38,18) not null check (price > 0 and price <> 'NaN'),
  source text not null check (source <> ''),
  source_count smallint not null default 1 check (source_count > 0),
  stale boolean not null default false,
  created_at timestamptz not null default pg_catalog.now(),
  primary key (coin, currency, quoted_at)
);
comment on table public.coin_price is 'Prices of coins over time, shared by all organizations.';
comment on column public.coin_price.coin is 'Ticker of the coin, e.g. BTC.';
comment on column public.coin_price.currency is 'Currency of the price, as an ISO 4217 code.';
comment on column public.coin_price.quoted_at is 'Time for which the price is valid.';
comment on column public.coin_price.price is 'Price of one coin, in the currency.';
comment on column public.coin_price.source is 'Source of the price. median if several sources were combined.';
comment on column public.coin_price.source_count is 'Number of sources that agreed on the price.';
comment on column public.coin_price.stale is 'True if no source had a newer price, so that this price is out of date.';
comment on column public.coin_price.created_at is 'Time at which the price was stored.';

create table public.currency_rate (
  base_currency text not null check (base_currency ~ '^[A-Z]{3}$'),
  quote_currency text not null check (quote_currency ~ '^[A-Z]{3}$'),
  quoted_at timestamptz not null,
  rate numeric(20,10) not null check (rate > 0 and rate <> 'NaN'),
  source text not null check (source <> ''),
  stale boolean not null default false,
  created_at timestamptz not null default pg_catalog.now(),
  primary key (base_currency, quote_currency, quoted_at),
  check (base_currency <> quote_currency)
);
comment on table public.currency_rate is 'Exchange rates over time, shared by all organizations.';
comment on column public.currency_rate.base_currency is 'The currency that is priced, as an ISO 4217 code.';
comment on column public.currency_rate.quote_currency is 'The currency of the price, as an ISO 4217 code.';
comment on column public.currency_rate.quoted_at is 'Time for which the rate is valid.';
comment on column public.currency_rate.rate is 'Price of one unit of the base currency, in the quote currency.';
comment on column public.currency_rate.source is 'Source of the rate. median if several sources were combined.';
comment on column public.currency_rate.stale is 'True if no source had a newer rate, so that this rate is out of date.';
comment on column public.currency_rate.created_at is 'Time at which the rate was stored.';

-- Staff of the platform creates wallets for every organization. The foreign key therefore requires that the owner
-- belongs to the wallet's organization.
create table public.digital_wallet (
  id uuid primary key default pg_catalog.gen_random_uuid(),
  organization_id uuid not null
    default (rowgate_api.session_variable('organization_id'))::uuid
    references public.organization,
  user_id text references public."user" on update cascade on delete set null,
  label text not null default '',
  description text,
  coin text not null default 'BTC' check (coin ~ '^[A-Z0-9]{2,12}$'),
  wallet_type text not null default 'custodial'
    check (wallet_type in ('custodial', 'hot', 'cold', 'smart_account')),
  address text,
  balance numeric(38,18) not null default 0,
  usd_value numeric(20,2) not null default 0,
  status text not null default 'draft' check (status in ('draft', 'active', 'locked', 'archived')),
  created_by text references public."user" on update cascade on delete set null,
  created_at timestamptz not null default pg_catalog.now(),
  updated_at timestamptz not null default pg_catalog.now(),
  custody_wallet_id text check (custody_wallet_id <> ''),
  foreign key (organization_id, user_id)
    references public."user" (organization_id, id) on update cascade,
  unique (organization_id, id),
  unique (organization_id, custody_wallet_id),
  constraint digital_wallet_number_check check (balance <> 'NaN' and usd_value <> 'NaN')
);
comment on table public.digital_wallet is 'A wallet that holds one coin for an organization.';
comment on column public.digital_wallet.id is 'Id of the wallet.';
comment on column public.digital_wallet.organization_id is 'The organization of the wallet.';
comment on column public.digital_wallet.user_id is 'Owner of the wallet. Null if it belongs to the organization as a whole.';
comment on column public.digital_wallet.label is 'Display name of the wallet.';
comment on column public.digital_wallet.description is 'Purpose of the wallet.';
comment on column public.digital_wallet.coin is 'Ticker of the coin, e.g. BTC.';
comment on column public.digital_wallet.wallet_type is 'custodial, hot, cold or smart_account.';
comment on column public.digital_wallet.address is 'Receiving address on the coin''s network.';
comment on column public.digital_wallet.balance is 'Amount in the wallet, in its coin.';
comment on column public.digital_wallet.usd_value is 'Balance in US dollars, at the last known price.';
comment on column public.digital_wallet.status is 'draft → active ⇄ locked; draft or active → archived → active. A locked wallet cannot be changed. A draft may be deleted.';
comment on column public.digital_wallet.created_by is 'User who created the wallet.';
comment on column public.digital_wallet.created_at is 'Time at which the wallet was created.';
comment on column public.digital_wallet.updated_at is 'Time of the last change of the row.';
comment on column public.digital_wallet.custody_wallet_id is 'Id of the wallet at the custody provider. Null for a wallet without a provider.';
create index digital_wallet_organization_id_status_idx on public.digital_wallet (organization_id, status);
create index digital_wallet_user_id_idx on public.digital_wallet (user_id);
create index digital_wallet_created_by_idx on public.digital_wallet (created_by);
create index digital_wallet_custody_wallet_id_idx on public.digital_wallet (custody_wallet_id);
create index digital_wallet_organization_id_user_id_idx on public.digital_wallet (organization_id, user_id);

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
  created_by text references public."user" on update cascade on delete set null,
  created_at timestamptz not null default pg_catalog.now(),
  updated_at timestamptz not null default pg_catalog.now()
);
comment on table public.address_book_entry is 'An address to which an organization pays.';
comment on column public.address_book_entry.id is 'Id of the entry.';
comment on column public.address_book_entry.organization_id is 'The organization of the entry.';
comment on column public.address_book_entry.label is 'Display name of the address.';
comment on column public.address_book_entry.description is 'Owner of the address and purpose of the payments.';
comment on column public.address_book_entry.coin is 'Ticker of the coin that the address receives, e.g. BTC.';
comment on column public.address_book_entry.address is 'Address on the coin''s network. May be null in a draft.';
comment on column public.address_book_entry.status is 'draft → active ⇄ locked, or draft → locked. archived is final. A locked entry cannot be changed. A draft may be deleted.';
comment on column public.address_book_entry.created_by is 'User who created the entry.';
comment on column public.address_book_entry.created_at is 'Time at which the entry was created.';
comment on column public.address_book_entry.updated_at is 'Time of the last change of the row.';
create index address_book_entry_organization_id_status_idx on public.address_book_entry (organization_id, status);
create index address_book_entry_created_by_idx on public.address_book_entry (created_by);

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
  reviewed_by text references public."user" on update cascade on delete set null,
  reviewed_at timestamptz,
  counted_at timestamptz,
  foreign key (organization_id, digital_wallet_id)
    references public.digital_wallet (organization_id, id),
  unique (organization_id, id),
  unique (organization_id, custody_transfer_id)
);
comment on table public.asset_transaction is 'A transaction of coins into or out of a wallet.';
comment on column public.asset_transaction.id is 'Id of the transaction.';
comment on column public.asset_transaction.organization_id is 'The organization of the wallet.';
comment on column public.asset_transaction.digital_wallet_id is 'The wallet of the transaction.';
comment on column public.asset_transaction.kind is 'deposit, withdrawal, trade, transfer, fee or adjustment.';
comment on column public.asset_transaction.direction is 'Direction as seen from the wallet: in or out.';
comment on column public.asset_transaction.coin is 'Ticker of the coin, e.g. BTC.';
comment on column public.asset_transaction.amount is 'Number of coins.';
comment on column public.asset_transaction.fee is 'Network fee, in coins.';
comment on column public.asset_transaction.usd_value is 'Amount in US dollars at the time of the transaction. Null if there was no price.';
comment on column public.asset_transaction.status is 'pending_approval → pending → confirmed or failed. rejected if the approval was refused. Only confirmed transactions count towards the balance.';
comment on column public.asset_transaction.hash is 'Transaction hash on the coin''s network. Null until the network has the transaction.';
comment on column public.asset_transaction.custody_transfer_id is 'Id of the transfer at the custody provider, unique in an organization.';
comment on column public.asset_transaction.counterparty_address is 'Address of the other party.';
comment on column public.asset_transaction.occurred_at is 'Time at which the transaction was first seen.';
comment on column public.asset_transaction.confirmed_at is 'Time at which the network confirmed the transaction.';
comment on column public.asset_transaction.created_at is 'Time at which the transaction was stored.';
comment on column public.asset_transaction.updated_at is 'Time of the last change of the row.';
comment on column public.asset_transaction.reviewed_by is 'User who approved or rejected the transaction. Null if the custody provider required no approval.';
comment on column public.asset_transaction.reviewed_at is 'Time of the approval or rejection.';
comment on column public.asset_transaction.counted_at is 'Time at which the wallet''s balance was changed by this transaction. Null until then.';
create index asset_transaction_organization_id_digital_wallet_id_idx on public.asset_transaction (organization_id, digital_wallet_id);
create index asset_transaction_digital_wallet_id_idx on public.asset_transaction (digital_wallet_id);
create index asset_transaction_organization_id_status_idx on public.asset_transaction (organization_id, status);
create index asset_transaction_organization_id_hash_idx on public.asset_transaction (organization_id, hash);
create index asset_transaction_reviewed_by_idx on public.asset_transaction (reviewed_by);
-- The platform's staff selects rows of all organizations by kind or status.
create index asset_transaction_kind_idx on public.asset_transaction (kind);
create index asset_transaction_uncounted_idx on public.asset_transaction (digital_wallet_id)
  where status = 'confirmed' and counted_at is null;

create trigger touch_updated_at before update on public.digital_wallet
  for each row execute function public.touch_updated_at();
create trigger note_link after insert or update of custody_wallet_id, coin on public.digital_wallet
  for each row when (new.custody_wallet_id is not null)
  execute function rowgate_webhooks.note_link('wallet', 'custody_wallet_id');
create trigger check_move after update on public.digital_wallet for each row
  when (old.status is distinct from new.status) execute function rowgate_webhooks.check_move();
create trigger touch_updated_at before update on public.address_book_entry
  for each row execute function public.touch_updated_at();
create trigger check_move after update on public.address_book_entry for each row
  when (old.status is distinct from new.status) execute function rowgate_webhooks.check_move();
create trigger touch_updated_at before update on public.asset_transaction
  for each row execute function public.touch_updated_at();
create trigger stamp_review before update of status on public.asset_transaction
  for each row execute function public.stamp_review();
create trigger note_link after insert or update of custody_transfer_id on public.asset_transaction
  for each row when (new.custody_transfer_id is not null)
  execute function rowgate_webhooks.note_link('transfer', 'custody_transfer_id');
create trigger check_move after update on public.asset_transaction for each row
  when (old.status is distinct from new.status) execute function rowgate_webhooks.check_move();

create function rowgate_webhooks.newest_price(coin text) returns numeric
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select p.price from public.coin_price p
    where p.coin = $1 and p.currency = 'USD' order by p.quoted_at desc limit 1
  $$;
comment on function rowgate_webhooks.newest_price(text) is 'Returns the newest price of a coin in US dollars, or null if there is none.';

create function rowgate_webhooks.worth(amount numeric, coin text) returns numeric
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select case when abs(p.value) < 1e18 - 1 then round(p.value, 2) end
    from (select $1 * rowgate_webhooks.newest_price($2)) p(value)
  $$;
comment on function rowgate_webhooks.worth(numeric, text) is
  'Returns the value of coins in US dollars at the newest price. Returns null without a price, or if the value exceeds the range of a column in US dollars.';

create function rowgate_webhooks.count_transaction(asset_transaction_id uuid) returns boolean
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      moved public.asset_transaction;
      change numeric;
      wallet public.digital_wallet;
    begin
      select * into moved from public.asset_transaction t where t.id = $1 for no key update;
      if not found or moved.status <> 'confirmed' or moved.counted_at is not null then return false; end if;
      change := case moved.direction when 'in' then moved.amount else -(moved.amount + moved.fee) end;
      update public.digital_wallet w
        set balance = w.balance + change,
          usd_value = coalesce(rowgate_webhooks.worth(w.balance + change, w.coin), w.usd_value)
        where w.id = moved.digital_wallet_id and w.coin = moved.coin
        returning * into wallet;
      if not found then return false; end if;
      if wallet.balance < 0 and wallet.balance - change >= 0 then
        perform rowgate_webhooks.notify_role(null, 'accounting', 'transaction', 'A wallet fell below zero',
          concat_ws(': ', nullif(left(wallet.label, 100), ''), rowgate_webhooks.plain(wallet.balance) || ' ' || wallet.coin), null);
      end if;
      update public.asset_transaction t
        set counted_at = now(), usd_value = coalesce(t.usd_value, rowgate_webhooks.worth(t.amount, t.coin))
        where t.id = $1;
      return true;
    end
  $$;
comment on function rowgate_webhooks.count_transaction(uuid) is
  'Adds a confirmed transaction to the wallet''s balance, or subtracts it with its fee, once. Updates the values in US dollars at the newest price. Notifies accounting if the balance becomes negative. Returns false if the transaction is missing, not confirmed, already counted, or of another coin than the wallet.';

revoke all on all functions in schema rowgate_webhooks from public;
