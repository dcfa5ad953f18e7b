-- The moves that rows may make from one status to another, what webhooks have done, and what they were refused.
create schema rowgate_webhooks;
revoke all on schema rowgate_webhooks from public;

create table rowgate_webhooks.done (
  event_id text not null,
  effect text not null,
  done_at timestamptz not null default pg_catalog.now(),
  primary key (event_id, effect)
);
comment on table rowgate_webhooks.done is 'Which effect was done for which event, so that none is done twice.';
create index done_done_at_idx on rowgate_webhooks.done (done_at);

create function rowgate_webhooks.begin_effect(event_id text, effect text) returns boolean
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    with begun as (
      insert into rowgate_webhooks.done (event_id, effect) values ($1, $2) on conflict do nothing returning true)
    select exists (select from begun);
  $$;
comment on function rowgate_webhooks.begin_effect(text, text) is
  'Whether an effect is still to be done, in the transaction that does it; another one that does it at this moment is waited for.';

create table rowgate_webhooks.allowed_move (
  table_name text not null,
  from_status text not null,
  to_status text not null check (to_status <> from_status),
  primary key (table_name, from_status, to_status)
);
comment on table rowgate_webhooks.allowed_move is
  'From which status a row of a table may go to which; every other move is refused, whoever makes it. Staying is no move.';

-- One line for each status that can be left.
insert into rowgate_webhooks.allowed_move (table_name, from_status, to_status)
  select m.table_name, m.from_status, t.to_status
  from (values
    ('organization', 'active', 'suspended closed'),
    ('organization', 'suspended', 'active closed'),
    ('user', 'active', 'disabled'),
    ('user', 'disabled', 'active'),
    ('digital_wallet', 'draft', 'active archived'),
    ('digital_wallet', 'active', 'locked archived'),
    ('digital_wallet', 'locked', 'active'),
    ('digital_wallet', 'archived', 'active'),
    ('address_book_entry', 'draft', 'active locked archived'),
    ('address_book_entry', 'active', 'locked archived'),
    ('address_book_entry', 'locked', 'active archived'),
    ('otc_quote', 'draft', 'quoted'),
    ('otc_quote', 'quoted', 'accepted rejected expired'),
    ('otc_quote', 'accepted', 'quoted expired settled'),
    ('fund', 'draft', 'open'),
    ('fund', 'open', 'closed'),
    ('fund', 'closed', 'open liquidated'),
    ('fund_subscription', 'draft', 'submitted cancelled'),
    ('fund_subscription', 'submitted', 'approved cancelled'),
    ('fund_subscription', 'approved', 'active cancelled'),
    ('fund_subscription', 'active', 'redeemed'),
    ('invoice', 'draft', 'issued void'),
    ('invoice', 'issued', 'paid overdue void'),
    ('invoice', 'overdue', 'paid void'),
    ('invoice', 'paid', 'issued overdue'),
    ('invoice_payment', 'pending', 'confirmed failed'),
    ('invoice_payment', 'confirmed', 'refunded'),
    ('receipt', 'issued', 'void'),
    ('asset_transaction', 'pending_approval', 'pending rejected'),
    ('asset_transaction', 'pending', 'confirmed failed'),
    ('trade_request', 'draft', 'submitted cancelled expired'),
    ('trade_request', 'submitted', 'approved rejected cancelled expired locked'),
    ('trade_request', 'approved', 'executed submitted rejected cancelled expired locked'),
    ('trade_request', 'locked', 'submitted rejected'),
    ('trade_request', 'executed', 'settled'),
    ('trade_settlement', 'pending', 'processing cancelled locked'),
    ('trade_settlement', 'processing', 'settled failed'),
    ('trade_settlement', 'failed', 'pending locked'),
    ('trade_settlement', 'locked', 'pending cancelled'),
    ('fiat_deposit_request', 'draft', 'submitted cancelled'),
    ('fiat_deposit_request', 'submitted', 'approved rejected cancelled locked'),
    ('fiat_deposit_request', 'approved', 'received submitted rejected cancelled locked'),
    ('fiat_deposit_request', 'locked', 'submitted rejected'),
    ('fiat_deposit_request', 'received', 'completed locked'),
    ('fiat_withdrawal_request', 'draft', 'submitted cancelled'),
    ('fiat_withdrawal_request', 'submitted', 'approved rejected cancelled locked'),
    ('fiat_withdrawal_request', 'approved', 'processing submitted rejected cancelled locked'),
    ('fiat_withdrawal_request', 'locked', 'submitted rejected'),
    ('fiat_withdrawal_request', 'processing', 'completed failed'),
    ('kyc_profile', 'not_started', 'pending locked'),
    ('kyc_profile', 'pending', 'in_review locked'),
    ('kyc_profile', 'in_review', 'pending approved rejected locked'),
    ('kyc_profile', 'approved', 'in_review expired locked'),
    ('kyc_profile', 'rejected', 'pending locked'),
    ('kyc_profile', 'expired', 'pending locked'),
    ('kyc_profile', 'locked', 'pending in_review rejected'),
    ('kyc_document', 'pending', 'approved rejected'),
    ('kyc_document', 'approved', 'expired'),
    ('case', 'draft', 'open'),
    ('case', 'open', 'in_progress resolved locked'),
    ('case', 'in_progress', 'waiting resolved locked'),
    ('case', 'waiting', 'in_progress resolved locked'),
    ('case', 'resolved', 'in_progress closed locked'),
    ('case', 'locked', 'open in_progress'),
    ('card', 'draft', 'active cancelled'),
    ('card', 'active', 'frozen locked expired cancelled'),
    ('card', 'frozen', 'active locked expired cancelled'),
    ('card', 'locked', 'active frozen expired cancelled'),
    ('card_transaction', 'authorized', 'settled reversed'),
    ('card_transaction', 'settled', 'reversed'),
    ('report', 'draft', 'requested'),
    ('report', 'requested', 'generating failed'),
    ('report', 'generating', 'ready requested failed'),
    ('report', 'failed', 'requested'),
    ('report', 'ready', 'locked')
  ) m(table_name, from_status, to_statuses)
  cross join lateral pg_catalog.unnest(pg_catalog.string_to_array(m.to_statuses, ' ')) t(to_status);

comment on column public.organization.status is 'active ⇄ suspended; closed for good.';
comment on column public."user".status is 'active ⇄ disabled; a disabled person may do nothing, signed in or not.';
comment on column public.digital_wallet.status is 'draft → active ⇄ locked; archived from draft or active, and back to active. A locked wallet is not changed, a draft may be deleted.';
comment on column public.address_book_entry.status is 'draft → active ⇄ locked, or locked from draft; archived for good. A locked entry is not changed, a draft may be deleted.';
comment on column public.otc_quote.status is 'draft → quoted → accepted → settled; rejected or expired from quoted; accepted → quoted where the trade comes to nothing, or expired where it is too late by then.';
comment on column public.fund.status is 'draft → open ⇄ closed → liquidated.';
comment on column public.fund_subscription.status is 'draft → submitted → approved → active → redeemed; cancelled before it is active.';
comment on column public.invoice.status is 'draft → issued → paid, or overdue → paid; paid → issued or overdue where a payment is refunded; void before it is paid.';
comment on column public.trade_request.status is 'draft → submitted → approved → executed → settled; rejected from submitted, approved or locked; approved → submitted to be looked at anew; cancelled or expired before the execution; locked from submitted or approved while compliance holds it, and back to submitted. A draft may be deleted.';
comment on column public.trade_settlement.status is 'pending → processing → settled or failed; failed → pending for another try; cancelled from pending or locked; locked from pending or failed while compliance holds it, and back to pending.';
comment on column public.fiat_deposit_request.status is 'draft → submitted → approved → received → completed; rejected from submitted, approved or locked; approved → submitted to be looked at anew; cancelled before the money is there; locked from submitted, approved or received while compliance holds it, and back to submitted. A draft may be deleted.';
comment on column public.fiat_withdrawal_request.status is 'draft → submitted → approved → processing → completed or failed; rejected from submitted, approved or locked; approved → submitted to be looked at anew; cancelled before the processing; locked from submitted or approved while compliance holds it, and back to submitted. A draft may be deleted.';
comment on column public.kyc_profile.status is 'not_started → pending (documents are awaited) ⇄ in_review → approved or rejected; rejected or expired → pending for another try; approved → in_review for another look, or expired; locked from everywhere while compliance holds it, and back to pending, in_review or rejected.';
comment on column public."case".status is 'draft → open → in_progress ⇄ waiting; resolved from open or either of these, then closed; resolved → in_progress where it comes up again; locked from open on while compliance holds it, and back to open or in_progress. A draft may be deleted.';
comment on column public.card.status is 'draft (ordered, not issued) → active ⇄ frozen, by its holder; locked by the platform or the issuer, and back to either; expired or cancelled for good.';
comment on column public.report.status is 'draft → requested → generating → ready or failed; back to requested for another try; ready → locked once it is final. A draft may be deleted.';

-- With the owner's rights, since no role reads the table of moves. After the row is written, so that whoever may not write
-- it is told of that alone.
create function rowgate_webhooks.check_move() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
    begin
      perform from rowgate_webhooks.allowed_move m
        where m.table_name = tg_table_name and m.from_status = old.status and m.to_status = new.status;
      if found then return null; end if;
      raise exception using
        errcode = 'check_violation',
        schema = tg_table_schema,
        table = tg_table_name,
        constraint = tg_table_name || '_status_move',
        message = format('%s cannot go from %s to %s', tg_table_name, old.status, new.status);
    end
  $$;
comment on function rowgate_webhooks.check_move() is 'Refuses a move from one status to another that is not allowed.';

do $$
  declare moving text;
  begin
    for moving in select distinct m.table_name from rowgate_webhooks.allowed_move m loop
      execute pg_catalog.format(
        'create trigger check_move after update on public.%I for each row
         when (old.status is distinct from new.status) execute function rowgate_webhooks.check_move()', moving);
    end loop;
  end
$$;

create table rowgate_webhooks.refused_move (
  id bigint generated always as identity primary key,
  event_id text,
  table_name text not null,
  row_id uuid not null,
  from_status text not null,
  to_status text not null,
  reason text,
  refused_at timestamptz not null default pg_catalog.now()
);
comment on table rowgate_webhooks.refused_move is 'Moves that an event asked for and that a row could not make.';
comment on column rowgate_webhooks.refused_move.event_id is 'The event that asked for the move; absent where a schedule did.';
comment on column rowgate_webhooks.refused_move.reason is 'Why the move was asked for.';
create index refused_move_refused_at_idx on rowgate_webhooks.refused_move (refused_at);
create index refused_move_row_id_idx on rowgate_webhooks.refused_move (row_id);

create function rowgate_webhooks.try_move(table_name text, row_id uuid, to_status text, event_id text, reason text)
  returns text
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      found_status text;
    begin
      -- People have no uuid; and no other table's name is to be reached from here.
      if $1 = 'user' or not exists (select from rowgate_webhooks.allowed_move m where m.table_name = $1) then
        raise exception 'rows of % have no moves', coalesce($1, 'no table') using errcode = 'invalid_parameter_value';
      end if;
      execute format('select t.status from public.%I t where t.id = $1 for no key update', $1)
        into found_status using $2;
      if found_status is null then return 'missing'; end if;
      if found_status = $3 then return 'same'; end if;
      if not exists (
        select from rowgate_webhooks.allowed_move m
        where m.table_name = $1 and m.from_status = found_status and m.to_status = $3)
      then
        insert into rowgate_webhooks.refused_move (event_id, table_name, row_id, from_status, to_status, reason)
          values ($4, $1, $2, found_status, $3, $5);
        return 'refused';
      end if;
      if $5 is not null and exists (
        select from pg_attribute a
        where a.attrelid = to_regclass(format('public.%I', $1)) and a.attname = 'status_reason' and not a.attisdropped)
      then
        execute format('update public.%I t set status = $2, status_reason = $3 where t.id = $1', $1) using $2, $3, $5;
      else
        execute format('update public.%I t set status = $2 where t.id = $1', $1) using $2, $3;
      end if;
      return 'moved';
    end
  $$;
comment on function rowgate_webhooks.try_move(text, uuid, text, text, text) is
  'Moves a row to a status, and stores the reason where its table has status_reason: moved, same (it is there already), missing, or refused (impossible from where it is; recorded in refused_move with the event, if there is one). Locks the row. Not for people.';

alter table public.asset_transaction add column counted_at timestamptz;
comment on column public.asset_transaction.counted_at is 'When it was added to the wallet''s balance, or taken off it; absent until then.';
-- The balances that are there have been reckoned with them.
update public.asset_transaction t set counted_at = coalesce(t.confirmed_at, t.updated_at) where t.status = 'confirmed';
create index asset_transaction_uncounted_idx on public.asset_transaction (digital_wallet_id)
  where status = 'confirmed' and counted_at is null;

create function rowgate_webhooks.newest_price(coin text) returns numeric
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select p.price from public.coin_price p
    where p.coin = $1 and p.currency = 'USD' order by p.quoted_at desc limit 1
  $$;
comment on function rowgate_webhooks.newest_price(text) is 'The newest price of a coin in US dollars; absent where there is none.';

create function rowgate_webhooks.worth(amount numeric, coin text) returns numeric
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select case when abs(p.value) < 1e18 - 1 then round(p.value, 2) end
    from (select $1 * rowgate_webhooks.newest_price($2)) p(value)
  $$;
comment on function rowgate_webhooks.worth(numeric, text) is
  'What so many coins are worth in US dollars at the newest price; absent where there is none, or where it is more than a column of US dollars holds.';

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
  'Adds a confirmed transaction to the balance of its wallet, or takes it off with its fee, once; values both at the newest price, if there is one; accounting is told where the balance falls below zero by it. Returns whether it did so now: not where the transaction is missing, not confirmed, counted before, or of another coin than the wallet.';

create function rowgate_webhooks.clean_effects() returns bigint
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      effects bigint;
      moves bigint;
    begin
      delete from rowgate_webhooks.done d where d.done_at < now() - interval '90 days';
      get diagnostics effects = row_count;
      delete from rowgate_webhooks.refused_move m where m.refused_at < now() - interval '90 days';
      get diagnostics moves = row_count;
      delete from rowgate_webhooks.left_wallet w where w.left_at < now() - interval '90 days';
      return effects + moves;
    end
  $$;
comment on function rowgate_webhooks.clean_effects() is
  'Forgets what was done and refused 90 days ago. Returns how many rows that were.';

revoke all on all functions in schema rowgate_webhooks from public;
