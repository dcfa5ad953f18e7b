-- Shared by the effects of all webhooks: each effect happens once, rows change only to an allowed status, and users are
-- notified.

create schema rowgate_webhooks;
revoke all on schema rowgate_webhooks from public;

create table rowgate_webhooks.done (
  event_id text not null,
  effect text not null,
  done_at timestamptz not null default pg_catalog.now(),
  primary key (event_id, effect)
);
comment on table rowgate_webhooks.done is 'Effects that have happened, by event, so that no effect happens twice.';
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
  'Returns true if the effect must happen in this transaction. Waits for a concurrent transaction that performs the same effect.';

create function rowgate_webhooks.is_done(event_id text, effect text) returns boolean
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select exists (select from rowgate_webhooks.done d where d.event_id = $1 and d.effect = $2);
  $$;
comment on function rowgate_webhooks.is_done(text, text) is 'Returns true if the effect of the event was committed.';

create table rowgate_webhooks.allowed_move (
  table_name text not null,
  from_status text not null,
  to_status text not null check (to_status <> from_status),
  primary key (table_name, from_status, to_status)
);
comment on table rowgate_webhooks.allowed_move is
  'Allowed changes of status, by table. All other changes are refused for every role.';

-- One line per status that a row can leave.
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

-- The function runs with the rights of its owner, because no role may read the table of moves. It runs after the
-- update, so that Postgres checks the role's right to write first.
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
comment on function rowgate_webhooks.check_move() is 'Refuses a change of status that is not allowed.';

-- The files of the other tables create the triggers of those tables.
create trigger check_move after update on public.organization for each row
  when (old.status is distinct from new.status) execute function rowgate_webhooks.check_move();
create trigger check_move after update on public."user" for each row
  when (old.status is distinct from new.status) execute function rowgate_webhooks.check_move();

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
comment on table rowgate_webhooks.refused_move is 'Changes of status that an event requested and that the row could not make.';
comment on column rowgate_webhooks.refused_move.event_id is 'The event that requested the change. Null for a schedule.';
comment on column rowgate_webhooks.refused_move.reason is 'Reason of the requested change.';
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
      -- Users have no uuid. The check also keeps callers from updating a table that has no moves.
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
  'Changes the status of a row, and stores the reason if the table has status_reason. Locks the row. Returns moved, same (the row already has the status), missing, or refused (recorded in refused_move). It does not accept the table of users.';

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
  'Deletes records of effects and refused moves older than 90 days. Returns how many.';

create function rowgate_webhooks.plain(amount numeric) returns text
  language sql immutable
  set search_path = pg_catalog, pg_temp
  as $$ select pg_catalog.trim_scale($1)::text $$;
comment on function rowgate_webhooks.plain(numeric) is 'Formats an amount without trailing zeros.';

create function rowgate_webhooks.stable_coins(currency text) returns text[]
  language sql immutable
  set search_path = pg_catalog, pg_temp
  as $$
    select case $1
        when 'USD' then array['USDC', 'USDT', 'USDP', 'PYUSD', 'DAI', 'TUSD']
        when 'EUR' then array['EURC', 'EURS', 'EURT']
        when 'GBP' then array['GBPT']
        when 'CHF' then array['XCHF']
        when 'SGD' then array['XSGD']
        else array[]::text[] end
  $$;
comment on function rowgate_webhooks.stable_coins(text) is 'Returns the stable coins of a currency. One coin is worth one unit of the currency.';

create function rowgate_webhooks.notify(user_id text, kind text, title text, body text, link text) returns void
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    insert into public.notification (organization_id, user_id, kind, title, body, link)
      select u.organization_id, u.id, $2, $3, coalesce($4, ''), $5
      from public."user" u where u.id = $1 and u.status = 'active';
  $$;
comment on function rowgate_webhooks.notify(text, text, text, text, text) is
  'Notifies a user. Does nothing if the user is deleted or disabled.';

create function rowgate_webhooks.notify_role(
  organization_id uuid, role text, kind text, title text, body text, link text
) returns void
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    insert into public.notification (organization_id, user_id, kind, title, body, link)
      select u.organization_id, u.id, $3, $4, coalesce($5, ''), $6
      from public."user" u
      join public.user_role r on r.user_id = u.id and r.role = $2
      where u.status = 'active' and u.organization_id = coalesce($1, u.organization_id)
      order by u.id;
  $$;
comment on function rowgate_webhooks.notify_role(uuid, text, text, text, text, text) is
  'Notifies all users of an organization with a role. Without an organization, notifies users of all organizations with the role.';

create function rowgate_webhooks.notify_owner(
  organization_id uuid, user_id text, kind text, title text, body text, link text
) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    begin
      if $2 is null then
        perform rowgate_webhooks.notify_role($1, 'organization_admin', $3, $4, $5, $6);
      else
        perform rowgate_webhooks.notify($2, $3, $4, $5, $6);
      end if;
    end
  $$;
comment on function rowgate_webhooks.notify_owner(uuid, text, text, text, text, text) is
  'Notifies the owner of a row. If the row has no owner, notifies the administrators of the organization.';

create function rowgate_webhooks.organization_contacts(organization_id uuid)
  returns table (email text, full_name text)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select c.email, c.full_name
    from (
      select u.email, u.full_name, rank() over (order by r.role = 'organization_admin' desc) as place
      from public."user" u
      join public.user_role r on r.user_id = u.id and r.role in ('organization_admin', 'accounting')
      where u.organization_id = $1 and u.status = 'active') c
    where c.place = 1
    order by c.email;
  $$;
comment on function rowgate_webhooks.organization_contacts(uuid) is
  'Returns the recipients of mail about invoices: the active administrators of the organization, or its accounting users if it has no administrator.';

create function rowgate_webhooks.business_days_after(day date, days integer) returns date
  language sql immutable
  set search_path = pg_catalog, pg_temp
  as $$
    select d.day::date
    from pg_catalog.generate_series($1 + 1, $1 + 14 + 2 * $2, interval '1 day') d(day)
    where pg_catalog.date_part('isodow', d.day) < 6
    order by d.day offset $2 - 1 limit 1
  $$;
comment on function rowgate_webhooks.business_days_after(date, integer) is
  'Returns the date that is the given number of business days later. Saturdays and Sundays are skipped, holidays are not.';

revoke all on all functions in schema rowgate_webhooks from public;
