-- Days and times of an organization follow its time zone. Notifications and mails say what happened to what and of whom,
-- and write amounts in one way.

-- timezone() fails for a zone that Postgres does not know. Without the slash, it would also accept abbreviations, which
-- have no daylight-saving time.
alter table public.organization add column time_zone text not null default 'UTC'
  constraint organization_time_zone_check check (
    (time_zone = 'UTC' or time_zone ~ '^[A-Z][A-Za-z]+/[A-Za-z0-9_+/-]+$')
    and pg_catalog.timezone(time_zone, timestamp '2000-01-01 00:00:00') is not null);
comment on column public.organization.time_zone is 'Time zone of days and times in mails, reminders and documents, e.g. Europe/Zurich.';

create function rowgate_webhooks.today_of(organization_id uuid) returns date
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$ select (now() at time zone o.time_zone)::date from public.organization o where o.id = $1 $$;
comment on function rowgate_webhooks.today_of(uuid) is 'Returns the current day in the time zone of an organization.';

-- Documents and mails have the same symbols and decimals by default (en-GB).
create function rowgate_webhooks.money(amount numeric, unit text) returns text
  language sql immutable
  set search_path = pg_catalog, pg_temp
  as $$
    select case when $1 < 0 then '-' else '' end || case
        when s.symbol is not null then s.symbol || n.digits
        when c.is_currency then $2 || chr(160) || n.digits
        else n.digits || ' ' || $2 end
    from (values (trim_scale(abs($1)))) a (value),
      -- Other units are tickers of coins, which some currencies resemble.
      lateral (select $2 = any (string_to_array('AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP'
        || ' BYN BZD CAD CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD'
        || ' HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA'
        || ' MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF'
        || ' SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS'
        || ' VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW', ' ')) as is_currency) c,
      lateral (select case
          when not c.is_currency or $2 in ('AFN', 'ALL', 'BIF', 'CLP', 'COP', 'DJF', 'GNF', 'HUF', 'IDR', 'IRR', 'ISK', 'JPY', 'KMF', 'KPW',
            'KRW', 'LAK', 'LBP', 'MGA', 'MMK', 'PKR', 'PYG', 'RWF', 'SOS', 'SYP', 'UGX', 'VND', 'VUV', 'XAF', 'XOF', 'XPF', 'YER') then 0
          when $2 in ('BHD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') then 3
          else 2 end as usual) u,
      lateral (select regexp_replace(split_part(a.value::text, '.', 1), '(\d)(?=(\d{3})+$)', '\1,', 'g')
          || case when greatest(u.usual, scale(a.value)) > 0
            then '.' || rpad(split_part(a.value::text, '.', 2), greatest(u.usual, scale(a.value)), '0') else '' end as digits) n
      left join (values ('AUD', 'A$'), ('BRL', 'R$'), ('CAD', 'CA$'), ('CNY', 'CN¥'), ('EUR', '€'), ('GBP', '£'), ('HKD', 'HK$'),
        ('ILS', '₪'), ('INR', '₹'), ('JPY', 'JP¥'), ('KRW', '₩'), ('MXN', 'MX$'), ('NZD', 'NZ$'), ('PHP', '₱'), ('TWD', 'NT$'),
        ('USD', 'US$'), ('VND', '₫')) s (currency, symbol) on s.currency = $2;
  $$;
comment on function rowgate_webhooks.money(numeric, text) is
  'Formats an amount of a currency or a coin for people: US$1,200.00, CHF 5,400.00, 1.5 BTC. No digit is lost.';

create function rowgate_webhooks.card_status_text(status text) returns text
  language sql immutable
  set search_path = pg_catalog, pg_temp
  as $$
    select case $1
      when 'active' then 'It can be used again.'
      when 'frozen' then 'Payments with it are declined until you unfreeze it in the app of the card issuer.'
      when 'locked' then 'Payments with it are declined. Ask your administrator why.'
      when 'expired' then 'It can no longer be used.'
      when 'cancelled' then 'It can no longer be used. If you did not cancel it, tell your administrator.' end;
  $$;
comment on function rowgate_webhooks.card_status_text(text) is 'Returns what a status of a card means for its holder.';

create or replace function rowgate_webhooks.tell_of_deposit(request public.fiat_deposit_request) returns void
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
      body text := format('%s, reference %s', rowgate_webhooks.money($1.amount, $1.currency), $1.bank_reference);
    begin
      if title is null then return; end if;
      perform rowgate_webhooks.notify_owner($1.organization_id, coalesce($1.user_id, $1.created_by), 'transaction', title, body, null);
      if $1.status = 'submitted' then
        perform rowgate_webhooks.notify_role(null, 'accounting', 'transaction', 'A deposit waits for approval', body, null);
      end if;
    end
  $$;

create or replace function rowgate_webhooks.on_fiat_deposit_request_update(
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
            format('%s, reference %s', rowgate_webhooks.money(request.amount, request.currency), request.bank_reference), null);
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

create or replace function rowgate_webhooks.tell_of_withdrawal(request public.fiat_withdrawal_request) returns void
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
      body text := format('%s, reference %s', rowgate_webhooks.money($1.amount, $1.currency), $1.bank_reference);
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

create or replace function rowgate_webhooks.on_fiat_withdrawal_request_update(
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
            format('%s, reference %s', rowgate_webhooks.money(request.amount, request.currency), request.bank_reference), null);
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

create or replace function rowgate_webhooks.reopen_invoice(invoice public.invoice, payment public.invoice_payment, event_id text)
  returns jsonb
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      paid numeric;
      move text;
    begin
      perform rowgate_webhooks.try_move('receipt', r.id, 'void', $3, null)
        from public.receipt r where r.invoice_payment_id = $2.id and r.status = 'issued';
      select coalesce(sum(p.amount), 0) into paid from public.invoice_payment p
        where p.invoice_id = $1.id and p.status = 'confirmed' and p.currency = $1.currency;
      if $1.status = 'paid' and paid < $1.total then
        move := rowgate_webhooks.try_move('invoice', $1.id,
          case when $1.due_on < rowgate_webhooks.today_of($1.organization_id) then 'overdue' else 'issued' end, $3, null);
        update public.invoice i set paid_at = null where i.id = $1.id;
        perform rowgate_webhooks.notify_role(null, 'accounting', 'invoice', 'An invoice is open again',
          $1.invoice_number || ': a payment was refunded', null);
      end if;
      return jsonb_strip_nulls(jsonb_build_object('outcome', 'refunded', 'invoice', move));
    end
  $$;

create or replace function rowgate_webhooks.on_invoice_payment(event_id text, payment_id uuid) returns jsonb
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      invoice public.invoice;
      payment public.invoice_payment;
      paid numeric;
      paid_by timestamptz;
      outcome text;
      receipt_id uuid;
    begin
      -- Locking the invoice first processes the payments of one invoice one after the other.
      select i.* into invoice from public.invoice i join public.invoice_payment p on p.invoice_id = i.id
        where p.id = $2 for no key update of i;
      if not found then return jsonb_build_object('outcome', 'gone'); end if;
      select * into payment from public.invoice_payment p where p.id = $2 for no key update;
      if payment.status = 'refunded' then return rowgate_webhooks.reopen_invoice(invoice, payment, $1); end if;
      if payment.status <> 'confirmed' then return jsonb_build_object('outcome', payment.status); end if;
      select coalesce(sum(p.amount), 0), max(p.paid_at) into paid, paid_by from public.invoice_payment p
        where p.invoice_id = invoice.id and p.status = 'confirmed' and p.currency = invoice.currency;
      outcome := case when payment.currency <> invoice.currency then 'other_currency'
        when paid < invoice.total then 'partial' else 'paid' end;
      if outcome = 'paid' and rowgate_webhooks.try_move('invoice', invoice.id, 'paid', $1, null) = 'moved' then
        update public.invoice i set paid_at = paid_by where i.id = invoice.id;
        perform rowgate_webhooks.notify_role(invoice.organization_id, 'organization_admin', 'invoice',
          'An invoice is paid', invoice.invoice_number, '/invoices/' || invoice.id);
      elsif outcome = 'paid' and not exists (
        select from public.invoice i where i.id = invoice.id and i.status = 'paid')
      then
        outcome := 'refused';
      end if;
      if outcome = 'other_currency' then
        perform rowgate_webhooks.notify_role(null, 'accounting', 'invoice', 'A payment is in another currency than its invoice',
          format('%s: %s', invoice.invoice_number, rowgate_webhooks.money(payment.amount, payment.currency)), null);
      elsif outcome = 'refused' or paid > invoice.total then
        perform rowgate_webhooks.notify_role(null, 'accounting', 'invoice',
          case outcome when 'refused' then 'A payment is for an invoice that is not open' else 'An invoice is overpaid' end,
          format('%s (%s): %s of %s', invoice.invoice_number, invoice.status, rowgate_webhooks.money(paid, invoice.currency),
            rowgate_webhooks.money(invoice.total, invoice.currency)), null);
      end if;
      receipt_id := rowgate_webhooks.open_receipt(payment);
      return jsonb_strip_nulls(jsonb_build_object('outcome', outcome, 'receiptId', receipt_id,
        'letter', case when receipt_id is not null then (
          select jsonb_build_object('receiptId', r.id, 'receiptNumber', r.receipt_number, 'paymentId', payment.id,
            'invoiceNumber', invoice.invoice_number, 'organization', o.name, 'amount', payment.amount::text,
            'currency', payment.currency, 'paidAt', payment.paid_at, 'timeZone', o.time_zone, 'method', payment.method,
            'reference', payment.reference, 'total', invoice.total::text, 'invoiceCurrency', invoice.currency,
            'open', greatest(invoice.total - paid, 0)::text, 'to', array(
              select c.email from rowgate_webhooks.organization_contacts(invoice.organization_id) c))
          from public.receipt r join public.organization o on o.id = r.organization_id where r.id = receipt_id) end));
    end
  $$;

create or replace function rowgate_webhooks.remind_invoices(event_id text, past uuid, most integer) returns jsonb
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      due record;
      open numeric;
      stage integer;
      contacts jsonb;
      last uuid;
      moved integer := 0;
      letters jsonb := '[]';
    begin
      for due in
        select i.id, i.organization_id, i.invoice_number, i.total, i.currency, i.status, i.due_on, o.name,
          (now() at time zone o.time_zone)::date as today
        from public.invoice i
        join public.organization o on o.id = i.organization_id
        where i.status in ('issued', 'overdue') and i.due_on < (now() at time zone o.time_zone)::date and i.id > $2
        order by i.id
        limit $3
        for no key update of i
      loop
        last := due.id;
        select due.total - coalesce(sum(p.amount), 0) into open
          from public.invoice_payment p
          where p.invoice_id = due.id and p.status = 'confirmed' and p.currency = due.currency;
        -- Paid invoices are marked by the effect of the payment itself. Credits are not owed.
        continue when open <= 0;
        if due.status = 'issued'
          and rowgate_webhooks.try_move('invoice', due.id, 'overdue', $1, 'not paid by the due date') = 'moved'
        then
          moved := moved + 1;
        end if;
        stage := rowgate_webhooks.invoice_stage(due.today - due.due_on);
        select jsonb_agg(jsonb_build_object('email', c.email, 'name', c.full_name)) into contacts
          from rowgate_webhooks.organization_contacts(due.organization_id) c;
        -- The invoice may have a contact tomorrow, so no reminder is recorded.
        continue when contacts is null;
        continue when not rowgate_webhooks.begin_reminder(due.id, format('invoice/%s/%s', due.due_on, stage));
        update public.invoice i set reminded_at = now() where i.id = due.id;
        letters := letters || jsonb_build_object(
          'id', due.id, 'organization', due.name, 'number', due.invoice_number, 'total', due.total::text,
          'open', open::text, 'currency', due.currency, 'dueOn', due.due_on, 'days', due.today - due.due_on,
          'stage', stage, 'contacts', contacts);
      end loop;
      return jsonb_build_object('last', last, 'moved', moved, 'letters', letters);
    end
  $$;

create or replace function rowgate_webhooks.remind_cards(event_id text, past uuid, most integer) returns jsonb
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      today date;
      card record;
      stage text;
      last uuid;
      moved integer := 0;
      letters jsonb := '[]';
    begin
      for card in
        select c.id, c.user_id, c.label, c.last_four, c.brand, c.status, c.spending_limit, c.balance, c.currency,
          c.expires_on, u.email, u.full_name, u.status = 'active' as reachable,
          (now() at time zone o.time_zone)::date as today
        from public.card c
        join public."user" u on u.id = c.user_id
        join public.organization o on o.id = c.organization_id
        where c.status in ('active', 'frozen', 'locked', 'expired') and c.id > $2
          -- Cards that expired more than 30 days ago need no reminder.
          and (c.expires_on > (now() at time zone o.time_zone)::date - 30 or c.expires_on is null or c.status <> 'expired')
          and rowgate_webhooks.card_stages((now() at time zone o.time_zone)::date, c.expires_on, c.status, c.balance, c.spending_limit) <> '{}'
        order by c.id
        limit $3
        for no key update of c
      loop
        last := card.id;
        today := card.today;
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

create or replace function rowgate_webhooks.tell_of_spending(card_id uuid, said_at timestamptz) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      card public.card;
      zone text;
      month timestamp;
      spent numeric;
      stage integer;
      notified boolean := false;
      name text;
    begin
      select * into strict card from public.card c where c.id = $1;
      if coalesce(card.spending_limit, 0) = 0 then return; end if;
      select o.time_zone into strict zone from public.organization o where o.id = card.organization_id;
      month := date_trunc('month', $2 at time zone zone);
      select coalesce(sum(t.amount), 0) into spent from public.card_transaction t
        where t.card_id = card.id and t.currency = card.currency and t.status in ('authorized', 'settled')
          and t.occurred_at >= month at time zone zone and t.occurred_at < (month + interval '1 month') at time zone zone;
      name := format('card-limit/%s/%s/%s', card.id, to_char(month, 'YYYY-MM'), card.spending_limit);
      foreach stage in array array[100, 80] loop
        -- A payment that passes both limits leads to one notification.
        if spent * 100 >= card.spending_limit * stage and rowgate_webhooks.begin_effect(name, stage::text) and not notified then
          notified := true;
          perform rowgate_webhooks.notify(card.user_id, 'card',
            format('%s %% of the card''s monthly limit is spent', stage),
            format('%s: %s of %s', rowgate_webhooks.card_name(card.label, card.brand, card.last_four),
              rowgate_webhooks.money(spent, card.currency), rowgate_webhooks.money(card.spending_limit, card.currency)), null);
        end if;
      end loop;
    end
  $$;

create or replace function rowgate_webhooks.enter_payment(event_id uuid, card public.card, amount numeric, said_at timestamptz)
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
          format('%s, %s', coalesce(nullif(btrim(callback ->> 'merchantName'), ''), 'Unknown merchant'),
            rowgate_webhooks.money($3, callback ->> 'currency')), null);
      end if;
    end
  $$;

create or replace function rowgate_webhooks.apply_card_status(event_id uuid, card public.card, said_at timestamptz)
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
          concat_ws('. ', rowgate_webhooks.card_name(card.label, card.brand, card.last_four),
            rowgate_webhooks.card_status_text(new_status)), null);
      end if;
      return rowgate_webhooks.became('done', null);
    end
  $$;

create or replace function rowgate_webhooks.tell_of_transaction(moved public.asset_transaction, wallet public.digital_wallet)
  returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      amount text := rowgate_webhooks.money($1.amount, $1.coin);
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

create or replace function rowgate_webhooks.on_asset_transaction_insert(event_id text, transaction_id uuid, large_usd numeric)
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
          format('%s %s %s of %s, worth about %s. Transaction %s', rowgate_webhooks.money(moved.amount, moved.coin),
            case moved.direction when 'in' then 'into' else 'out of' end, coalesce(nullif(wallet.label, ''), 'a wallet'),
            coalesce((select u.full_name || ', ' || o.name from public."user" u where u.id = wallet.user_id), o.name),
            rowgate_webhooks.money(usd, 'USD'), moved.id), null)
          from public.organization o where o.id = moved.organization_id;
      end if;
      if moved.status = 'confirmed' and moved.counted_at is null then
        perform rowgate_webhooks.notify_role(null, 'digital_wallets_admin', 'transaction',
          'A transaction is of another coin than its wallet',
          format('%s in a wallet of %s', moved.coin, wallet.coin), null);
      end if;
      return jsonb_build_object('outcome', moved.status, 'counted', counted, 'large', large);
    end
  $$;

create or replace function rowgate_webhooks.warn_of_failures(user_id text, failed_at timestamptz) returns jsonb
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      person public."user";
      failures bigint;
    begin
      select * into strict person from public."user" u where u.id = $1;
      -- The largest number of failures within 15 minutes that include this one.
      select max(w.failures) into failures from (
        select count(*) over (order by e.occurred_at range between interval '15 minutes' preceding and current row) as failures
        from public.login_event e
        where e.user_id = $1 and e.kind = 'login_failed'
          and e.occurred_at between $2 - interval '15 minutes' and $2 + interval '15 minutes') w;
      if failures < 5 then return null; end if;
      -- At most one warning per hour, by the clock of this database.
      insert into rowgate_webhooks.login_warning as w (user_id, warned_at) values ($1, now())
        on conflict on constraint login_warning_pkey do update set warned_at = now() where w.warned_at <= now() - interval '1 hour';
      if not found then return null; end if;
      perform rowgate_webhooks.notify(person.id, 'security', 'Several attempts to sign in as you failed',
        'If it was not you, change your password.', null);
      perform rowgate_webhooks.notify_role(person.organization_id, 'client_user_admin', 'security',
        'Several attempts to sign in as one of your people failed', coalesce(person.full_name, person.email), null);
      if person.status <> 'active' then return null; end if;
      return jsonb_build_object('userId', person.id, 'email', person.email, 'name', person.full_name,
        'failures', failures, 'timeZone', (select o.time_zone from public.organization o where o.id = person.organization_id),
        'lastAt', to_char($2 at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'));
    end
  $$;

create or replace function rowgate_webhooks.on_user_insert(
  event_id text, user_id text, organization_id uuid, email text, coins text[]
) returns jsonb
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      person public."user";
      made integer;
    begin
      -- The user may have signed in since the event, which changes the id. The e-mail address finds the user then.
      select * into person from public."user" u
        where u.id = $2 or (u.organization_id = $3 and lower(u.email) = lower($4))
        order by u.id = $2 desc limit 1 for no key update;
      if not found then return jsonb_build_object('outcome', 'gone'); end if;
      if person.status <> 'active' then return jsonb_build_object('outcome', 'disabled'); end if;
      insert into public.digital_wallet (organization_id, user_id, label, coin, wallet_type, status)
        select person.organization_id, person.id, c.coin || ' wallet', c.coin, 'custodial', 'active'
        from unnest($5) with ordinality c(coin, place)
        where not exists (
          select from public.digital_wallet w where w.user_id = person.id and w.coin = c.coin)
        order by c.place;
      get diagnostics made = row_count;
      return jsonb_build_object('outcome', 'welcomed', 'wallets', made, 'letter', jsonb_build_object(
        'userId', person.id, 'email', person.email, 'fullName', person.full_name,
        'coins', coalesce((
            select jsonb_agg(w.coin order by w.created_at, w.coin) from public.digital_wallet w
            where w.user_id = person.id and w.status = 'active'), '[]'),
        -- A person without colleagues signed up alone. Their organization has no name that they know yet.
        'organization', (
          select o.name from public.organization o
          where o.id = person.organization_id and exists (
            select from public."user" u where u.organization_id = o.id and u.id <> person.id))));
    end
  $$;

revoke all on all functions in schema rowgate_webhooks from public;
