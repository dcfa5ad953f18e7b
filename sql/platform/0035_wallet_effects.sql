-- What changes of wallets and new transactions lead to. The wallet itself is not locked while its requests are, since those
-- who pay out lock a request first.

create function rowgate_webhooks.requests_of_wallet(digital_wallet_id uuid)
  returns table (table_name text, id uuid, status text, reason text)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select 'trade_request', t.id, t.status, t.status_reason from public.trade_request t where t.digital_wallet_id = $1
    union all
    select 'fiat_withdrawal_request', w.id, w.status, w.status_reason
    from public.fiat_withdrawal_request w where w.digital_wallet_id = $1;
  $$;
comment on function rowgate_webhooks.requests_of_wallet(uuid) is 'What is asked for of a wallet.';

create function rowgate_webhooks.follow_wallet(wallet public.digital_wallet, event_id text) returns integer
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select case $1.status
      when 'archived' then rowgate_webhooks.cancel_requests($1.id, $2, 'The wallet was archived')
      when 'locked' then (
        select pg_catalog.count(*)::integer from rowgate_webhooks.requests_of_wallet($1.id) r
        where r.status in ('submitted', 'approved')
          and rowgate_webhooks.try_move(r.table_name, r.id, 'locked', $2, 'The wallet is locked') = 'moved')
      when 'active' then (
        select pg_catalog.count(*)::integer from rowgate_webhooks.requests_of_wallet($1.id) r
        where r.status = 'locked' and r.reason = 'The wallet is locked'
          and rowgate_webhooks.try_move(r.table_name, r.id, 'submitted', $2, 'Let go to be approved anew') = 'moved')
      else 0 end;
  $$;
comment on function rowgate_webhooks.follow_wallet(public.digital_wallet, text) is
  'Cancels, holds or lets go what is asked for of a wallet, as its status says. Returns how many requests that were.';

-- Whoever pays by the address book would pay to where nobody looks any more.
create function rowgate_webhooks.lock_former_address(wallet public.digital_wallet, from_address text, event_id text)
  returns integer
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select pg_catalog.count(*)::integer
    from public.address_book_entry e
    where e.organization_id = $1.organization_id and e.coin = $1.coin and e.address = $2
      and e.status in ('draft', 'active') and $1.address is distinct from $2
      and rowgate_webhooks.try_move('address_book_entry', e.id, 'locked', $3, null) = 'moved';
  $$;
comment on function rowgate_webhooks.lock_former_address(public.digital_wallet, text, text) is
  'Locks the entries of the organization''s address book that hold the address that a wallet had. Returns how many.';

create function rowgate_webhooks.on_digital_wallet_update(
  event_id text, wallet_id uuid, from_status text, to_status text, from_address text
) returns jsonb
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      wallet public.digital_wallet;
      title text;
      requests integer;
      entries integer;
      valued integer;
    begin
      select * into wallet from public.digital_wallet w where w.id = $2;
      if not found then return jsonb_build_object('outcome', 'gone'); end if;
      requests := rowgate_webhooks.follow_wallet(wallet, $1);
      entries := rowgate_webhooks.lock_former_address(wallet, $5, $1);
      update public.digital_wallet w set usd_value = rowgate_webhooks.worth(w.balance, w.coin)
        where w.id = wallet.id and w.coin = wallet.coin and w.usd_value <> rowgate_webhooks.worth(w.balance, w.coin);
      get diagnostics valued = row_count;
      if $3 is distinct from $4 and wallet.status = $4 then
        title := case wallet.status
          when 'locked' then 'A wallet is locked'
          when 'archived' then 'A wallet was archived'
          when 'active' then case $3 when 'locked' then 'A wallet is no longer locked' else 'A wallet is ready' end end;
        perform rowgate_webhooks.notify_owner(wallet.organization_id, wallet.user_id, 'transaction', title,
          concat_ws(', ', nullif(wallet.label, ''), wallet.coin), null);
      end if;
      if entries > 0 then
        perform rowgate_webhooks.notify_role(wallet.organization_id, 'organization_admin', 'security',
          'Entries of the address book were locked',
          format('%s has another address now; %s with the former one', wallet.label, entries), null);
      end if;
      return jsonb_build_object('outcome', wallet.status, 'requests', requests, 'lockedAddresses', entries,
        'valued', valued > 0);
    end
  $$;
comment on function rowgate_webhooks.on_digital_wallet_update(text, uuid, text, text, text) is
  'What a change of a wallet leads to: requests and the address book follow it, its value is reckoned at the newest price, its owner is told.';

create function rowgate_webhooks.tell_of_transaction(moved public.asset_transaction, wallet public.digital_wallet)
  returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      amount text := rowgate_webhooks.plain($1.amount) || ' ' || $1.coin;
      body text := concat_ws(', ', nullif($2.label, ''), $1.kind);
    begin
      perform rowgate_webhooks.notify_owner($2.organization_id, $2.user_id, 'transaction', case
          when $1.status in ('failed', 'rejected') then amount || ' did not move'
          when $1.status = 'confirmed' and $1.direction = 'in' then amount || ' came in'
          when $1.status = 'confirmed' then amount || ' went out'
          when $1.direction = 'in' then amount || ' on the way in'
          else amount || ' on the way out' end, body, null);
      if $1.status = 'pending_approval' then
        perform rowgate_webhooks.notify_role(null, 'digital_wallets_admin', 'transaction',
          'A transaction waits for approval', amount || ', ' || body, null);
      end if;
    end
  $$;
comment on function rowgate_webhooks.tell_of_transaction(public.asset_transaction, public.digital_wallet) is
  'Tells the wallet''s owner of a transaction, and those who are to approve it.';

create function rowgate_webhooks.on_asset_transaction_insert(event_id text, transaction_id uuid, large_usd numeric)
  returns jsonb
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      moved public.asset_transaction;
      wallet public.digital_wallet;
      counted boolean;
      usd numeric;
      large boolean;
    begin
      counted := rowgate_webhooks.count_transaction($2);
      select * into moved from public.asset_transaction t where t.id = $2;
      if not found then return jsonb_build_object('outcome', 'gone'); end if;
      select * into wallet from public.digital_wallet w where w.id = moved.digital_wallet_id;
      perform rowgate_webhooks.tell_of_transaction(moved, wallet);
      usd := coalesce(moved.usd_value, round(moved.amount * rowgate_webhooks.newest_price(moved.coin), 2));
      large := coalesce(usd >= $3, false) and moved.status not in ('failed', 'rejected');
      if large then
        perform rowgate_webhooks.notify_role(null, 'compliance', 'transaction', 'A large transaction',
          format('%s %s %s, about %s USD', rowgate_webhooks.plain(moved.amount), moved.coin, moved.direction, usd), null);
      end if;
      if moved.status = 'confirmed' and moved.counted_at is null then
        perform rowgate_webhooks.notify_role(null, 'digital_wallets_admin', 'transaction',
          'A transaction is of another coin than its wallet',
          format('%s in a wallet of %s', moved.coin, wallet.coin), null);
      end if;
      return jsonb_build_object('outcome', moved.status, 'counted', counted, 'large', large);
    end
  $$;
comment on function rowgate_webhooks.on_asset_transaction_insert(text, uuid, numeric) is
  'What a new transaction leads to: it is counted if confirmed, people are told, compliance of those from so many US dollars on.';

revoke all on all functions in schema rowgate_webhooks from public;
