-- Effects of changed wallets and new transactions, and the callbacks of the custody provider about transfers and
-- balances. These functions do not lock the wallet before its requests, because a payment locks a request first.

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
comment on function rowgate_webhooks.requests_of_wallet(uuid) is 'Returns the trade and withdrawal requests of a wallet.';

create function rowgate_webhooks.cancel_requests(digital_wallet_id uuid, event_id text, reason text) returns integer
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select pg_catalog.count(*)::integer
    from (
      select 'trade_request' as kind, t.id, t.status from public.trade_request t where t.digital_wallet_id = $1
      union all
      select 'fiat_withdrawal_request', w.id, w.status from public.fiat_withdrawal_request w where w.digital_wallet_id = $1
      union all
      select 'fiat_deposit_request', d.id, d.status from public.fiat_deposit_request d where d.digital_wallet_id = $1) r
    where r.status in ('draft', 'submitted', 'approved')
      and rowgate_webhooks.try_move(r.kind, r.id, 'cancelled', $2, $3) = 'moved';
  $$;
comment on function rowgate_webhooks.cancel_requests(uuid, text, text) is
  'Cancels the requests of a wallet that have not started. Returns how many.';

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
          and rowgate_webhooks.try_move(r.table_name, r.id, 'submitted', $2, 'Unlocked for a new approval') = 'moved')
      else 0 end;
  $$;
comment on function rowgate_webhooks.follow_wallet(public.digital_wallet, text) is
  'Cancels, locks or unlocks the requests of a wallet according to its status. Returns how many.';

-- A payment to the former address in the address book would reach an address that no wallet watches any more.
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
  'Locks address book entries of the organization that contain the wallet''s former address. Returns how many.';

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
  'Handles a changed wallet: updates its requests and the address book, recalculates its value at the newest price, and notifies its owner.';

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
  'Notifies the wallet''s owner of a transaction, and the users who must approve it.';

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
  'Handles a new transaction: counts it if it is confirmed, notifies users, and notifies compliance from the given amount in US dollars on.';

create function rowgate_webhooks.custody_status(kind text, state text) returns text
  language sql immutable
  set search_path = pg_catalog, pg_temp
  as $$
    select case
      when $2 in ('pendingapproval', 'awaitingapproval') then 'pending_approval'
      when $1 = 'pendingapproval' and $2 in ('pending', 'awaitingsignature', 'processing') then 'pending_approval'
      when $2 in ('pending', 'unconfirmed', 'initialized', 'signed', 'sent', 'broadcast', 'approved') then 'pending'
      when $2 in ('confirmed', 'completed') then 'confirmed'
      when $2 in ('failed', 'removed') then 'failed'
      when $2 = 'rejected' then 'rejected'
      end;
  $$;
comment on function rowgate_webhooks.custody_status(text, text) is
  'Returns the transaction status for a callback''s type and state, both reduced to lower-case letters. Returns null for other values.';

create function rowgate_webhooks.enter_transfer(event_id uuid, wallet public.digital_wallet, status text, said_at timestamptz)
  returns boolean
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      callback jsonb;
      type text;
      direction text;
    begin
      select i.payload, lower(i.payload ->> 'type') into strict callback, type from rowgate_webhooks.inbox i where i.id = $1;
      direction := case
        when type in ('deposit', 'receive') then 'in'
        when type in ('withdrawal', 'send') then 'out'
        when callback ->> 'direction' in ('in', 'out') then callback ->> 'direction'
        end;
      if direction is null or coalesce((callback ->> 'amount')::numeric, 0) = 0 then return false; end if;
      insert into public.asset_transaction (
          organization_id, digital_wallet_id, kind, direction, coin, amount, fee, status, hash, custody_transfer_id,
          counterparty_address, occurred_at, confirmed_at)
        values (
          wallet.organization_id, wallet.id,
          case when type in ('deposit', 'receive') then 'deposit' when type in ('withdrawal', 'send') then 'withdrawal' else 'transfer' end,
          direction, wallet.coin, (callback ->> 'amount')::numeric, coalesce((callback ->> 'fee')::numeric, 0), $3,
          nullif(callback ->> 'hash', ''), callback ->> 'transfer', nullif(callback ->> 'address', ''), $4,
          case when $3 = 'confirmed' then $4 end)
        on conflict (organization_id, custody_transfer_id) do nothing;
      return found;
    end
  $$;
comment on function rowgate_webhooks.enter_transfer(uuid, public.digital_wallet, text, timestamptz) is
  'Creates an unknown transfer if its callback contains direction and amount. Returns whether it did.';

create function rowgate_webhooks.count_transfer(transfer public.asset_transaction) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    begin
      -- A balance that the provider reported for a later time already includes the transfer.
      update public.asset_transaction t set counted_at = now()
        from rowgate_webhooks.last_heard h
        where t.id = transfer.id and t.counted_at is null and t.status = 'confirmed'
          and h.subject = 'balance' and h.row_id = t.digital_wallet_id and t.confirmed_at <= h.said_at;
      perform rowgate_webhooks.count_transaction(transfer.id);
    end
  $$;
comment on function rowgate_webhooks.count_transfer(public.asset_transaction) is
  'Counts a confirmed transfer towards the balance, unless a balance reported for a later time includes it.';

create function rowgate_webhooks.tell_of_transfer(transfer public.asset_transaction, wallet public.digital_wallet, status text)
  returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      body text := format('%s %s %s %s', rowgate_webhooks.decimal_text(transfer.amount), transfer.coin,
        case transfer.direction when 'in' then 'into' else 'from' end, coalesce(nullif(wallet.label, ''), 'a wallet'));
      title text := case $3
        when 'confirmed' then 'A transfer was confirmed'
        when 'failed' then 'A transfer failed'
        when 'rejected' then 'A transfer was not approved' end;
    begin
      if title is null then
        return;
      elsif wallet.user_id is not null then
        perform rowgate_webhooks.notify(wallet.user_id, 'transaction', title, body, null);
      else
        perform rowgate_webhooks.notify_role(wallet.organization_id, 'organization_admin', 'transaction', title, body, null);
      end if;
    end
  $$;
comment on function rowgate_webhooks.tell_of_transfer(public.asset_transaction, public.digital_wallet, text) is
  'Notifies the owner of a wallet, or the organization''s administrators, of the final status of a transfer.';

create function rowgate_webhooks.move_transfer(event_id uuid, wallet public.digital_wallet, status text, said_at timestamptz)
  returns rowgate_webhooks.outcome
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      callback jsonb;
      known public.asset_transaction;
      entered boolean := rowgate_webhooks.enter_transfer($1, wallet, $3, $4);
      statuses_in_order constant text[] := array['pending_approval', 'pending'];
      moved text := 'moved';
    begin
      select i.payload into strict callback from rowgate_webhooks.inbox i where i.id = $1;
      select * into known from public.asset_transaction t
        where t.organization_id = wallet.organization_id and t.custody_transfer_id = callback ->> 'transfer'
        for no key update;
      if not found then
        return rowgate_webhooks.unmatched($1, 'transfer/' || (callback ->> 'transfer'),
          'the transfer is not known, and without a direction and an amount it cannot be entered');
      elsif known.digital_wallet_id <> wallet.id then
        return rowgate_webhooks.became('ignored', 'the transfer is one of another wallet');
      end if;
      if not entered then
        if coalesce(array_position(statuses_in_order, $3), 3) < coalesce(array_position(statuses_in_order, known.status), 3) then
          return rowgate_webhooks.became('done', format('came late: the transaction is %s', known.status));
        end if;
        update public.asset_transaction t
          set hash = coalesce(nullif(callback ->> 'hash', ''), t.hash),
            amount = coalesce(nullif((callback ->> 'amount')::numeric, 0), t.amount),
            fee = case when t.counted_at is null then coalesce((callback ->> 'fee')::numeric, t.fee) else t.fee end,
            confirmed_at = case when $3 = 'confirmed' then coalesce(t.confirmed_at, greatest(t.occurred_at, $4)) else t.confirmed_at end
          where t.id = known.id and t.status in ('pending_approval', 'pending');
        if known.status = 'pending_approval' and $3 in ('confirmed', 'failed') then
          perform rowgate_webhooks.try_move('asset_transaction', known.id, 'pending', $1::text, null);
        end if;
        moved := rowgate_webhooks.try_move('asset_transaction', known.id, $3, $1::text, 'reported by the custody provider');
      end if;
      if moved = 'refused' then
        return rowgate_webhooks.became('done', format('refused: a transaction that is %s cannot become %s', known.status, $3));
      end if;
      if $3 = 'confirmed' then perform rowgate_webhooks.count_transfer(known); end if;
      -- The event trigger of the insertion notifies users of a new transfer.
      if moved = 'moved' and not entered then
        perform rowgate_webhooks.tell_of_transfer(known, wallet, $3);
      end if;
      return rowgate_webhooks.became('done', null);
    end
  $$;
comment on function rowgate_webhooks.move_transfer(uuid, public.digital_wallet, text, timestamptz) is
  'Changes the status of a transfer, unless a later status is known. Creates the transfer if necessary.';

create function rowgate_webhooks.take_balance(wallet public.digital_wallet, balance numeric, said_at timestamptz, arrival bigint)
  returns rowgate_webhooks.outcome
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      since numeric;
      total numeric;
    begin
      if balance is null then return rowgate_webhooks.became('ignored', 'it contains no balance'); end if;
      if not rowgate_webhooks.is_newest('balance', wallet.id, $3, $4) then
        return rowgate_webhooks.became('ignored', 'came late: a newer balance was reported');
      end if;
      -- The function locks transactions before the wallet, in the same order as count_transaction.
      perform from public.asset_transaction t
        where t.digital_wallet_id = wallet.id and t.status = 'confirmed' and (t.counted_at is null or t.confirmed_at > $3)
        order by t.id for no key update;
      update public.asset_transaction t set counted_at = now()
        where t.digital_wallet_id = wallet.id and t.status = 'confirmed' and t.counted_at is null and t.confirmed_at <= $3;
      -- Counting a transaction locks the wallet, so all counted transactions are visible after this lock.
      perform from public.digital_wallet w where w.id = wallet.id for no key update;
      select coalesce(sum(case t.direction when 'in' then t.amount else -(t.amount + t.fee) end), 0) into since
        from public.asset_transaction t
        where t.digital_wallet_id = wallet.id and t.status = 'confirmed' and t.counted_at is not null and t.confirmed_at > $3;
      total := balance + since;
      update public.digital_wallet w
        set balance = total,
          usd_value = coalesce(rowgate_webhooks.worth(total, w.coin), w.usd_value)
        where w.id = wallet.id;
      return rowgate_webhooks.became('done', null);
    end
  $$;
comment on function rowgate_webhooks.take_balance(public.digital_wallet, numeric, timestamptz, bigint) is
  'Sets the balance of a wallet to the reported balance plus all transactions confirmed since its time. A callback older than the last one changes nothing.';

create function rowgate_webhooks.apply_custody(event_id uuid) returns rowgate_webhooks.outcome
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      event rowgate_webhooks.inbox;
      callback jsonb;
      wallet public.digital_wallet;
      type text;
      status text;
      said_at timestamptz;
    begin
      select * into strict event from rowgate_webhooks.inbox i where i.id = $1;
      callback := event.payload;
      said_at := least(coalesce(rowgate_webhooks.moment(callback ->> 'timestamp'), event.received_at), event.received_at);
      begin
        select * into strict wallet from public.digital_wallet w where w.custody_wallet_id = callback ->> 'walletId';
      exception when no_data_found then
        return rowgate_webhooks.unmatched($1, 'wallet/' || (callback ->> 'walletId'), 'no wallet has this walletId');
      end;
      if wallet.coin <> upper(callback ->> 'coin') then
        return rowgate_webhooks.unmatched($1, 'wallet/' || (callback ->> 'walletId'),
          format('the wallet holds %s, not %s', wallet.coin, callback ->> 'coin'));
      end if;
      type := rowgate_webhooks.custody_type(callback);
      if type in ('balance', 'walletbalance') then
        return rowgate_webhooks.take_balance(wallet, (callback ->> 'balance')::numeric, said_at, event.arrival);
      elsif type not in ('deposit', 'receive', 'withdrawal', 'send', 'transfer', 'transaction', 'pendingapproval') then
        return rowgate_webhooks.became('ignored', 'the type is not known');
      elsif callback ->> 'transfer' = '' then
        return rowgate_webhooks.became('ignored', 'it names no transfer');
      end if;
      status := rowgate_webhooks.custody_status(type, regexp_replace(lower(callback ->> 'state'), '[^a-z]', '', 'g'));
      if status is null then return rowgate_webhooks.became('ignored', 'the state is not known'); end if;
      return rowgate_webhooks.move_transfer($1, wallet, status, said_at);
    end
  $$;
comment on function rowgate_webhooks.apply_custody(uuid) is 'Processes a callback of the custody provider.';

revoke all on all functions in schema rowgate_webhooks from public;
