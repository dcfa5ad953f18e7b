-- Trades: quotes over the counter, requests, settlements, and the effects of their changes. Each function reads the
-- row anew and acts on the status that it has by then, so events that come twice, late or in the wrong order do no
-- harm. People are notified of a status only while the row is in it. The request is locked before the rows that
-- depend on it.

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
comment on column public.otc_quote.status is 'draft → quoted → accepted → settled; rejected or expired from quoted; accepted → quoted where the trade comes to nothing, or expired where it is too late by then.';
comment on column public.otc_quote.expires_at is 'Until when the price holds.';
comment on column public.otc_quote.created_by is 'Who made the quote.';
comment on column public.otc_quote.created_at is 'When the quote was made.';
comment on column public.otc_quote.updated_at is 'When the row changed last.';
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
comment on column public.trade_request.status is 'draft → submitted → approved → executed → settled; rejected from submitted, approved or locked; approved → submitted to be looked at anew; cancelled or expired before the execution; locked from submitted or approved while compliance holds it, and back to submitted. A draft may be deleted.';
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
comment on table public.trade_settlement is 'The exchange of coins and money that an executed trade leads to.';
comment on column public.trade_settlement.id is 'The settlement''s id.';
comment on column public.trade_settlement.organization_id is 'The organization that trades.';
comment on column public.trade_settlement.trade_request_id is 'The trade that is settled.';
comment on column public.trade_settlement.asset_transaction_id is 'The transaction that moved the coins, once there is one.';
comment on column public.trade_settlement.coin is 'The ticker of the coin, e.g. BTC.';
comment on column public.trade_settlement.coin_amount is 'How many coins change hands.';
comment on column public.trade_settlement.amount is 'How much money changes hands, fee included, in the currency.';
comment on column public.trade_settlement.currency is 'The currency of the amount, as in ISO 4217.';
comment on column public.trade_settlement.status is 'pending → processing → settled or failed; failed → pending for another try; cancelled from pending or locked; locked from pending or failed while compliance holds it, and back to pending.';
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
comment on table rowgate_webhooks.quote_holder is 'Which trade request has taken a quote; no other may.';

create function rowgate_webhooks.fits_quote(request public.trade_request, quote public.otc_quote) returns boolean
  language sql immutable
  set search_path = pg_catalog, pg_temp
  as $$
    select ($1.pair, $1.side, $1.currency) = ($2.pair, $2.side, $2.currency) and $1.quantity <= $2.quantity
      and coalesce($1.digital_wallet_id = $2.digital_wallet_id, true)
  $$;
comment on function rowgate_webhooks.fits_quote(public.trade_request, public.otc_quote) is
  'Whether a quote is for what a request asks for: its pair, side and currency, no fewer coins, and its wallet where both name one.';

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
      -- What was taken before holders were kept.
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
  'Accepts the quote that an approved request names: taken (also where it names none), taken_by_another, unfit where it is for something else, or gone where it no longer holds.';

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
  'Offers the quote of a request that came to nothing again, unless it is too late.';

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
  'Closes the quote of a request that is settled.';

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
          format('%s %s of %s: quantity, price or fee make no amount', $1.side, $1.pair,
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
  'Enters the settlement of an executed trade, due two business days later, unless it has one. Returns its id; null where there is nothing to enter.';

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
  'Tells whose trade it is, and who is to act next, of a status. Nobody is told why, nor that compliance holds a trade.';

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
      -- A draft, or history: what is over as it is entered leads to nothing.
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
  'What a trade request that is entered, or changes, leads to: its quote is taken, released or settled, its settlement entered or cancelled, people are told.';

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
      -- A wallet of a stable coin pays the money instead, or takes it.
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
  'Books what a settlement moves in the trade''s wallet: the coins, or the money where it is a wallet of a stable coin. Null where the wallet holds neither.';

-- Traders enter settlements and name transactions: neither may be more than what was executed.
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
      -- With those that were booked before.
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
  'Whether a settlement is of what was executed: of its coin and currency, together with the others of no more coins, for no less money to pay and no more to get; and so is the transaction that it names, if it names one.';

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
  'Books what was settled, and settles the trade where nothing of it is left; unfit: it is not of what was executed, and nothing is booked.';

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
  'What a change of a settlement leads to: coins or money are booked and counted, the trade and its quote settled, failures told.';

revoke all on all functions in schema rowgate_webhooks from public;
