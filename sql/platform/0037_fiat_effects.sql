-- What deposits and withdrawals lead to. Money that becomes coins, or the other way round, is booked once for each request.

create table rowgate_webhooks.booking (
  table_name text not null check (table_name in ('fiat_deposit_request', 'fiat_withdrawal_request')),
  request_id uuid not null,
  asset_transaction_id uuid not null,
  primary key (table_name, request_id)
);
comment on table rowgate_webhooks.booking is 'The transaction that a deposit was credited by, or that reserves a withdrawal and becomes it.';

create function rowgate_webhooks.letter_of_request(
  request_id uuid, organization_id uuid, user_id text, created_by text, amount numeric, fee numeric, currency text, reference text
) returns jsonb
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select pg_catalog.jsonb_build_object('id', $1, 'to', case when p.email is null
          then array(select c.email from rowgate_webhooks.organization_contacts($2) c) else array[p.email] end,
        'fullName', p.full_name, 'organization', o.name, 'amount', $5::text, 'fee', $6::text, 'currency', $7,
        'reference', $8)
    from public.organization o
    left join public."user" p on p.id = coalesce($3, $4) and p.status = 'active'
    where o.id = $2;
  $$;
comment on function rowgate_webhooks.letter_of_request(uuid, uuid, text, text, numeric, numeric, text, text) is
  'What a letter about a deposit or withdrawal says, and to whom: the person, or whoever entered it; the organization''s contacts where they are gone.';

create function rowgate_webhooks.credit_deposit(request public.fiat_deposit_request) returns text
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      wallet_coin text;
      transaction_id uuid;
    begin
      if $1.digital_wallet_id is null then return 'credited'; end if;
      if exists (
        select from rowgate_webhooks.booking b
        where b.table_name = 'fiat_deposit_request' and b.request_id = $1.id)
      then
        return 'credited';
      end if;
      select w.coin into wallet_coin from public.digital_wallet w
        where w.id = $1.digital_wallet_id and w.status = 'active'
          and w.coin = any (rowgate_webhooks.stable_coins($1.currency));
      if not found or $1.amount <= $1.fee then return 'impossible'; end if;
      insert into public.asset_transaction
          (organization_id, digital_wallet_id, kind, direction, coin, amount, status, confirmed_at)
        values ($1.organization_id, $1.digital_wallet_id, 'deposit', 'in', wallet_coin, $1.amount - $1.fee, 'confirmed', now())
        returning id into transaction_id;
      insert into rowgate_webhooks.booking (table_name, request_id, asset_transaction_id)
        values ('fiat_deposit_request', $1.id, transaction_id);
      perform rowgate_webhooks.count_transaction(transaction_id);
      return 'credited';
    end
  $$;
comment on function rowgate_webhooks.credit_deposit(public.fiat_deposit_request) is
  'Credits money that came in, less the fee, to the request''s wallet, one coin for one unit: credited (also before, or where it names no wallet), or impossible where that is no active wallet of a stable coin of the currency, or the fee takes everything.';

create function rowgate_webhooks.tell_of_deposit(request public.fiat_deposit_request) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      title text := case $1.status
        when 'submitted' then 'Your deposit was announced'
        when 'approved' then 'Your deposit is expected: please transfer the money'
        when 'received' then 'Your money has arrived'
        when 'completed' then 'Your deposit is credited'
        when 'rejected' then 'Your deposit was turned down'
        when 'cancelled' then 'Your deposit was cancelled' end;
      body text := format('%s %s, reference %s', $1.amount, $1.currency, $1.bank_reference);
    begin
      if title is null then return; end if;
      perform rowgate_webhooks.notify_owner($1.organization_id, coalesce($1.user_id, $1.created_by), 'transaction', title, body, null);
      if $1.status = 'submitted' then
        perform rowgate_webhooks.notify_role(null, 'accounting', 'transaction', 'A deposit waits for approval', body, null);
      end if;
    end
  $$;
comment on function rowgate_webhooks.tell_of_deposit(public.fiat_deposit_request) is
  'Tells whose deposit it is of its status, and accounting where it waits for approval.';

create function rowgate_webhooks.on_fiat_deposit_request_update(
  event_id text, request_id uuid, from_status text, to_status text
) returns jsonb
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      request public.fiat_deposit_request;
      credit text;
    begin
      select * into request from public.fiat_deposit_request r where r.id = $2 for no key update;
      if not found then return jsonb_build_object('outcome', 'gone'); end if;
      -- A draft, or history: what is over as it is entered leads to nothing.
      if $3 is null and request.status not in ('submitted', 'approved', 'received') then
        return jsonb_build_object('outcome', request.status);
      end if;
      if request.status = 'received' or (request.status = 'completed' and $3 is distinct from $4) then
        credit := rowgate_webhooks.credit_deposit(request);
        if credit = 'impossible' then
          perform rowgate_webhooks.notify_role(null, 'accounting', 'transaction', 'A deposit cannot be credited by itself',
            format('%s %s, reference %s', request.amount, request.currency, request.bank_reference), null);
        elsif rowgate_webhooks.try_move('fiat_deposit_request', request.id, 'completed', $1, null) = 'moved' then
          update public.fiat_deposit_request r set completed_at = now()
            where r.id = request.id returning * into request;
        end if;
      end if;
      -- What one event brings to its end is told there; the event of that end tells nothing more.
      if (request.status = 'completed' and rowgate_webhooks.begin_effect('fiat_deposit_request/' || request.id, 'completed'))
        or (request.status <> 'completed' and $3 is distinct from $4 and request.status = $4)
      then
        perform rowgate_webhooks.tell_of_deposit(request);
      end if;
      return jsonb_strip_nulls(jsonb_build_object('outcome', request.status, 'credit', credit,
        'letter', case when request.status in ('approved', 'completed') then rowgate_webhooks.letter_of_request(
          request.id, request.organization_id, request.user_id, request.created_by, request.amount, request.fee, request.currency,
          request.bank_reference) end));
    end
  $$;
comment on function rowgate_webhooks.on_fiat_deposit_request_update(text, uuid, text, text) is
  'What a change of a deposit leads to: what was received is credited and completed, people are told.';

create function rowgate_webhooks.reserve_withdrawal(request public.fiat_withdrawal_request) returns text
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      wallet public.digital_wallet;
      reserved numeric;
      transaction_id uuid;
    begin
      if $1.digital_wallet_id is null then return 'reserved'; end if;
      if exists (
        select from rowgate_webhooks.booking b
        where b.table_name = 'fiat_withdrawal_request' and b.request_id = $1.id)
      then
        return 'reserved';
      end if;
      select * into wallet from public.digital_wallet w where w.id = $1.digital_wallet_id for no key update;
      if wallet.status <> 'active' then return 'The wallet is not active'; end if;
      if wallet.coin <> all (rowgate_webhooks.stable_coins($1.currency)) then
        return 'The wallet holds no stable coin of the currency';
      end if;
      select coalesce(sum(t.amount + t.fee), 0) into reserved from public.asset_transaction t
        where t.digital_wallet_id = wallet.id and t.direction = 'out' and t.coin = wallet.coin
          and (t.status in ('pending', 'pending_approval') or t.status = 'confirmed' and t.counted_at is null);
      if wallet.balance - reserved < $1.amount + $1.fee then return 'The balance is not sufficient'; end if;
      insert into public.asset_transaction (organization_id, digital_wallet_id, kind, direction, coin, amount, status)
        values ($1.organization_id, wallet.id, 'withdrawal', 'out', wallet.coin, $1.amount + $1.fee, 'pending')
        returning id into transaction_id;
      insert into rowgate_webhooks.booking (table_name, request_id, asset_transaction_id)
        values ('fiat_withdrawal_request', $1.id, transaction_id);
      return 'reserved';
    end
  $$;
comment on function rowgate_webhooks.reserve_withdrawal(public.fiat_withdrawal_request) is
  'Sets aside what is to be paid out, fee included, as a pending transaction of the request''s wallet: reserved (also before, or where it names no wallet), or why not.';

create function rowgate_webhooks.close_booking(request_id uuid, to_status text, event_id text) returns boolean
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      transaction_id uuid;
    begin
      select b.asset_transaction_id into transaction_id from rowgate_webhooks.booking b
        where b.table_name = 'fiat_withdrawal_request' and b.request_id = $1;
      if not found then return false; end if;
      if rowgate_webhooks.try_move('asset_transaction', transaction_id, $2, $3, null) = 'moved' and $2 = 'confirmed' then
        update public.asset_transaction t set confirmed_at = greatest(now(), t.occurred_at) where t.id = transaction_id;
      end if;
      if $2 = 'confirmed' then return rowgate_webhooks.count_transaction(transaction_id); end if;
      -- Approved anew, it is set aside anew.
      delete from rowgate_webhooks.booking b where b.table_name = 'fiat_withdrawal_request' and b.request_id = $1;
      return true;
    end
  $$;
comment on function rowgate_webhooks.close_booking(uuid, text, text) is
  'Takes what was set aside for a withdrawal off the balance (confirmed), or lets it go (failed). Returns whether it did so now.';

revoke all on all functions in schema rowgate_webhooks from public;
