-- What payments, deposits and withdrawals lead to.

create function rowgate_webhooks.open_receipt(payment public.invoice_payment) returns uuid
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      receipt_id uuid;
    begin
      insert into public.receipt (organization_id, invoice_payment_id, sent_to, sent_at)
        select $1.organization_id, $1.id, c.email, case when c.email is not null then now() end
        from (values (1)) once
        left join (select email from rowgate_webhooks.organization_contacts($1.organization_id) limit 1) c on true
        on conflict (organization_id, invoice_payment_id) do nothing
        returning id into receipt_id;
      return receipt_id;
    end
  $$;
comment on function rowgate_webhooks.open_receipt(public.invoice_payment) is
  'Makes the receipt of a payment, as sent to the first of those who get mail about invoices. Returns its id; null where there is one.';

create function rowgate_webhooks.reopen_invoice(invoice public.invoice, payment public.invoice_payment, event_id text)
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
          case when $1.due_on < (now() at time zone 'UTC')::date then 'overdue' else 'issued' end, $3, null);
        update public.invoice i set paid_at = null where i.id = $1.id;
        perform rowgate_webhooks.notify_role(null, 'accounting', 'invoice', 'An invoice is open again',
          $1.invoice_number || ': a payment was refunded', null);
      end if;
      return jsonb_strip_nulls(jsonb_build_object('outcome', 'refunded', 'invoice', move));
    end
  $$;
comment on function rowgate_webhooks.reopen_invoice(public.invoice, public.invoice_payment, text) is
  'Voids the receipt of a payment that was refunded, and opens the invoice again where the rest does not pay it.';

create function rowgate_webhooks.on_invoice_payment(event_id text, payment_id uuid) returns jsonb
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
      -- The invoice first: payments of one invoice are seen to one after the other.
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
          format('%s: %s %s', invoice.invoice_number, payment.amount, payment.currency), null);
      elsif outcome = 'refused' or paid > invoice.total then
        perform rowgate_webhooks.notify_role(null, 'accounting', 'invoice',
          case outcome when 'refused' then 'A payment is for an invoice that is not open' else 'An invoice is overpaid' end,
          format('%s (%s): %s of %s %s', invoice.invoice_number, invoice.status, paid, invoice.total, invoice.currency), null);
      end if;
      receipt_id := rowgate_webhooks.open_receipt(payment);
      return jsonb_strip_nulls(jsonb_build_object('outcome', outcome, 'receiptId', receipt_id,
        'letter', case when receipt_id is not null then (
          select jsonb_build_object('receiptId', r.id, 'receiptNumber', r.receipt_number, 'paymentId', payment.id,
            'invoiceNumber', invoice.invoice_number, 'organization', o.name, 'amount', payment.amount::text,
            'currency', payment.currency, 'paidAt', payment.paid_at, 'method', payment.method,
            'reference', payment.reference, 'total', invoice.total::text, 'invoiceCurrency', invoice.currency,
            'open', greatest(invoice.total - paid, 0)::text, 'to', array(
              select c.email from rowgate_webhooks.organization_contacts(invoice.organization_id) c))
          from public.receipt r join public.organization o on o.id = r.organization_id where r.id = receipt_id) end));
    end
  $$;
comment on function rowgate_webhooks.on_invoice_payment(text, uuid) is
  'What a payment leads to once it is confirmed: the invoice is paid where all of them together pay it (paid, partial), a receipt is made, once. Refunded: the receipt is void, the invoice open again.';

revoke all on all functions in schema rowgate_webhooks from public;
