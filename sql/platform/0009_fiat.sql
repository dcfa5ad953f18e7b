-- Bank deposits and withdrawals, and the effects of their changes. Conversions between money and coins are booked once
-- per request.

create table public.fiat_deposit_request (
  id uuid primary key default pg_catalog.gen_random_uuid(),
  organization_id uuid not null
    default (rowgate_api.session_variable('organization_id'))::uuid
    references public.organization,
  user_id text,
  digital_wallet_id uuid,
  amount numeric(20,2) not null check (amount > 0 and amount <> 'NaN'),
  fee numeric(20,2) not null default 0 check (fee >= 0 and fee <> 'NaN'),
  currency text not null default 'USD' check (currency ~ '^[A-Z]{3}$'),
  bank_reference text not null default ('DEP-' || pg_catalog.gen_random_uuid())
    check (bank_reference <> ''),
  account_holder text check (account_holder <> ''),
  account_last_four text check (account_last_four ~ '^[0-9A-Z]{4}$'),
  account_token text check (account_token <> ''),
  status text not null default 'draft'
    check (status in ('draft', 'submitted', 'approved', 'received', 'completed', 'rejected', 'cancelled', 'locked')),
  status_reason text,
  reviewed_by text references public."user" on update cascade on delete set null,
  reviewed_at timestamptz,
  completed_at timestamptz,
  created_by text references public."user" on update cascade on delete set null,
  created_at timestamptz not null default pg_catalog.now(),
  updated_at timestamptz not null default pg_catalog.now(),
  foreign key (organization_id, user_id)
    references public."user" (organization_id, id) on update cascade,
  foreign key (organization_id, digital_wallet_id)
    references public.digital_wallet (organization_id, id),
  unique (organization_id, bank_reference)
);
comment on table public.fiat_deposit_request is 'An announced bank deposit.';
comment on column public.fiat_deposit_request.id is 'Id of the request.';
comment on column public.fiat_deposit_request.organization_id is 'The organization that deposits the money.';
comment on column public.fiat_deposit_request.user_id is 'Owner of the money. Null for money of the organization as a whole.';
comment on column public.fiat_deposit_request.digital_wallet_id is 'Wallet of a stable coin to credit. Null if the money is not converted to coins.';
comment on column public.fiat_deposit_request.amount is 'Amount, in the currency.';
comment on column public.fiat_deposit_request.fee is 'Fee of the platform, in the currency.';
comment on column public.fiat_deposit_request.currency is 'Currency of amount and fee, as an ISO 4217 code.';
comment on column public.fiat_deposit_request.bank_reference is 'Reference for the bank transfer, by which the payment is recognized. Unique in an organization.';
comment on column public.fiat_deposit_request.account_holder is 'Holder of the account that sends the money.';
comment on column public.fiat_deposit_request.account_last_four is 'Last four characters of the IBAN or account number. More is never stored.';
comment on column public.fiat_deposit_request.account_token is 'Token of the account at the payment provider.';
comment on column public.fiat_deposit_request.status is 'draft → submitted → approved → received → completed. submitted, approved or locked → rejected. approved → submitted for a new review. cancelled is possible before received. Compliance moves submitted, approved or received → locked, and locked → submitted. A draft may be deleted.';
comment on column public.fiat_deposit_request.status_reason is 'Reason of the rejection, cancellation, lock or failure.';
comment on column public.fiat_deposit_request.reviewed_by is 'User who approved or rejected the request.';
comment on column public.fiat_deposit_request.reviewed_at is 'Time of the approval or rejection.';
comment on column public.fiat_deposit_request.completed_at is 'Time at which the money was credited.';
comment on column public.fiat_deposit_request.created_by is 'User who created the request.';
comment on column public.fiat_deposit_request.created_at is 'Time at which the request was created.';
comment on column public.fiat_deposit_request.updated_at is 'Time of the last change of the row.';
create index fiat_deposit_request_organization_id_user_id_idx on public.fiat_deposit_request (organization_id, user_id);
create index fiat_deposit_request_user_id_idx on public.fiat_deposit_request (user_id);
create index fiat_deposit_request_organization_id_digital_wallet_id_idx on public.fiat_deposit_request (organization_id, digital_wallet_id);
create index fiat_deposit_request_digital_wallet_id_idx on public.fiat_deposit_request (digital_wallet_id);
create index fiat_deposit_request_reviewed_by_idx on public.fiat_deposit_request (reviewed_by);
create index fiat_deposit_request_organization_id_status_idx on public.fiat_deposit_request (organization_id, status);
create index fiat_deposit_request_created_by_idx on public.fiat_deposit_request (created_by);
create index fiat_deposit_request_status_idx on public.fiat_deposit_request (status);

create table public.fiat_withdrawal_request (
  id uuid primary key default pg_catalog.gen_random_uuid(),
  organization_id uuid not null
    default (rowgate_api.session_variable('organization_id'))::uuid
    references public.organization,
  user_id text,
  fund_id uuid,
  digital_wallet_id uuid,
  amount numeric(20,2) not null check (amount > 0 and amount <> 'NaN'),
  fee numeric(20,2) not null default 0 check (fee >= 0 and fee <> 'NaN'),
  currency text not null default 'USD' check (currency ~ '^[A-Z]{3}$'),
  bank_reference text not null default ('WDR-' || pg_catalog.gen_random_uuid())
    check (bank_reference <> ''),
  account_holder text check (account_holder <> ''),
  account_last_four text check (account_last_four ~ '^[0-9A-Z]{4}$'),
  account_token text check (account_token <> ''),
  status text not null default 'draft'
    check (status in ('draft', 'submitted', 'approved', 'processing', 'completed', 'failed', 'rejected', 'cancelled', 'locked')),
  status_reason text,
  reviewed_by text references public."user" on update cascade on delete set null,
  reviewed_at timestamptz,
  completed_at timestamptz,
  created_by text references public."user" on update cascade on delete set null,
  created_at timestamptz not null default pg_catalog.now(),
  updated_at timestamptz not null default pg_catalog.now(),
  foreign key (organization_id, user_id)
    references public."user" (organization_id, id) on update cascade,
  foreign key (organization_id, fund_id)
    references public.fund (organization_id, id),
  foreign key (organization_id, digital_wallet_id)
    references public.digital_wallet (organization_id, id),
  unique (organization_id, bank_reference)
);
comment on table public.fiat_withdrawal_request is 'A requested bank withdrawal.';
comment on column public.fiat_withdrawal_request.id is 'Id of the request.';
comment on column public.fiat_withdrawal_request.organization_id is 'The organization that owns the money.';
comment on column public.fiat_withdrawal_request.user_id is 'Owner of the money. Null for money of the organization as a whole.';
comment on column public.fiat_withdrawal_request.fund_id is 'The fund that owns the money. Null if it is not a fund''s.';
comment on column public.fiat_withdrawal_request.digital_wallet_id is 'Wallet of a stable coin to debit. Null if no coins are converted to money.';
comment on column public.fiat_withdrawal_request.amount is 'Amount, in the currency.';
comment on column public.fiat_withdrawal_request.fee is 'Fee of the platform, in the currency.';
comment on column public.fiat_withdrawal_request.currency is 'Currency of amount and fee, as an ISO 4217 code.';
comment on column public.fiat_withdrawal_request.bank_reference is 'Reference on the bank transfer, unique in an organization.';
comment on column public.fiat_withdrawal_request.account_holder is 'Holder of the account that receives the money.';
comment on column public.fiat_withdrawal_request.account_last_four is 'Last four characters of the IBAN or account number. More is never stored.';
comment on column public.fiat_withdrawal_request.account_token is 'Token of the account at the payment provider.';
comment on column public.fiat_withdrawal_request.status is 'draft → submitted → approved → processing → completed or failed. submitted, approved or locked → rejected. approved → submitted for a new review. cancelled is possible before processing. Compliance moves submitted or approved → locked, and locked → submitted. A draft may be deleted.';
comment on column public.fiat_withdrawal_request.status_reason is 'Reason of the rejection, cancellation, lock or failure.';
comment on column public.fiat_withdrawal_request.reviewed_by is 'User who approved or rejected the request.';
comment on column public.fiat_withdrawal_request.reviewed_at is 'Time of the approval or rejection.';
comment on column public.fiat_withdrawal_request.completed_at is 'Time at which the bank paid.';
comment on column public.fiat_withdrawal_request.created_by is 'User who created the request.';
comment on column public.fiat_withdrawal_request.created_at is 'Time at which the request was created.';
comment on column public.fiat_withdrawal_request.updated_at is 'Time of the last change of the row.';
create index fiat_withdrawal_request_organization_id_user_id_idx on public.fiat_withdrawal_request (organization_id, user_id);
create index fiat_withdrawal_request_user_id_idx on public.fiat_withdrawal_request (user_id);
create index fiat_withdrawal_request_organization_id_fund_id_idx on public.fiat_withdrawal_request (organization_id, fund_id);
create index fiat_withdrawal_request_fund_id_idx on public.fiat_withdrawal_request (fund_id);
create index fiat_withdrawal_request_organization_id_digital_wallet_id_idx on public.fiat_withdrawal_request (organization_id, digital_wallet_id);
create index fiat_withdrawal_request_digital_wallet_id_idx on public.fiat_withdrawal_request (digital_wallet_id);
create index fiat_withdrawal_request_reviewed_by_idx on public.fiat_withdrawal_request (reviewed_by);
create index fiat_withdrawal_request_organization_id_status_idx on public.fiat_withdrawal_request (organization_id, status);
create index fiat_withdrawal_request_created_by_idx on public.fiat_withdrawal_request (created_by);
create index fiat_withdrawal_request_status_idx on public.fiat_withdrawal_request (status);

create trigger touch_updated_at before update on public.fiat_deposit_request
  for each row execute function public.touch_updated_at();
create trigger stamp_review before update of status on public.fiat_deposit_request
  for each row execute function public.stamp_review();
create trigger check_move after update on public.fiat_deposit_request for each row
  when (old.status is distinct from new.status) execute function rowgate_webhooks.check_move();
create trigger touch_updated_at before update on public.fiat_withdrawal_request
  for each row execute function public.touch_updated_at();
create trigger stamp_review before update of status on public.fiat_withdrawal_request
  for each row execute function public.stamp_review();
create trigger check_move after update on public.fiat_withdrawal_request for each row
  when (old.status is distinct from new.status) execute function rowgate_webhooks.check_move();

create table rowgate_webhooks.booking (
  table_name text not null check (table_name in ('fiat_deposit_request', 'fiat_withdrawal_request')),
  request_id uuid not null,
  asset_transaction_id uuid not null,
  primary key (table_name, request_id)
);
comment on table rowgate_webhooks.booking is 'The coin transaction of a request. It credits a deposit; for a withdrawal, it first reserves the amount and then becomes the payment.';

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
  'Returns the data and recipients of a mail about a deposit or withdrawal. The recipient is the owner, else the user who created the request. If that user is deleted or disabled, the recipients are the organization''s contacts.';

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
  'Credits a received deposit, minus the fee, to the request''s wallet: one coin per unit. Returns credited (also if it was credited before, or the request names no wallet), or impossible if the wallet is no active wallet of a stable coin of the currency, or the fee is at least the amount.';

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
  'Notifies the owner of a deposit of its status, and accounting if it waits for approval.';

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
      -- A new row that is a draft, or already in a final status (history), has no effect.
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
      -- The event that completes a deposit notifies users. The event of the completion itself must not notify them
      -- again.
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
  'Handles a new or changed deposit: credits and completes a received one, and notifies users.';

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
  'Reserves the amount and fee of a withdrawal by a pending transaction in the request''s wallet. Returns reserved (also if it was reserved before, or the request names no wallet), or the reason of a refusal.';

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
      -- If the request is approved again, the amount is reserved again.
      delete from rowgate_webhooks.booking b where b.table_name = 'fiat_withdrawal_request' and b.request_id = $1;
      return true;
    end
  $$;
comment on function rowgate_webhooks.close_booking(uuid, text, text) is
  'Confirms the reservation of a withdrawal and subtracts it from the balance, or releases it (failed). Returns true if it did so now.';

create function rowgate_webhooks.tell_of_withdrawal(request public.fiat_withdrawal_request) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      title text := case $1.status
        when 'submitted' then 'Your withdrawal was received'
        when 'processing' then 'Your withdrawal is being paid out'
        when 'completed' then 'Your withdrawal was paid out'
        when 'failed' then 'Your withdrawal could not be paid out'
        when 'rejected' then 'Your withdrawal was turned down'
        when 'cancelled' then 'Your withdrawal was cancelled' end;
      body text := format('%s %s, reference %s', $1.amount, $1.currency, $1.bank_reference);
    begin
      if title is null then return; end if;
      perform rowgate_webhooks.notify_owner($1.organization_id, coalesce($1.user_id, $1.created_by), 'transaction', title, body, null);
      if $1.status = 'submitted' and $1.fund_id is null then
        perform rowgate_webhooks.notify_role(null, 'accounting', 'transaction', 'A withdrawal waits for approval', body, null);
      elsif $1.status = 'submitted' then
        perform rowgate_webhooks.notify_fund($1.fund_id, 'fund_signatory', 'transaction',
          'A withdrawal waits for approval', body, null);
      elsif $1.status in ('processing', 'failed') then
        perform rowgate_webhooks.notify_role(null, 'accounting', 'transaction',
          case $1.status when 'failed' then 'A withdrawal failed' else 'A withdrawal is to be paid out' end, body, null);
      end if;
    end
  $$;
comment on function rowgate_webhooks.tell_of_withdrawal(public.fiat_withdrawal_request) is
  'Notifies the owner of a withdrawal, and the users who act next, of its status.';

-- Two events can lead to the same final status. Users are notified once, whichever event comes first.
create function rowgate_webhooks.tell_of_withdrawal_once(request public.fiat_withdrawal_request) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    begin
      if rowgate_webhooks.begin_effect(
        'fiat_withdrawal_request/' || $1.id || '/' || coalesce($1.reviewed_at::text, ''), $1.status)
      then
        perform rowgate_webhooks.tell_of_withdrawal($1);
      end if;
    end
  $$;
comment on function rowgate_webhooks.tell_of_withdrawal_once(public.fiat_withdrawal_request) is
  'Notifies users of a status once per decision about the withdrawal.';

create function rowgate_webhooks.on_fiat_withdrawal_request_update(
  event_id text, request_id uuid, from_status text, to_status text
) returns jsonb
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      request public.fiat_withdrawal_request;
      reservation text;
      booked boolean;
    begin
      select * into request from public.fiat_withdrawal_request r where r.id = $2 for no key update;
      if not found then return jsonb_build_object('outcome', 'gone'); end if;
      -- A new row that is a draft, or already in a final status (history), has no effect.
      if $3 is null and request.status not in ('submitted', 'approved', 'processing') then
        return jsonb_build_object('outcome', request.status);
      end if;
      if rowgate_webhooks.hold_request('fiat_withdrawal_request', request.id, $1) then
        return jsonb_build_object('outcome', 'locked');
      end if;
      if request.status in ('approved', 'processing') then
        reservation := rowgate_webhooks.reserve_withdrawal(request);
        if request.status = 'processing' and reservation <> 'reserved' then
          perform rowgate_webhooks.try_move('fiat_withdrawal_request', request.id, 'failed', $1, reservation);
        elsif request.status = 'approved' then
          perform rowgate_webhooks.try_move('fiat_withdrawal_request', request.id,
            case reservation when 'reserved' then 'processing' else 'rejected' end, $1, nullif(reservation, 'reserved'));
        end if;
      elsif request.status = 'completed' then
        -- The bank has already paid, so the booking happens even without a reservation.
        if $3 is distinct from $4 and rowgate_webhooks.reserve_withdrawal(request) <> 'reserved' then
          perform rowgate_webhooks.notify_role(null, 'accounting', 'transaction', 'A withdrawal was paid out without cover',
            format('%s %s, reference %s', request.amount, request.currency, request.bank_reference), null);
        end if;
        booked := rowgate_webhooks.close_booking(request.id, 'confirmed', $1);
        update public.fiat_withdrawal_request r set completed_at = now()
          where r.id = request.id and r.completed_at is null;
      elsif request.status in ('failed', 'rejected', 'cancelled', 'locked', 'submitted') then
        booked := rowgate_webhooks.close_booking(request.id, 'failed', $1);
      end if;
      select * into request from public.fiat_withdrawal_request r where r.id = $2;
      if reservation is not null or ($3 is distinct from $4 and request.status = $4) then
        perform rowgate_webhooks.tell_of_withdrawal_once(request);
      end if;
      return jsonb_strip_nulls(jsonb_build_object('outcome', request.status, 'reservation', reservation, 'booked', booked,
        'letter', case when request.status in ('completed', 'failed') then rowgate_webhooks.letter_of_request(
          request.id, request.organization_id, request.user_id, request.created_by, request.amount, request.fee, request.currency,
          request.bank_reference) end));
    end
  $$;
comment on function rowgate_webhooks.on_fiat_withdrawal_request_update(text, uuid, text, text) is
  'Handles a new or changed withdrawal: reserves the money and starts the payment, or rejects the request. Subtracts the money on completion, releases it otherwise, and notifies users.';

revoke all on all functions in schema rowgate_webhooks from public;
