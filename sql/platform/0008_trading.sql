-- OTC quotes, trade requests, settlements, and the effects of their changes. Each function reads the row again and acts
-- on its current status, so events that arrive twice, late or out of order do no harm. Users are notified of a status
-- only while the row has it. The request is locked before the rows that depend on it.

create table public.otc_quote (
  id uuid primary key default pg_catalog.gen_random_uuid(),
  organization_id uuid not null
    default (rowgate_api.session_variable('organization_id'))::uuid
    references public.organization,
  digital_wallet_id uuid,
  pair text not null default 'BTC/USD' check (pair ~ '^[A-Z0-9]{2,12}/[A-Z]{3}$'),
  side text not null default 'buy' check (side in ('buy', 'sell')),
  quantity numeric(38,18) not null default 0 check (quantity >= 0),
  price numeric(38,18) not null default 0 check (price >= 0),
  fee numeric(20,2) not null default 0 check (fee >= 0),
  currency text not null default 'USD' check (currency ~ '^[A-Z]{3}$'),
  status text not null default 'draft'
    check (status in ('draft', 'quoted', 'accepted', 'rejected', 'expired', 'settled')),
  expires_at timestamptz,
  created_by text references public."user" on update cascade on delete set null,
  created_at timestamptz not null default pg_catalog.now(),
  updated_at timestamptz not null default pg_catalog.now(),
  foreign key (organization_id, digital_wallet_id)
    references public.digital_wallet (organization_id, id),
  unique (organization_id, id),
  constraint otc_quote_number_check
    check (quantity <> 'NaN' and price <> 'NaN' and fee <> 'NaN')
);
comment on table public.otc_quote is 'A price offered to an organization for an OTC trade.';
comment on column public.otc_quote.id is 'Id of the quote.';
comment on column public.otc_quote.organization_id is 'The organization to which the price is offered.';
comment on column public.otc_quote.digital_wallet_id is 'Wallet that the coins leave or enter.';
comment on column public.otc_quote.pair is 'The coin and the currency of its price, e.g. BTC/USD.';
comment on column public.otc_quote.side is 'Side of the organization: buy or sell.';
comment on column public.otc_quote.quantity is 'Number of coins.';
comment on column public.otc_quote.price is 'Price of one coin, in the currency.';
comment on column public.otc_quote.fee is 'Fee of the platform for the trade, in the currency.';
comment on column public.otc_quote.currency is 'Currency of price and fee, as an ISO 4217 code.';
comment on column public.otc_quote.status is 'draft → quoted → accepted → settled. quoted → rejected or expired. If the trade fails, accepted → quoted, or → expired after expires_at.';
comment on column public.otc_quote.expires_at is 'End of the quote''s validity.';
comment on column public.otc_quote.created_by is 'User who created the quote.';
comment on column public.otc_quote.created_at is 'Time at which the quote was created.';
comment on column public.otc_quote.updated_at is 'Time of the last change of the row.';
create index otc_quote_organization_id_status_idx on public.otc_quote (organization_id, status);
create index otc_quote_digital_wallet_id_idx on public.otc_quote (digital_wallet_id);
create index otc_quote_created_by_idx on public.otc_quote (created_by);
create index otc_quote_organization_id_digital_wallet_id_idx
  on public.otc_quote (organization_id, digital_wallet_id);

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
  reviewed_by text references public."user" on update cascade on delete set null,
  reviewed_at timestamptz,
  expires_at timestamptz,
  executed_at timestamptz,
  created_by text references public."user" on update cascade on delete set null,
  created_at timestamptz not null default pg_catalog.now(),
  updated_at timestamptz not null default pg_catalog.now(),
  foreign key (organization_id, user_id)
    references public."user" (organization_id, id) on update cascade,
  foreign key (organization_id, fund_id)
    references public.fund (organization_id, id),
  foreign key (organization_id, digital_wallet_id)
    references public.digital_wallet (organization_id, id),
  foreign key (organization_id, otc_quote_id)
    references public.otc_quote (organization_id, id),
  unique (organization_id, id)
);
comment on table public.trade_request is 'A request for a trade.';
comment on column public.trade_request.id is 'Id of the request.';
comment on column public.trade_request.organization_id is 'The organization that trades.';
comment on column public.trade_request.user_id is 'The user who trades. Null for a trade of the organization as a whole.';
comment on column public.trade_request.fund_id is 'The fund that trades. Null if no fund is involved.';
comment on column public.trade_request.digital_wallet_id is 'Wallet that the coins leave or enter.';
comment on column public.trade_request.otc_quote_id is 'The quote that the request accepts. Null for a request without a quote.';
comment on column public.trade_request.side is 'Side of the organization: buy or sell.';
comment on column public.trade_request.pair is 'The coin and the currency of its price, e.g. BTC/USD.';
comment on column public.trade_request.quantity is 'Number of coins to trade.';
comment on column public.trade_request.limit_price is 'Worst acceptable price of one coin, in the currency. Null: any price.';
comment on column public.trade_request.executed_quantity is 'Number of coins traded.';
comment on column public.trade_request.executed_price is 'Average price paid for one coin, in the currency.';
comment on column public.trade_request.fee is 'Fee of the platform for the trade, in the currency.';
comment on column public.trade_request.currency is 'Currency of prices and fee, as an ISO 4217 code.';
comment on column public.trade_request.status is 'draft → submitted → approved → executed → settled. submitted, approved or locked → rejected. approved → submitted for a new review. cancelled or expired is possible before executed. Compliance moves submitted or approved → locked, and locked → submitted. A draft may be deleted.';
comment on column public.trade_request.status_reason is 'Reason of the rejection, cancellation or lock.';
comment on column public.trade_request.reviewed_by is 'User who approved or rejected the request.';
comment on column public.trade_request.reviewed_at is 'Time of the approval or rejection.';
comment on column public.trade_request.expires_at is 'End of the request''s validity. Null: no limit.';
comment on column public.trade_request.executed_at is 'Time of the execution.';
comment on column public.trade_request.created_by is 'User who created the request.';
comment on column public.trade_request.created_at is 'Time at which the request was created.';
comment on column public.trade_request.updated_at is 'Time of the last change of the row.';
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
create index trade_request_status_idx on public.trade_request (status);

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
  created_by text references public."user" on update cascade on delete set null,
  created_at timestamptz not null default pg_catalog.now(),
  updated_at timestamptz not null default pg_catalog.now(),
  foreign key (organization_id, trade_request_id)
    references public.trade_request (organization_id, id),
  foreign key (organization_id, asset_transaction_id)
    references public.asset_transaction (organization_id, id)
);
comment on table public.trade_settlement is 'The exchange of coins and money after an executed trade.';
comment on column public.trade_settlement.id is 'Id of the settlement.';
comment on column public.trade_settlement.organization_id is 'The organization that trades.';
comment on column public.trade_settlement.trade_request_id is 'The trade that is settled.';
comment on column public.trade_settlement.asset_transaction_id is 'The transaction that moved the coins. Null until it exists.';
comment on column public.trade_settlement.coin is 'Ticker of the coin, e.g. BTC.';
comment on column public.trade_settlement.coin_amount is 'Number of coins to exchange.';
comment on column public.trade_settlement.amount is 'Amount of money to exchange, including the fee, in the currency.';
comment on column public.trade_settlement.currency is 'Currency of the amount, as an ISO 4217 code.';
comment on column public.trade_settlement.status is 'pending → processing → settled or failed. failed → pending for another attempt. pending or locked → cancelled. Compliance moves pending or failed → locked, and locked → pending.';
comment on column public.trade_settlement.status_reason is 'Reason of the failure, cancellation or lock.';
comment on column public.trade_settlement.bank_reference is 'Reference of the payment at the bank.';
comment on column public.trade_settlement.due_on is 'Due date of the settlement.';
comment on column public.trade_settlement.settled_at is 'Time at which coins and money were exchanged.';
comment on column public.trade_settlement.created_by is 'User who created the settlement. Null if the platform created it.';
comment on column public.trade_settlement.created_at is 'Time at which the settlement was created.';
comment on column public.trade_settlement.updated_at is 'Time of the last change of the row.';
create index trade_settlement_organization_id_trade_request_id_idx on public.trade_settlement (organization_id, trade_request_id);
create index trade_settlement_trade_request_id_idx on public.trade_settlement (trade_request_id);
create index trade_settlement_organization_id_asset_transaction_id_idx on public.trade_settlement (organization_id, asset_transaction_id);
create index trade_settlement_organization_id_status_idx on public.trade_settlement (organization_id, status);
create index trade_settlement_created_by_idx on public.trade_settlement (created_by);

create trigger touch_updated_at before update on public.otc_quote
  for each row execute function public.touch_updated_at();
create trigger check_move after update on public.otc_quote for each row
  when (old.status is distinct from new.status) execute function rowgate_webhooks.check_move();
create trigger touch_updated_at before update on public.trade_request
  for each row execute function public.touch_updated_at();
create trigger stamp_review before update of status on public.trade_request
  for each row execute function public.stamp_review();
create trigger check_move after update on public.trade_request for each row
  when (old.status is distinct from new.status) execute function rowgate_webhooks.check_move();
create trigger touch_updated_at before update on public.trade_settlement
  for each row execute function public.touch_updated_at();
create trigger check_move after update on public.trade_settlement for each row
  when (old.status is distinct from new.status) execute function rowgate_webhooks.check_move();

create table rowgate_webhooks.quote_holder (
  otc_quote_id uuid primary key,
  trade_request_id uuid not null
);
comment on table rowgate_webhooks.quote_holder is 'The trade request that has accepted a quote. No other request may accept it.';

create function rowgate_webhooks.fits_quote(request public.trade_request, quote public.otc_quote) returns boolean
  language sql immutable
  set search_path = pg_catalog, pg_temp
  as $$
    select ($1.pair, $1.side, $1.currency) = ($2.pair, $2.side, $2.currency) and $1.quantity <= $2.quantity
      and coalesce($1.digital_wallet_id = $2.digital_wallet_id, true)
  $$;
comment on function rowgate_webhooks.fits_quote(public.trade_request, public.otc_quote) is
  'Returns true if a quote fits a request: same pair, side and currency, at least as many coins, and the same wallet if both name one.';

create function rowgate_webhooks.take_quote(request public.trade_request, event_id text) returns text
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      quote public.otc_quote;
      holder uuid;
    begin
      if $1.otc_quote_id is null then return 'taken'; end if;
      select * into quote from public.otc_quote q where q.id = $1.otc_quote_id for no key update;
      select h.trade_request_id into holder from rowgate_webhooks.quote_holder h
        join public.trade_request t on t.id = h.trade_request_id where h.otc_quote_id = quote.id;
      if holder is not null then return case holder when $1.id then 'taken' else 'taken_by_another' end; end if;
      if not rowgate_webhooks.fits_quote($1, quote) then return 'unfit'; end if;
      if quote.status = 'quoted' and quote.expires_at <= now() then
        perform rowgate_webhooks.try_move('otc_quote', quote.id, 'expired', $2, null);
        return 'gone';
      end if;
      if quote.status not in ('quoted', 'accepted', 'settled') then return 'gone'; end if;
      -- Requests that took a quote before the table quote_holder existed have no row in it.
      if quote.status <> 'quoted' and exists (
        select from public.trade_request t
        where t.otc_quote_id = quote.id and t.id <> $1.id and t.status in ('approved', 'executed', 'settled'))
      then
        return 'taken_by_another';
      end if;
      if quote.status = 'quoted' then
        perform rowgate_webhooks.try_move('otc_quote', quote.id, 'accepted', $2, null);
      end if;
      insert into rowgate_webhooks.quote_holder (otc_quote_id, trade_request_id) values (quote.id, $1.id)
        on conflict (otc_quote_id) do update set trade_request_id = excluded.trade_request_id;
      return 'taken';
    end
  $$;
comment on function rowgate_webhooks.take_quote(public.trade_request, text) is
  'Accepts the quote of an approved request. Returns taken (also for a request without a quote), taken_by_another, unfit (other terms than the request), or gone (no longer valid).';

create function rowgate_webhooks.release_quote(request public.trade_request, event_id text) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      quote public.otc_quote;
    begin
      select * into quote from public.otc_quote q where q.id = $1.otc_quote_id for no key update;
      if not found then return; end if;
      delete from rowgate_webhooks.quote_holder h where h.otc_quote_id = quote.id and h.trade_request_id = $1.id;
      if found and quote.status = 'accepted' then
        perform rowgate_webhooks.try_move('otc_quote', quote.id,
          case when quote.expires_at <= now() then 'expired' else 'quoted' end, $2, null);
      end if;
    end
  $$;
comment on function rowgate_webhooks.release_quote(public.trade_request, text) is
  'Offers the quote of a failed request again, unless it has expired.';

create function rowgate_webhooks.settle_quote(request public.trade_request, event_id text) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    begin
      if $1.otc_quote_id is null then return; end if;
      if rowgate_webhooks.take_quote($1, $2) = 'taken'
        and exists (select from public.otc_quote q where q.id = $1.otc_quote_id and q.status = 'accepted')
      then
        perform rowgate_webhooks.try_move('otc_quote', $1.otc_quote_id, 'settled', $2, null);
      end if;
    end
  $$;
comment on function rowgate_webhooks.settle_quote(public.trade_request, text) is
  'Closes the quote of a settled request.';

create function rowgate_webhooks.open_settlement(request public.trade_request) returns uuid
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      proceeds numeric := $1.executed_quantity * $1.executed_price;
      settlement_id uuid;
    begin
      if exists (
        select from public.trade_settlement s where s.trade_request_id = $1.id and s.status <> 'cancelled')
      then
        return null;
      end if;
      if proceeds is null or proceeds = 0 or ($1.side = 'sell' and round(proceeds, 2) < $1.fee) then
        perform rowgate_webhooks.notify_role(null, r.role, 'trade', 'A trade cannot be settled as it was executed',
          format('%s %s of %s: quantity, price and fee give no valid amount', $1.side, $1.pair,
            rowgate_webhooks.plain($1.quantity)), null)
          from (values ('trader'), ('accounting')) r(role);
        return null;
      end if;
      insert into public.trade_settlement
          (organization_id, trade_request_id, coin, coin_amount, amount, currency, due_on)
        values ($1.organization_id, $1.id, split_part($1.pair, '/', 1), $1.executed_quantity,
          round(proceeds, 2) + case $1.side when 'buy' then $1.fee else -$1.fee end, $1.currency,
          rowgate_webhooks.business_days_after((coalesce($1.executed_at, now()) at time zone 'UTC')::date, 2))
        returning id into settlement_id;
      return settlement_id;
    end
  $$;
comment on function rowgate_webhooks.open_settlement(public.trade_request) is
  'Creates the settlement of an executed trade, due after two business days, unless one exists. Returns its id, or null if it created none.';

create function rowgate_webhooks.tell_of_trade(request public.trade_request) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      title text := case $1.status
        when 'submitted' then 'Your trade request was received'
        when 'approved' then 'Your trade request was approved'
        when 'rejected' then 'Your trade request was turned down'
        when 'executed' then 'Your trade was executed'
        when 'settled' then 'Your trade is settled'
        when 'cancelled' then 'Your trade request was cancelled'
        when 'expired' then 'Your trade request has expired' end;
      body text := format('%s, %s %s', $1.pair, $1.side, rowgate_webhooks.plain($1.quantity));
    begin
      if title is null then return; end if;
      perform rowgate_webhooks.notify_owner($1.organization_id, coalesce($1.user_id, $1.created_by), 'trade', title, body, null);
      if $1.status = 'submitted' and $1.fund_id is null then
        perform rowgate_webhooks.notify_role(null, 'front_office', 'trade', 'A trade request waits for approval', body, null);
      elsif $1.status = 'submitted' then
        perform rowgate_webhooks.notify_fund($1.fund_id, 'fund_signatory', 'trade',
          'A trade request waits for approval', body, null);
      elsif $1.status = 'approved' then
        perform rowgate_webhooks.notify_role(null, 'trader', 'trade', 'A trade is ready to be executed', body, null);
      end if;
    end
  $$;
comment on function rowgate_webhooks.tell_of_trade(public.trade_request) is
  'Notifies the owner of a trade, and the users who act next, of its status. The notification contains no reason, and a lock by compliance leads to none.';

create function rowgate_webhooks.on_trade_request_update(
  event_id text, request_id uuid, from_status text, to_status text
) returns jsonb
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      request public.trade_request;
      quote text := 'taken';
      settlement_id uuid;
      cancelled integer;
    begin
      select * into request from public.trade_request t where t.id = $2 for no key update;
      if not found then return jsonb_build_object('outcome', 'gone'); end if;
      -- A new row that is a draft, or already in a final status (history), has no effect.
      if $3 is null and request.status not in ('submitted', 'approved', 'executed') then
        return jsonb_build_object('outcome', request.status);
      end if;
      if rowgate_webhooks.hold_request('trade_request', request.id, $1) then
        return jsonb_build_object('outcome', 'locked');
      end if;
      if request.status = 'approved' then
        quote := rowgate_webhooks.take_quote(request, $1);
        if quote = 'taken_by_another' then
          perform rowgate_webhooks.try_move('trade_request', request.id, 'rejected', $1,
            'The quote was taken by another request');
        elsif quote = 'unfit' then
          perform rowgate_webhooks.try_move('trade_request', request.id, 'rejected', $1, 'The quote is for something else');
        elsif quote = 'gone' then
          perform rowgate_webhooks.try_move('trade_request', request.id, 'expired', $1, 'The quote no longer holds');
        end if;
      elsif request.status = 'executed' then
        perform rowgate_webhooks.take_quote(request, $1);
        settlement_id := rowgate_webhooks.open_settlement(request);
      elsif request.status = 'settled' then
        perform rowgate_webhooks.settle_quote(request, $1);
      elsif request.status in ('rejected', 'cancelled', 'expired') then
        select count(*) filter (where rowgate_webhooks.try_move('trade_settlement', s.id, 'cancelled', $1,
            'The trade came to nothing') = 'moved') into cancelled
          from public.trade_settlement s
          where s.trade_request_id = request.id and s.status in ('pending', 'locked');
        perform rowgate_webhooks.release_quote(request, $1);
      end if;
      if $3 is distinct from $4 and request.status = $4 and quote = 'taken' then
        perform rowgate_webhooks.tell_of_trade(request);
      end if;
      return jsonb_strip_nulls(jsonb_build_object('outcome', request.status, 'quote', nullif(quote, 'taken'),
        'settlementId', settlement_id, 'cancelledSettlements', cancelled));
    end
  $$;
comment on function rowgate_webhooks.on_trade_request_update(text, uuid, text, text) is
  'Handles a new or changed trade request: takes, releases or settles its quote, creates or cancels its settlement, and notifies users.';

create function rowgate_webhooks.move_for_settlement(settlement public.trade_settlement, request public.trade_request)
  returns uuid
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      wallet_coin text;
      holds_coins boolean;
      moment timestamptz := least(coalesce($1.settled_at, now()), now());
      transaction_id uuid;
    begin
      select w.coin into wallet_coin from public.digital_wallet w where w.id = $2.digital_wallet_id;
      holds_coins := wallet_coin = $1.coin;
      -- A wallet of a stable coin pays or receives the money instead of the coins.
      if wallet_coin is null
        or not (holds_coins or wallet_coin = any (rowgate_webhooks.stable_coins($1.currency))) or (not holds_coins and $1.amount = 0)
      then
        return null;
      end if;
      insert into public.asset_transaction
          (organization_id, digital_wallet_id, kind, direction, coin, amount, status, occurred_at, confirmed_at)
        values ($1.organization_id, $2.digital_wallet_id, 'trade',
          case when ($2.side = 'buy') = holds_coins then 'in' else 'out' end, wallet_coin,
          case when holds_coins then $1.coin_amount else $1.amount end, 'confirmed', moment, moment)
        returning id into transaction_id;
      return transaction_id;
    end
  $$;
comment on function rowgate_webhooks.move_for_settlement(public.trade_settlement, public.trade_request) is
  'Books the transaction of a settlement in the trade''s wallet: the coins, or the money if the wallet holds a stable coin. Returns null if the wallet holds neither.';

-- Traders enter settlements and name transactions. Neither may exceed the executed quantity and amount.
create function rowgate_webhooks.fits_trade(settlement public.trade_settlement, request public.trade_request)
  returns boolean
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      coins numeric;
      money numeric;
      due numeric;
    begin
      -- The sums include settlements that were booked before.
      select sum(s.coin_amount), sum(s.amount) into coins, money from public.trade_settlement s
        where s.trade_request_id = $2.id and s.status = 'settled' and (s.id = $1.id or s.asset_transaction_id is not null);
      due := round(coins * $2.executed_price, 2)
        + case when coins < $2.executed_quantity then 0 when $2.side = 'buy' then $2.fee else -$2.fee end;
      if $1.coin <> split_part($2.pair, '/', 1) or $1.currency <> $2.currency or coins > $2.executed_quantity
        or due is null or ($2.side = 'buy' and money < due) or ($2.side = 'sell' and money > due)
      then
        return false;
      end if;
      return $1.asset_transaction_id is null or exists (
        select from public.asset_transaction t
        where t.id = $1.asset_transaction_id and t.digital_wallet_id = $2.digital_wallet_id
          and t.direction = case when ($2.side = 'buy') = (t.coin = $1.coin) then 'in' else 'out' end
          and (t.coin, t.amount) in (
            select $1.coin, $1.coin_amount union all
            select c.coin, $1.amount from unnest(rowgate_webhooks.stable_coins($1.currency)) c(coin))
          and not exists (
            select from public.trade_settlement s where s.asset_transaction_id = t.id and s.id <> $1.id));
    end
  $$;
comment on function rowgate_webhooks.fits_trade(public.trade_settlement, public.trade_request) is
  'Returns true if a settlement fits the executed trade: same coin and currency; with the other settlements, not more coins than executed, not less to pay and not more to receive. A transaction that it names must fit as well.';

create function rowgate_webhooks.finish_settlement(
  settlement public.trade_settlement, request public.trade_request, event_id text
) returns jsonb
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      transaction_id uuid := $1.asset_transaction_id;
      counted boolean;
      trade text;
    begin
      if $2.digital_wallet_id is not null and not rowgate_webhooks.fits_trade($1, $2) then
        if rowgate_webhooks.begin_effect('trade_settlement/' || $1.id, 'does not fit') then
          perform rowgate_webhooks.notify_role(null, r.role, 'trade', 'A settlement is not of what was executed',
              format('%s %s for %s %s; nothing is booked', rowgate_webhooks.plain($1.coin_amount), $1.coin, $1.amount, $1.currency), null)
            from (values ('accounting'), ('compliance')) r(role);
        end if;
        return jsonb_build_object('outcome', 'unfit');
      end if;
      if transaction_id is null then
        transaction_id := rowgate_webhooks.move_for_settlement($1, $2);
        if transaction_id is null
          and rowgate_webhooks.begin_effect('trade_settlement/' || $1.id, 'nothing moved')
        then
          perform rowgate_webhooks.notify_role(null, 'accounting', 'trade', 'A settlement moved nothing in a wallet',
            format('%s %s; the trade names no wallet that holds them', rowgate_webhooks.plain($1.coin_amount), $1.coin), null);
        end if;
      end if;
      update public.trade_settlement s
        set asset_transaction_id = transaction_id, settled_at = coalesce(s.settled_at, now())
        where s.id = $1.id and (s.asset_transaction_id, s.settled_at) is distinct from (transaction_id, coalesce(s.settled_at, now()));
      counted := rowgate_webhooks.count_transaction(transaction_id);
      if not exists (
        select from public.trade_settlement s
        where s.trade_request_id = $2.id and s.status not in ('settled', 'cancelled'))
      then
        trade := rowgate_webhooks.try_move('trade_request', $2.id, 'settled', $3, null);
        perform rowgate_webhooks.settle_quote($2, $3);
      end if;
      return jsonb_strip_nulls(jsonb_build_object('outcome', 'settled', 'assetTransactionId', transaction_id,
        'counted', counted, 'trade', trade));
    end
  $$;
comment on function rowgate_webhooks.finish_settlement(public.trade_settlement, public.trade_request, text) is
  'Books a settlement, and settles the trade if all its settlements are done. The outcome unfit means that the settlement does not fit the trade and nothing was booked.';

create function rowgate_webhooks.on_trade_settlement_update(
  event_id text, settlement_id uuid, from_status text, to_status text
) returns jsonb
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      request public.trade_request;
      settlement public.trade_settlement;
    begin
      select t.* into request from public.trade_request t
        join public.trade_settlement s on s.trade_request_id = t.id
        where s.id = $2 for no key update of t;
      if not found then return jsonb_build_object('outcome', 'gone'); end if;
      select * into settlement from public.trade_settlement s where s.id = $2 for no key update;
      if settlement.status = 'settled' then return rowgate_webhooks.finish_settlement(settlement, request, $1); end if;
      if settlement.status = 'failed' and $3 is distinct from $4 and $4 = 'failed' then
        perform rowgate_webhooks.notify_role(null, r.role, 'trade', 'A settlement failed',
            format('%s, %s %s, due %s', request.pair, request.side,
              rowgate_webhooks.plain(settlement.coin_amount), coalesce(settlement.due_on::text, 'at no set day')), null)
          from (values ('trader'), ('accounting')) r(role);
      end if;
      return jsonb_build_object('outcome', settlement.status);
    end
  $$;
comment on function rowgate_webhooks.on_trade_settlement_update(text, uuid, text, text) is
  'Handles a changed settlement: books coins or money, settles the trade and its quote, and reports failures.';

revoke all on all functions in schema rowgate_webhooks from public;
