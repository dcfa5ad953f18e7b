-- The product catalog, invoices of the platform to organizations, their payments and receipts, and payment reminders.

create table public.product (
  code text primary key check (code ~ '^[A-Z0-9][A-Z0-9-]{1,30}$'),
  name text not null check (name <> ''),
  description text,
  category text not null default 'service'
    check (category in ('custody', 'trading', 'funds', 'cards', 'compliance', 'service')),
  unit text not null default 'month' check (unit in ('month', 'year', 'transaction', 'hour', 'item')),
  price numeric(20,2) not null check (price >= 0 and price <> 'NaN'),
  currency text not null default 'USD' check (currency ~ '^[A-Z]{3}$'),
  active boolean not null default true,
  created_at timestamptz not null default pg_catalog.now(),
  updated_at timestamptz not null default pg_catalog.now()
);
comment on table public.product is 'The product catalog, the same for every organization.';
comment on column public.product.code is 'Product code on invoices and in the catalog, e.g. CUSTODY-M.';
comment on column public.product.name is 'The name of the product.';
comment on column public.product.description is 'Description for clients.';
comment on column public.product.category is 'custody, trading, funds, cards, compliance or service.';
comment on column public.product.unit is 'Unit of sale: month, year, transaction, hour or item.';
comment on column public.product.price is 'Price of one unit before tax, in the currency.';
comment on column public.product.currency is 'Currency of the price, as an ISO 4217 code.';
comment on column public.product.active is 'True if the product is on sale. Other products stay for the invoices that name them.';
comment on column public.product.created_at is 'Time at which the product was created.';
comment on column public.product.updated_at is 'Time of the last change of the row.';

create table public.invoice (
  id uuid primary key default pg_catalog.gen_random_uuid(),
  organization_id uuid not null
    default (rowgate_api.session_variable('organization_id'))::uuid
    references public.organization,
  invoice_number text not null default ('INV-' || pg_catalog.gen_random_uuid())
    check (invoice_number <> ''),
  total numeric(20,2) not null default 0,
  currency text not null default 'USD' check (currency ~ '^[A-Z]{3}$'),
  status text not null default 'draft'
    check (status in ('draft', 'issued', 'paid', 'overdue', 'void')),
  issued_on date,
  due_on date check (due_on >= issued_on),
  paid_at timestamptz,
  internal_notes text,
  cost_breakdown jsonb not null default '{}',
  created_by text references public."user" on update cascade on delete set null,
  created_at timestamptz not null default pg_catalog.now(),
  updated_at timestamptz not null default pg_catalog.now(),
  reminded_at timestamptz,
  unique (organization_id, invoice_number),
  unique (organization_id, id),
  constraint invoice_number_check check (total <> 'NaN')
);
comment on table public.invoice is 'An invoice of the platform to an organization.';
comment on column public.invoice.id is 'Id of the invoice.';
comment on column public.invoice.organization_id is 'The organization that is billed.';
comment on column public.invoice.invoice_number is 'Number printed on the invoice, unique in an organization.';
comment on column public.invoice.total is 'Amount to pay including tax, in the currency. Negative for a credit.';
comment on column public.invoice.currency is 'Currency of the total, as an ISO 4217 code.';
comment on column public.invoice.status is 'draft → issued → paid, or issued → overdue → paid. paid → issued or overdue if a payment is refunded. void is possible before paid.';
comment on column public.invoice.issued_on is 'Date printed on the invoice.';
comment on column public.invoice.due_on is 'Last day of payment.';
comment on column public.invoice.paid_at is 'Time at which the invoice was paid in full.';
comment on column public.invoice.internal_notes is 'Internal notes of the platform''s staff. Clients must not see them.';
comment on column public.invoice.cost_breakdown is 'Costs of the platform for the service, by kind of cost, in the currency.';
comment on column public.invoice.created_by is 'User who created the invoice.';
comment on column public.invoice.created_at is 'Time at which the invoice was created.';
comment on column public.invoice.updated_at is 'Time of the last change of the row.';
comment on column public.invoice.reminded_at is 'Time of the last payment reminder.';
create index invoice_organization_id_status_idx on public.invoice (organization_id, status);
create index invoice_created_by_idx on public.invoice (created_by);
create index invoice_unpaid_idx on public.invoice (id) where status in ('issued', 'overdue');

create table public.invoice_line (
  id uuid primary key default pg_catalog.gen_random_uuid(),
  organization_id uuid not null
    default (rowgate_api.session_variable('organization_id'))::uuid
    references public.organization,
  invoice_id uuid not null,
  position integer not null default 1 check (position > 0),
  product_code text references public.product,
  description text not null check (description <> ''),
  quantity numeric(20,6) not null default 1 check (quantity > 0 and quantity <> 'NaN'),
  unit_price numeric(20,2) not null default 0 check (unit_price <> 'NaN'),
  tax_rate numeric(5,2) not null default 0 check (tax_rate between 0 and 100),
  amount numeric(20,2) not null
    generated always as (pg_catalog.round(quantity * unit_price, 2)) stored,
  tax_amount numeric(20,2) not null
    generated always as
      (pg_catalog.round(pg_catalog.round(quantity * unit_price, 2) * tax_rate / 100, 2)) stored,
  created_by text references public."user" on update cascade on delete set null,
  created_at timestamptz not null default pg_catalog.now(),
  updated_at timestamptz not null default pg_catalog.now(),
  foreign key (organization_id, invoice_id)
    references public.invoice (organization_id, id) on delete cascade,
  unique (organization_id, invoice_id, position)
);
comment on table public.invoice_line is 'One position of an invoice, in the invoice''s currency.';
comment on column public.invoice_line.id is 'Id of the line.';
comment on column public.invoice_line.organization_id is 'The organization that is billed.';
comment on column public.invoice_line.invoice_id is 'The invoice of the line.';
comment on column public.invoice_line.position is 'Position on the invoice, starting at 1.';
comment on column public.invoice_line.product_code is 'The catalog product that is billed. Null if the line bills no product.';
comment on column public.invoice_line.description is 'Text of the line on the printed invoice.';
comment on column public.invoice_line.quantity is 'Number of units.';
comment on column public.invoice_line.unit_price is 'Price of one unit before tax. Negative for a credit.';
comment on column public.invoice_line.tax_rate is 'Tax rate in percent.';
comment on column public.invoice_line.amount is 'Amount of the line before tax.';
comment on column public.invoice_line.tax_amount is 'Tax of the line.';
comment on column public.invoice_line.created_by is 'User who created the line.';
comment on column public.invoice_line.created_at is 'Time at which the line was created.';
comment on column public.invoice_line.updated_at is 'Time of the last change of the row.';
create index invoice_line_invoice_id_idx on public.invoice_line (invoice_id);
create index invoice_line_product_code_idx on public.invoice_line (product_code);
create index invoice_line_created_by_idx on public.invoice_line (created_by);

create table public.invoice_payment (
  id uuid primary key default pg_catalog.gen_random_uuid(),
  organization_id uuid not null
    default (rowgate_api.session_variable('organization_id'))::uuid
    references public.organization,
  invoice_id uuid not null,
  amount numeric(20,2) not null check (amount > 0 and amount <> 'NaN'),
  currency text not null default 'USD' check (currency ~ '^[A-Z]{3}$'),
  method text not null default 'bank_transfer'
    check (method in ('bank_transfer', 'card', 'coin', 'offset')),
  reference text check (reference <> ''),
  status text not null default 'pending'
    check (status in ('pending', 'confirmed', 'failed', 'refunded')),
  paid_at timestamptz not null default pg_catalog.now(),
  created_by text references public."user" on update cascade on delete set null,
  created_at timestamptz not null default pg_catalog.now(),
  updated_at timestamptz not null default pg_catalog.now(),
  foreign key (organization_id, invoice_id)
    references public.invoice (organization_id, id),
  unique (organization_id, id),
  unique (organization_id, reference)
);
comment on table public.invoice_payment is 'A full or partial payment of an invoice.';
comment on column public.invoice_payment.id is 'Id of the payment.';
comment on column public.invoice_payment.organization_id is 'The organization that pays.';
comment on column public.invoice_payment.invoice_id is 'The invoice that is paid.';
comment on column public.invoice_payment.amount is 'Amount, in the currency.';
comment on column public.invoice_payment.currency is 'Currency of the amount, as an ISO 4217 code.';
comment on column public.invoice_payment.method is 'bank_transfer, card, coin, or offset (against a credit).';
comment on column public.invoice_payment.reference is 'Reference at the bank or payment provider, unique in an organization.';
comment on column public.invoice_payment.status is 'pending → confirmed → refunded, or pending → failed. Only confirmed payments count towards the invoice.';
comment on column public.invoice_payment.paid_at is 'Time at which the money arrived.';
comment on column public.invoice_payment.created_by is 'User who created the payment. Null if the platform created it.';
comment on column public.invoice_payment.created_at is 'Time at which the payment was created.';
comment on column public.invoice_payment.updated_at is 'Time of the last change of the row.';
create index invoice_payment_organization_id_invoice_id_idx on public.invoice_payment (organization_id, invoice_id);
create index invoice_payment_invoice_id_idx on public.invoice_payment (invoice_id);
create index invoice_payment_organization_id_status_idx on public.invoice_payment (organization_id, status);
create index invoice_payment_created_by_idx on public.invoice_payment (created_by);

create table public.receipt (
  id uuid primary key default pg_catalog.gen_random_uuid(),
  organization_id uuid not null
    default (rowgate_api.session_variable('organization_id'))::uuid
    references public.organization,
  invoice_payment_id uuid not null,
  receipt_number text not null default ('REC-' || pg_catalog.gen_random_uuid())
    check (receipt_number <> ''),
  status text not null default 'issued'
    check (status in ('issued', 'void')),
  issued_at timestamptz not null default pg_catalog.now(),
  sent_to text check (sent_to ~ '^[^@[:space:]]+@[^@[:space:]]+$'),
  sent_at timestamptz,
  created_at timestamptz not null default pg_catalog.now(),
  updated_at timestamptz not null default pg_catalog.now(),
  foreign key (organization_id, invoice_payment_id)
    references public.invoice_payment (organization_id, id),
  unique (organization_id, receipt_number),
  unique (organization_id, invoice_payment_id)
);
comment on table public.receipt is 'A receipt of the platform for a payment.';
comment on column public.receipt.id is 'Id of the receipt.';
comment on column public.receipt.organization_id is 'The organization that paid.';
comment on column public.receipt.invoice_payment_id is 'The payment that the receipt confirms.';
comment on column public.receipt.receipt_number is 'Number printed on the receipt, unique in an organization.';
comment on column public.receipt.status is 'issued, or void if the payment was refunded.';
comment on column public.receipt.issued_at is 'Time printed on the receipt.';
comment on column public.receipt.sent_to is 'E-mail address to which the receipt was sent.';
comment on column public.receipt.sent_at is 'Time at which the receipt was sent. Null until then.';
comment on column public.receipt.created_at is 'Time at which the receipt was created.';
comment on column public.receipt.updated_at is 'Time of the last change of the row.';

create trigger touch_updated_at before update on public.product
  for each row execute function public.touch_updated_at();
create trigger touch_updated_at before update on public.invoice
  for each row execute function public.touch_updated_at();
create trigger check_move after update on public.invoice for each row
  when (old.status is distinct from new.status) execute function rowgate_webhooks.check_move();
create trigger touch_updated_at before update on public.invoice_line
  for each row execute function public.touch_updated_at();
create trigger touch_updated_at before update on public.invoice_payment
  for each row execute function public.touch_updated_at();
create trigger check_move after update on public.invoice_payment for each row
  when (old.status is distinct from new.status) execute function rowgate_webhooks.check_move();
create trigger touch_updated_at before update on public.receipt
  for each row execute function public.touch_updated_at();
create trigger check_move after update on public.receipt for each row
  when (old.status is distinct from new.status) execute function rowgate_webhooks.check_move();

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
  'Creates the receipt of a payment and records the first invoice contact as its recipient. Returns its id, or null if the payment has a receipt.';

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
  'Voids the receipt of a refunded payment. Opens the invoice again if the remaining payments do not cover it.';

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
  'Handles a confirmed or refunded payment. Confirmed: the invoice is paid or partially paid, and a receipt is created once. Refunded: the receipt is void and the invoice may be open again.';

create table rowgate_webhooks.reminder (
  row_id uuid not null,
  stage text not null,
  reminded_at timestamptz not null default pg_catalog.now(),
  primary key (row_id, stage)
);
comment on table rowgate_webhooks.reminder is 'Reminders that were sent, so that none is sent twice.';
comment on column rowgate_webhooks.reminder.stage is 'The stage of the reminder with the date that it concerns. A new date starts a new series of reminders.';
create index reminder_reminded_at_idx on rowgate_webhooks.reminder (reminded_at);

create function rowgate_webhooks.begin_reminder(row_id uuid, stage text) returns boolean
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    with begun as (
      insert into rowgate_webhooks.reminder (row_id, stage) values ($1, $2) on conflict do nothing returning true)
    select exists (select from begun);
  $$;
comment on function rowgate_webhooks.begin_reminder(uuid, text) is 'Returns true if the reminder was not sent yet, and records it in this transaction.';

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
comment on function rowgate_webhooks.clean_reminders(interval) is 'Deletes records of reminders older than the given interval, except those of open invoices. Returns how many.';

create function rowgate_webhooks.invoice_stage(days_overdue integer) returns integer
  language sql immutable
  set search_path = pg_catalog, pg_temp
  as $$
    select max(s.day) from (values (1), (7), (14), (30)) s (day) where s.day <= $1;
  $$;
comment on function rowgate_webhooks.invoice_stage(integer) is 'Returns the reminder that is due the given number of days after the due date: 1, 7, 14 or 30. Returns null before the first.';

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
        -- Paid invoices are marked by the effect of the payment itself. Credits are not owed.
        continue when open <= 0;
        if due.status = 'issued'
          and rowgate_webhooks.try_move('invoice', due.id, 'overdue', $1, 'not paid by the due date') = 'moved'
        then
          moved := moved + 1;
        end if;
        stage := rowgate_webhooks.invoice_stage(today - due.due_on);
        select jsonb_agg(jsonb_build_object('email', c.email, 'name', c.full_name)) into contacts
          from rowgate_webhooks.organization_contacts(due.organization_id) c;
        -- The invoice may have a contact tomorrow, so no reminder is recorded.
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
  'Processes the next unpaid invoices past their due date (UTC), in order of id. Sets them to overdue, and returns the data of each due reminder: {last, moved, letters}. last is null at the end. Each reminder is returned once: 1, 7, 14 and 30 days after the due date.';

revoke all on all functions in schema rowgate_webhooks from public;
