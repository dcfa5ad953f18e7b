-- Reminders: of invoices that nobody paid in time, and of cards that end or run dry.

create table rowgate_webhooks.reminder (
  row_id uuid not null,
  stage text not null,
  reminded_at timestamptz not null default pg_catalog.now(),
  primary key (row_id, stage)
);
comment on table rowgate_webhooks.reminder is 'Of what somebody was reminded, so that it is not said twice.';
comment on column rowgate_webhooks.reminder.stage is 'How far it had come, with the day that it is about: a new day begins anew.';
create index reminder_reminded_at_idx on rowgate_webhooks.reminder (reminded_at);

create index invoice_unpaid_idx on public.invoice (id) where status in ('issued', 'overdue');
create index card_ending_idx on public.card (id) where status in ('active', 'frozen', 'locked', 'expired');

create function rowgate_webhooks.is_done(event_id text, effect text) returns boolean
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select exists (select from rowgate_webhooks.done d where d.event_id = $1 and d.effect = $2);
  $$;
comment on function rowgate_webhooks.is_done(text, text) is 'Whether an effect was done for an event, and committed.';

create function rowgate_webhooks.begin_reminder(row_id uuid, stage text) returns boolean
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    with begun as (
      insert into rowgate_webhooks.reminder (row_id, stage) values ($1, $2) on conflict do nothing returning true)
    select exists (select from begun);
  $$;
comment on function rowgate_webhooks.begin_reminder(uuid, text) is 'Whether somebody is still to be reminded, in the transaction that does so.';

create function rowgate_webhooks.invoice_stage(days_overdue integer) returns integer
  language sql immutable
  set search_path = pg_catalog, pg_temp
  as $$
    select max(s.day) from (values (1), (7), (14), (30)) s (day) where s.day <= $1;
  $$;
comment on function rowgate_webhooks.invoice_stage(integer) is 'The reminder that is due so many days after the last day to pay; null before the first.';

create function rowgate_webhooks.remind_invoices(event_id text, past uuid, most integer) returns jsonb
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      today constant date := (now() at time zone 'UTC')::date;
      due record;
      open numeric;
      stage integer;
      contacts jsonb;
      last uuid;
      moved integer := 0;
      letters jsonb := '[]';
    begin
      for due in
        select i.id, i.organization_id, i.invoice_number, i.total, i.currency, i.status, i.due_on, o.name
        from public.invoice i
        join public.organization o on o.id = i.organization_id
        where i.status in ('issued', 'overdue') and i.due_on < today and i.id > $2
        order by i.id
        limit $3
        for no key update of i
      loop
        last := due.id;
        select due.total - coalesce(sum(p.amount), 0) into open
          from public.invoice_payment p
          where p.invoice_id = due.id and p.status = 'confirmed' and p.currency = due.currency;
        -- What was paid is marked so by the payment's own effect; credits are owed by nobody.
        continue when open <= 0;
        if due.status = 'issued'
          and rowgate_webhooks.try_move('invoice', due.id, 'overdue', $1, 'nobody paid in time') = 'moved'
        then
          moved := moved + 1;
        end if;
        stage := rowgate_webhooks.invoice_stage(today - due.due_on);
        select jsonb_agg(jsonb_build_object('email', c.email, 'name', c.full_name)) into contacts
          from rowgate_webhooks.organization_contacts(due.organization_id) c;
        -- Where there is nobody to write to, there may be somebody tomorrow.
        continue when contacts is null;
        continue when not rowgate_webhooks.begin_reminder(due.id, format('invoice/%s/%s', due.due_on, stage));
        update public.invoice i set reminded_at = now() where i.id = due.id;
        letters := letters || jsonb_build_object(
          'id', due.id, 'organization', due.name, 'number', due.invoice_number, 'total', due.total::text,
          'open', open::text, 'currency', due.currency, 'dueOn', due.due_on, 'days', today - due.due_on,
          'stage', stage, 'contacts', contacts);
      end loop;
      return jsonb_build_object('last', last, 'moved', moved, 'letters', letters);
    end
  $$;
comment on function rowgate_webhooks.remind_invoices(text, uuid, integer) is
  'Takes the next invoices in the order of ids that were not paid by their last day, UTC: moves them to overdue, and returns for each whose next reminder is due what to write to whom: {last, moved, letters}; last is null where there are no more. Each reminder is returned once: on the first day, and 7, 14 and 30 days after the last day to pay.';

create function rowgate_webhooks.card_stages(
  today date, expires_on date, status text, balance numeric, spending_limit numeric
) returns text[]
  language sql immutable
  set search_path = pg_catalog, pg_temp
  as $$
    select array_remove(array[
      case
        when $2 < $1 then 'expired'
        when $2 - $1 <= 7 then 'expiry-7'
        when $2 - $1 <= 30 then 'expiry-30'
      end,
      case when $3 in ('active', 'frozen') and ($2 is null or $2 >= $1) and $4 < coalesce($5 / 10, 0) then 'balance' end
    ], null);
  $$;
comment on function rowgate_webhooks.card_stages(date, date, text, numeric, numeric) is
  'Of what the holder of a card is to know on a day: that it ends within 30 or 7 days or has ended, and that less than a tenth of its limit is left, or less than nothing where it has none.';

create function rowgate_webhooks.remind_cards(event_id text, past uuid, most integer) returns jsonb
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      today constant date := (now() at time zone 'UTC')::date;
      card record;
      stage text;
      last uuid;
      moved integer := 0;
      letters jsonb := '[]';
    begin
      for card in
        select c.id, c.user_id, c.label, c.last_four, c.brand, c.status, c.spending_limit, c.balance, c.currency,
          c.expires_on, u.email, u.full_name, u.status = 'active' as reachable
        from public.card c
        join public."user" u on u.id = c.user_id
        where c.status in ('active', 'frozen', 'locked', 'expired') and c.id > $2
          -- What ended before that is nobody's news.
          and (c.expires_on > today - 30 or c.expires_on is null or c.status <> 'expired')
          and rowgate_webhooks.card_stages(today, c.expires_on, c.status, c.balance, c.spending_limit) <> '{}'
        order by c.id
        limit $3
        for no key update of c
      loop
        last := card.id;
        if card.status <> 'expired' and card.expires_on < today
          and rowgate_webhooks.try_move('card', card.id, 'expired', $1, null) = 'moved'
        then
          moved := moved + 1;
        end if;
        continue when not card.reachable;
        foreach stage in array
          rowgate_webhooks.card_stages(today, card.expires_on, card.status, card.balance, card.spending_limit)
        loop
          continue when not rowgate_webhooks.begin_reminder(card.id, case stage
            when 'balance' then 'balance/' || to_char(today, 'YYYY-MM') else stage || '/' || card.expires_on end);
          update public.card c set reminded_at = now() where c.id = card.id;
          perform rowgate_webhooks.notify(card.user_id, 'card',
            case stage when 'balance' then 'Little is left on your card' when 'expired' then 'Your card has expired'
              else 'Your card expires soon' end,
            rowgate_webhooks.card_name(card.label, card.brand, card.last_four), null);
          letters := letters || jsonb_build_object(
            'id', card.id, 'stage', stage, 'card', rowgate_webhooks.card_name(card.label, card.brand, card.last_four),
            'expiresOn', card.expires_on, 'month', to_char(today, 'YYYY-MM'), 'balance', card.balance::text,
            'limit', card.spending_limit::text, 'currency', card.currency,
            'contacts', jsonb_build_array(jsonb_build_object('email', card.email, 'name', card.full_name)));
        end loop;
      end loop;
      return jsonb_build_object('last', last, 'moved', moved, 'letters', letters);
    end
  $$;
comment on function rowgate_webhooks.remind_cards(text, uuid, integer) is
  'Takes the next cards in the order of ids of which their holders are to know something: moves those that have ended to expired, tells the holders, and returns what to write to whom: {last, moved, letters}; last is null where there are no more. Each is returned once for each end, and once a month for what is left.';

create function rowgate_webhooks.card_name(label text, brand text, last_four text) returns text
  language sql immutable
  set search_path = pg_catalog, pg_temp
  as $$
    select coalesce(nullif($1, ''), initcap($2)) || coalesce(' ···· ' || $3, '');
  $$;
comment on function rowgate_webhooks.card_name(text, text, text) is 'What a holder knows a card by.';

create function rowgate_webhooks.clean_reminders(keep interval default interval '2 years') returns bigint
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    with deleted as (
      delete from rowgate_webhooks.reminder r
        where r.reminded_at < now() - $1
          and not exists (select from public.invoice i where i.id = r.row_id and i.status in ('issued', 'overdue'))
        returning true)
    select count(*) from deleted;
  $$;
comment on function rowgate_webhooks.clean_reminders(interval) is 'Forgets reminders of long ago, but for those of invoices that are still open. Returns how many.';

revoke all on all functions in schema rowgate_webhooks from public;
