-- What the card issuer's callbacks do: payments, the balance of the card, what is spent of its limit, and the card's status.

create function rowgate_webhooks.tell_of_spending(card_id uuid, said_at timestamptz) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      card public.card;
      month timestamp := date_trunc('month', $2 at time zone 'UTC');
      spent numeric;
      stage integer;
      told boolean := false;
      name text;
    begin
      select * into strict card from public.card c where c.id = $1;
      if coalesce(card.spending_limit, 0) = 0 then return; end if;
      select coalesce(sum(t.amount), 0) into spent from public.card_transaction t
        where t.card_id = card.id and t.currency = card.currency and t.status in ('authorized', 'settled')
          and t.occurred_at >= month at time zone 'UTC' and t.occurred_at < (month + interval '1 month') at time zone 'UTC';
      name := format('card-limit/%s/%s/%s', card.id, to_char(month, 'YYYY-MM'), card.spending_limit);
      foreach stage in array array[100, 80] loop
        -- A payment that passes both is told of once.
        if spent * 100 >= card.spending_limit * stage and rowgate_webhooks.begin_effect(name, stage::text) and not told then
          told := true;
          perform rowgate_webhooks.notify(card.user_id, 'card',
            format('%s %% of the card''s monthly limit is spent', stage),
            format('%s of %s %s', spent, card.spending_limit, card.currency), null);
        end if;
      end loop;
    end
  $$;
comment on function rowgate_webhooks.tell_of_spending(uuid, timestamptz) is
  'Tells the holder of a card, once in a month, limit and stage, that 80 % or all of the limit is spent.';

create function rowgate_webhooks.find_payment(event_id uuid, card public.card, amount numeric, said_at timestamptz)
  returns public.card_transaction
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      said jsonb;
      found_payment public.card_transaction;
    begin
      select i.payload into strict said from rowgate_webhooks.inbox i where i.id = $1;
      if said ? 'transactionId' then
        select * into found_payment from public.card_transaction t
          where t.organization_id = card.organization_id and t.provider_transaction_id = said ->> 'transactionId'
          for no key update;
        return found_payment;
      end if;
      -- Without an id it is the oldest of this card and merchant, and of this amount, that the event can be about.
      select * into found_payment from public.card_transaction t
        where t.card_id = card.id and t.merchant_name = coalesce(nullif(btrim(said ->> 'merchantName'), ''), 'Unknown merchant')
          and t.amount = $3
          and t.currency = case when said ? 'billingAmount' then card.currency else said ->> 'currency' end
          and case upper(said ->> 'eventType')
            when 'TRANSACTION_AUTHORIZED' then
              -- Settled before it was authorized: the settlement came first.
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
  'The payment that a callback is about, by the issuer''s id or else by merchant and amount; null where there is none.';

create function rowgate_webhooks.enter_payment(event_id uuid, card public.card, amount numeric, said_at timestamptz)
  returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      said jsonb;
      status text;
    begin
      select i.payload, lower(substr(i.payload ->> 'eventType', length('TRANSACTION_') + 1))
        into strict said, status from rowgate_webhooks.inbox i where i.id = $1;
      insert into public.card_transaction (
          organization_id, card_id, merchant_name, merchant_category, amount, currency, status, decline_reason,
          provider_transaction_id, occurred_at, settled_at)
        values (
          card.organization_id, card.id, coalesce(nullif(btrim(said ->> 'merchantName'), ''), 'Unknown merchant'),
          substring(said ->> 'merchantCategory' from '^[0-9]{4}$'), $3,
          case when said ? 'billingAmount' then card.currency else said ->> 'currency' end, status,
          case when status = 'declined' then nullif(said ->> 'declineReason', '') end,
          said ->> 'transactionId', $4, case when status = 'settled' then $4 end);
      if status = 'declined' then
        perform rowgate_webhooks.notify(card.user_id, 'card', 'A card payment was declined',
          format('%s, %s %s', coalesce(nullif(btrim(said ->> 'merchantName'), ''), 'Unknown merchant'), $3, said ->> 'currency'), null);
      end if;
    end
  $$;
comment on function rowgate_webhooks.enter_payment(uuid, public.card, numeric, timestamptz) is
  'Enters a payment that nobody knew; the holder is told of one that was declined.';

create function rowgate_webhooks.apply_payment(event_id uuid, card public.card, said_at timestamptz)
  returns rowgate_webhooks.outcome
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      said jsonb;
      status text;
      amount numeric;
      known public.card_transaction;
      -- What the card has less than before.
      taken numeric := 0;
      currency text;
      moved text;
    begin
      select i.payload, lower(substr(i.payload ->> 'eventType', length('TRANSACTION_') + 1))
        into strict said, status from rowgate_webhooks.inbox i where i.id = $1;
      if status not in ('authorized', 'settled', 'declined', 'reversed') then
        return rowgate_webhooks.became('ignored', 'the event type is not known');
      end if;
      amount := coalesce(said ->> 'billingAmount', said ->> 'amount')::numeric;
      currency := case when said ? 'billingAmount' then card.currency else said ->> 'currency' end;
      if amount = 0 then return rowgate_webhooks.became('ignored', 'an amount of zero moves nothing'); end if;
      known := rowgate_webhooks.find_payment($1, card, amount, $3);
      if known.id is not null and (known.card_id <> card.id or known.currency <> currency) then
        return rowgate_webhooks.became('ignored', 'the transaction is one of another card, or in another currency');
      end if;

      if known.id is null then
        if status = 'reversed' and not said ? 'transactionId' then
          -- It is tried again: the payment may be on its way.
          raise exception 'there is no payment to reverse, as yet';
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
        moved := rowgate_webhooks.try_move('card_transaction', known.id, status, $1::text, 'the card issuer said so');
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
  'Enters, settles, reverses or declines a payment, and brings the balance of the card along.';

create function rowgate_webhooks.apply_card_status(event_id uuid, card public.card, said_at timestamptz)
  returns rowgate_webhooks.outcome
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      said text;
      wanted text;
      -- From where the issuer may do this; null: from wherever the table allows it.
      origin text;
      moved text;
    begin
      select upper(i.payload ->> 'eventType') into strict said from rowgate_webhooks.inbox i where i.id = $1;
      select m.wanted, m.origin into wanted, origin
        from (values
          ('CARD_ACTIVATED', 'active', 'draft'), ('CARD_FROZEN', 'frozen', 'active'), ('CARD_UNFROZEN', 'active', 'frozen'),
          ('CARD_LOCKED', 'locked', null), ('CARD_UNLOCKED', 'active', 'locked'), ('CARD_EXPIRED', 'expired', null),
          ('CARD_CANCELLED', 'cancelled', null), ('CARD_CANCELED', 'cancelled', null)) m(type, wanted, origin)
        where m.type = said;
      if not found then return rowgate_webhooks.became('ignored', 'the event type is not known'); end if;
      if not rowgate_webhooks.is_newest('card', card.id, $3) then
        return rowgate_webhooks.became('done', 'came late: the issuer has said something newer');
      end if;
      -- What the platform has locked is not the issuer's to unlock.
      if card.status <> wanted and (card.status <> origin or said = 'CARD_UNLOCKED' and not exists (
        select from rowgate_webhooks.last_heard h where h.subject = 'card lock' and h.row_id = card.id))
      then
        perform rowgate_webhooks.refuse_move('card', card.id, array[card.status, wanted], $1::text, said);
        moved := 'refused';
      else
        moved := rowgate_webhooks.try_move('card', card.id, wanted, $1::text, said);
      end if;
      if moved = 'refused' then
        return rowgate_webhooks.became('done', format('refused: a card that is %s cannot become %s by %s', card.status, wanted, said));
      elsif moved = 'moved' then
        delete from rowgate_webhooks.last_heard h where h.subject = 'card lock' and h.row_id = card.id;
        if wanted = 'locked' then perform rowgate_webhooks.is_newest('card lock', card.id, $3); end if;
        perform rowgate_webhooks.notify(card.user_id, 'card', format('Your card is %s', wanted),
          concat_ws(' ', card.label, '•••• ' || card.last_four), null);
      end if;
      return rowgate_webhooks.became('done', null);
    end
  $$;
comment on function rowgate_webhooks.apply_card_status(uuid, public.card, timestamptz) is
  'Brings a card to the status that the issuer says, where that may be, and tells its holder.';

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
        return rowgate_webhooks.became('ignored', 'no card has this cardId');
      end;
      if starts_with(upper(event.payload ->> 'eventType'), 'TRANSACTION_') then
        return rowgate_webhooks.apply_payment($1, card, said_at);
      end if;
      return rowgate_webhooks.apply_card_status($1, card, said_at);
    end
  $$;
comment on function rowgate_webhooks.apply_card(uuid) is 'Does what a callback of the card issuer says.';

revoke all on all functions in schema rowgate_webhooks from public;
