-- Payment cards and their transactions, the callbacks of the card issuer, and reminders of cards that expire or have a
-- low balance.

-- A cardholder must not unlock a card that the platform locked. The cardholder's own block is therefore another status:
-- frozen.
create table public.card (
  id uuid primary key default pg_catalog.gen_random_uuid(),
  organization_id uuid not null
    default (rowgate_api.session_variable('organization_id'))::uuid
    references public.organization,
  user_id text not null,
  label text,
  last_four text check (last_four ~ '^[0-9]{4}$'),
  brand text not null default 'visa' check (brand in ('visa', 'mastercard')),
  status text not null default 'draft'
    check (status in ('draft', 'active', 'frozen', 'locked', 'expired', 'cancelled')),
  spending_limit numeric(20,2) check (spending_limit >= 0 and spending_limit <> 'NaN'),
  balance numeric(20,2) not null default 0 check (balance <> 'NaN'),
  currency text not null default 'USD' check (currency ~ '^[A-Z]{3}$'),
  expires_on date,
  reminded_at timestamptz,
  provider_card_id text check (provider_card_id <> ''),
  created_by text references public."user" on update cascade on delete set null,
  created_at timestamptz not null default pg_catalog.now(),
  updated_at timestamptz not null default pg_catalog.now(),
  foreign key (organization_id, user_id)
    references public."user" (organization_id, id) on update cascade,
  unique (organization_id, id),
  unique (organization_id, provider_card_id)
);
comment on table public.card is 'A payment card. Only the issuer stores the full card number.';
comment on column public.card.id is 'Id of the card.';
comment on column public.card.organization_id is 'The organization to which the card is issued.';
comment on column public.card.user_id is 'The cardholder.';
comment on column public.card.label is 'Display name of the card.';
comment on column public.card.last_four is 'Last four digits of the card number. Null until the card is issued.';
comment on column public.card.brand is 'visa or mastercard.';
comment on column public.card.status is 'draft (ordered, not issued) → active ⇄ frozen (by the cardholder). The platform or the issuer moves active or frozen → locked and back. expired and cancelled are final.';
comment on column public.card.spending_limit is 'Maximum spending per month, in the currency. Null: no limit.';
comment on column public.card.balance is 'Available amount, in the currency. Negative if more was spent.';
comment on column public.card.currency is 'Currency of balance and limit, as an ISO 4217 code.';
comment on column public.card.expires_on is 'Last day on which the card is valid.';
comment on column public.card.reminded_at is 'Time of the last reminder of the card''s expiry or balance.';
comment on column public.card.provider_card_id is 'Id of the card at the issuer, unique in an organization.';
comment on column public.card.created_by is 'User who ordered the card.';
comment on column public.card.created_at is 'Time at which the card was created.';
comment on column public.card.updated_at is 'Time of the last change of the row.';
create index card_organization_id_user_id_idx on public.card (organization_id, user_id);
create index card_user_id_idx on public.card (user_id);
create index card_organization_id_status_idx on public.card (organization_id, status);
create index card_provider_card_id_idx on public.card (provider_card_id);
create index card_created_by_idx on public.card (created_by);
create index card_ending_idx on public.card (id) where status in ('active', 'frozen', 'locked', 'expired');

create table public.card_transaction (
  id uuid primary key default pg_catalog.gen_random_uuid(),
  organization_id uuid not null
    default (rowgate_api.session_variable('organization_id'))::uuid
    references public.organization,
  card_id uuid not null,
  merchant_name text not null check (merchant_name <> ''),
  merchant_category text check (merchant_category ~ '^[0-9]{4}$'),
  amount numeric(20,2) not null check (amount > 0 and amount <> 'NaN'),
  currency text not null default 'USD' check (currency ~ '^[A-Z]{3}$'),
  status text not null default 'authorized'
    check (status in ('authorized', 'settled', 'declined', 'reversed')),
  decline_reason text,
  provider_transaction_id text check (provider_transaction_id <> ''),
  occurred_at timestamptz not null default pg_catalog.now(),
  settled_at timestamptz check (settled_at >= occurred_at),
  created_at timestamptz not null default pg_catalog.now(),
  updated_at timestamptz not null default pg_catalog.now(),
  foreign key (organization_id, card_id)
    references public.card (organization_id, id),
  unique (organization_id, provider_transaction_id)
);
comment on table public.card_transaction is 'An authorized, settled, reversed or declined card payment.';
comment on column public.card_transaction.id is 'Id of the transaction.';
comment on column public.card_transaction.organization_id is 'The organization to which the card is issued.';
comment on column public.card_transaction.card_id is 'The card of the payment.';
comment on column public.card_transaction.merchant_name is 'Name of the merchant.';
comment on column public.card_transaction.merchant_category is 'Merchant category code, as in ISO 18245.';
comment on column public.card_transaction.amount is 'Amount, in the currency.';
comment on column public.card_transaction.currency is 'Currency of the amount, as an ISO 4217 code.';
comment on column public.card_transaction.status is 'authorized → settled or reversed. settled → reversed for a refund. declined is an initial status.';
comment on column public.card_transaction.decline_reason is 'Reason of the decline.';
comment on column public.card_transaction.provider_transaction_id is 'Id of the transaction at the issuer, unique in an organization.';
comment on column public.card_transaction.occurred_at is 'Time at which the card was used.';
comment on column public.card_transaction.settled_at is 'Time of the settlement.';
comment on column public.card_transaction.created_at is 'Time at which the transaction was stored.';
comment on column public.card_transaction.updated_at is 'Time of the last change of the row.';
create index card_transaction_organization_id_card_id_idx on public.card_transaction (organization_id, card_id);
create index card_transaction_organization_id_status_idx on public.card_transaction (organization_id, status);
create index card_transaction_card_id_occurred_at_idx on public.card_transaction (card_id, occurred_at);

create trigger touch_updated_at before update on public.card
  for each row execute function public.touch_updated_at();
create trigger note_link after insert or update of provider_card_id on public.card
  for each row when (new.provider_card_id is not null)
  execute function rowgate_webhooks.note_link('card', 'provider_card_id');
create trigger check_move after update on public.card for each row
  when (old.status is distinct from new.status) execute function rowgate_webhooks.check_move();
create trigger touch_updated_at before update on public.card_transaction
  for each row execute function public.touch_updated_at();
create trigger check_move after update on public.card_transaction for each row
  when (old.status is distinct from new.status) execute function rowgate_webhooks.check_move();

create function rowgate_webhooks.card_name(label text, brand text, last_four text) returns text
  language sql immutable
  set search_path = pg_catalog, pg_temp
  as $$
    select coalesce(nullif($1, ''), initcap($2)) || coalesce(' ···· ' || $3, '');
  $$;
comment on function rowgate_webhooks.card_name(text, text, text) is 'Returns the card''s display name for the cardholder.';

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
  'Returns the reminders due for a card on a day: expiry within 30 or 7 days, expired, and a balance below a tenth of the limit, or below zero without a limit.';

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
          -- Cards that expired more than 30 days ago need no reminder.
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
  'Processes the next cards with due reminders, in order of id. Sets expired cards to expired, notifies the cardholders, and returns the data of the mails: {last, moved, letters}. last is null at the end. Each reminder of an expiry is returned once per expiry date, and of a low balance once a month.';

create function rowgate_webhooks.tell_of_spending(card_id uuid, said_at timestamptz) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      card public.card;
      month timestamp := date_trunc('month', $2 at time zone 'UTC');
      spent numeric;
      stage integer;
      notified boolean := false;
      name text;
    begin
      select * into strict card from public.card c where c.id = $1;
      if coalesce(card.spending_limit, 0) = 0 then return; end if;
      select coalesce(sum(t.amount), 0) into spent from public.card_transaction t
        where t.card_id = card.id and t.currency = card.currency and t.status in ('authorized', 'settled')
          and t.occurred_at >= month at time zone 'UTC' and t.occurred_at < (month + interval '1 month') at time zone 'UTC';
      name := format('card-limit/%s/%s/%s', card.id, to_char(month, 'YYYY-MM'), card.spending_limit);
      foreach stage in array array[100, 80] loop
        -- A payment that passes both limits leads to one notification.
        if spent * 100 >= card.spending_limit * stage and rowgate_webhooks.begin_effect(name, stage::text) and not notified then
          notified := true;
          perform rowgate_webhooks.notify(card.user_id, 'card',
            format('%s %% of the card''s monthly limit is spent', stage),
            format('%s of %s %s', spent, card.spending_limit, card.currency), null);
        end if;
      end loop;
    end
  $$;
comment on function rowgate_webhooks.tell_of_spending(uuid, timestamptz) is
  'Notifies the cardholder that 80 % or all of the monthly limit is spent, once per month, limit and stage.';

create function rowgate_webhooks.find_payment(event_id uuid, card public.card, amount numeric, said_at timestamptz)
  returns public.card_transaction
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      callback jsonb;
      found_payment public.card_transaction;
    begin
      select i.payload into strict callback from rowgate_webhooks.inbox i where i.id = $1;
      if callback ? 'transactionId' then
        select * into found_payment from public.card_transaction t
          where t.organization_id = card.organization_id and t.provider_transaction_id = callback ->> 'transactionId'
          for no key update;
        return found_payment;
      end if;
      -- Without a transaction id, the event concerns the oldest matching payment of the card with the same merchant and
      -- amount.
      select * into found_payment from public.card_transaction t
        where t.card_id = card.id and t.merchant_name = coalesce(nullif(btrim(callback ->> 'merchantName'), ''), 'Unknown merchant')
          and t.amount = $3
          and t.currency = case when callback ? 'billingAmount' then card.currency else callback ->> 'currency' end
          and case upper(callback ->> 'eventType')
            when 'TRANSACTION_AUTHORIZED' then
              -- The settlement can arrive before the authorization. Such a payment was entered with equal times.
              t.status = 'settled' and t.settled_at = t.occurred_at and t.occurred_at >= $4 and t.provider_transaction_id is null
            when 'TRANSACTION_SETTLED' then t.status = 'authorized'
            when 'TRANSACTION_REVERSED' then t.status in ('authorized', 'settled')
            else false end
        order by t.occurred_at, t.id limit 1
        for no key update;
      return found_payment;
    end
  $$;
comment on function rowgate_webhooks.find_payment(uuid, public.card, numeric, timestamptz) is
  'Returns the payment that a callback concerns, by the issuer''s id or else by merchant and amount. Returns null if there is none.';

create function rowgate_webhooks.enter_payment(event_id uuid, card public.card, amount numeric, said_at timestamptz)
  returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      callback jsonb;
      status text;
    begin
      select i.payload, lower(substr(i.payload ->> 'eventType', length('TRANSACTION_') + 1))
        into strict callback, status from rowgate_webhooks.inbox i where i.id = $1;
      insert into public.card_transaction (
          organization_id, card_id, merchant_name, merchant_category, amount, currency, status, decline_reason,
          provider_transaction_id, occurred_at, settled_at)
        values (
          card.organization_id, card.id, coalesce(nullif(btrim(callback ->> 'merchantName'), ''), 'Unknown merchant'),
          substring(callback ->> 'merchantCategory' from '^[0-9]{4}$'), $3,
          case when callback ? 'billingAmount' then card.currency else callback ->> 'currency' end, status,
          case when status = 'declined' then nullif(callback ->> 'declineReason', '') end,
          callback ->> 'transactionId', $4, case when status = 'settled' then $4 end);
      if status = 'declined' then
        perform rowgate_webhooks.notify(card.user_id, 'card', 'A card payment was declined',
          format('%s, %s %s', coalesce(nullif(btrim(callback ->> 'merchantName'), ''), 'Unknown merchant'), $3, callback ->> 'currency'), null);
      end if;
    end
  $$;
comment on function rowgate_webhooks.enter_payment(uuid, public.card, numeric, timestamptz) is
  'Creates a payment that was not known before. Notifies the cardholder of a declined payment.';

create function rowgate_webhooks.apply_payment(event_id uuid, card public.card, said_at timestamptz)
  returns rowgate_webhooks.outcome
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      callback jsonb;
      status text;
      amount numeric;
      known public.card_transaction;
      -- The amount by which the card's balance decreases.
      taken numeric := 0;
      currency text;
      moved text;
    begin
      select i.payload, lower(substr(i.payload ->> 'eventType', length('TRANSACTION_') + 1))
        into strict callback, status from rowgate_webhooks.inbox i where i.id = $1;
      if status not in ('authorized', 'settled', 'declined', 'reversed') then
        return rowgate_webhooks.became('ignored', 'the event type is not known');
      end if;
      amount := coalesce(callback ->> 'billingAmount', callback ->> 'amount')::numeric;
      currency := case when callback ? 'billingAmount' then card.currency else callback ->> 'currency' end;
      if amount = 0 then return rowgate_webhooks.became('ignored', 'an amount of zero moves nothing'); end if;
      known := rowgate_webhooks.find_payment($1, card, amount, $3);
      if known.id is not null and (known.card_id <> card.id or known.currency <> currency) then
        return rowgate_webhooks.became('ignored', 'the transaction is one of another card, or in another currency');
      end if;

      if known.id is null then
        if status = 'reversed' and not callback ? 'transactionId' then
          -- The exception lets the worker try again later, because the callback of the payment may still arrive.
          raise exception 'there is no payment to reverse yet';
        end if;
        perform rowgate_webhooks.enter_payment($1, card, amount, $3);
        if status in ('authorized', 'settled') then taken := amount; end if;
      elsif status = 'authorized' and known.status <> 'declined' then
        update public.card_transaction t set occurred_at = least(t.occurred_at, $3) where t.id = known.id;
        return rowgate_webhooks.became('done', format('came late: the payment is %s', known.status));
      elsif status = 'settled' and known.status = 'reversed' then
        return rowgate_webhooks.became('done', 'came late: the payment is reversed');
      elsif status = 'reversed' and amount < known.amount and known.status in ('authorized', 'settled') then
        taken := -amount;
        update public.card_transaction t set amount = known.amount + taken where t.id = known.id;
      else
        moved := rowgate_webhooks.try_move('card_transaction', known.id, status, $1::text, 'reported by the card issuer');
        if moved = 'refused' then
          return rowgate_webhooks.became('done', format('refused: a payment that is %s cannot become %s', known.status, status));
        elsif moved = 'moved' and status = 'settled' then
          taken := amount - known.amount;
          update public.card_transaction t set amount = known.amount + taken, settled_at = greatest(t.occurred_at, $3)
            where t.id = known.id;
        elsif moved = 'moved' and status = 'reversed' then
          taken := -known.amount;
        end if;
      end if;

      if currency <> card.currency then
        return rowgate_webhooks.became('done', 'in another currency than the card, and without billingAmount: the balance stays');
      end if;
      update public.card c set balance = c.balance - taken where c.id = card.id and taken <> 0;
      if taken > 0 then perform rowgate_webhooks.tell_of_spending(card.id, $3); end if;
      return rowgate_webhooks.became('done', null);
    end
  $$;
comment on function rowgate_webhooks.apply_payment(uuid, public.card, timestamptz) is
  'Creates, settles, reverses or declines a payment, and updates the card''s balance.';

create function rowgate_webhooks.apply_card_status(event_id uuid, card public.card, said_at timestamptz)
  returns rowgate_webhooks.outcome
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      event_type text;
      new_status text;
      -- The status that the card must have for this event. Null: any status from which the table allows the change.
      origin text;
      moved text;
    begin
      select upper(i.payload ->> 'eventType') into strict event_type from rowgate_webhooks.inbox i where i.id = $1;
      select m.new_status, m.origin into new_status, origin
        from (values
          ('CARD_ACTIVATED', 'active', 'draft'), ('CARD_FROZEN', 'frozen', 'active'), ('CARD_UNFROZEN', 'active', 'frozen'),
          ('CARD_LOCKED', 'locked', null), ('CARD_UNLOCKED', 'active', 'locked'), ('CARD_EXPIRED', 'expired', null),
          ('CARD_CANCELLED', 'cancelled', null), ('CARD_CANCELED', 'cancelled', null)) m(type, new_status, origin)
        where m.type = event_type;
      if not found then return rowgate_webhooks.became('ignored', 'the event type is not known'); end if;
      if not rowgate_webhooks.is_newest('card', card.id, $3) then
        return rowgate_webhooks.became('done', 'came late: the issuer has reported a newer event');
      end if;
      -- The issuer must not unlock a card that the platform locked.
      if card.status <> new_status and (card.status <> origin or event_type = 'CARD_UNLOCKED' and not exists (
        select from rowgate_webhooks.last_heard h where h.subject = 'card lock' and h.row_id = card.id))
      then
        perform rowgate_webhooks.refuse_move('card', card.id, array[card.status, new_status], $1::text, event_type);
        moved := 'refused';
      else
        moved := rowgate_webhooks.try_move('card', card.id, new_status, $1::text, event_type);
      end if;
      if moved = 'refused' then
        return rowgate_webhooks.became('done', format('refused: a card that is %s cannot become %s by %s', card.status, new_status, event_type));
      elsif moved = 'moved' then
        delete from rowgate_webhooks.last_heard h where h.subject = 'card lock' and h.row_id = card.id;
        if new_status = 'locked' then perform rowgate_webhooks.is_newest('card lock', card.id, $3); end if;
        perform rowgate_webhooks.notify(card.user_id, 'card', format('Your card is %s', new_status),
          concat_ws(' ', card.label, '•••• ' || card.last_four), null);
      end if;
      return rowgate_webhooks.became('done', null);
    end
  $$;
comment on function rowgate_webhooks.apply_card_status(uuid, public.card, timestamptz) is
  'Applies a status change of the issuer to a card if it is allowed, and notifies the cardholder.';

create function rowgate_webhooks.apply_card(event_id uuid) returns rowgate_webhooks.outcome
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      event rowgate_webhooks.inbox;
      card public.card;
      said_at timestamptz;
    begin
      select * into strict event from rowgate_webhooks.inbox i where i.id = $1;
      said_at := least(rowgate_webhooks.moment(event.payload ->> 'timestamp'), event.received_at);
      begin
        select * into strict card from public.card c
          where c.provider_card_id = event.payload ->> 'cardId' for no key update;
      exception when no_data_found then
        return rowgate_webhooks.unmatched($1, 'card/' || (event.payload ->> 'cardId'), 'no card has this cardId');
      end;
      if starts_with(upper(event.payload ->> 'eventType'), 'TRANSACTION_') then
        return rowgate_webhooks.apply_payment($1, card, said_at);
      end if;
      return rowgate_webhooks.apply_card_status($1, card, said_at);
    end
  $$;
comment on function rowgate_webhooks.apply_card(uuid) is 'Processes a callback of the card issuer.';

revoke all on all functions in schema rowgate_webhooks from public;
