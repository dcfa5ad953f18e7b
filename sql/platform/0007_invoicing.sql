-- What stands on invoices, what is paid for them, and the receipts.

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
  created_by text references public."user" on delete set null,
  created_at timestamptz not null default pg_catalog.now(),
  updated_at timestamptz not null default pg_catalog.now(),
  foreign key (organization_id, invoice_id)
    references public.invoice (organization_id, id) on delete cascade,
  unique (organization_id, invoice_id, position)
);
comment on table public.invoice_line is 'One position of an invoice, in the invoice''s currency.';
comment on column public.invoice_line.id is 'The line''s id.';
comment on column public.invoice_line.organization_id is 'The organization that is billed.';
comment on column public.invoice_line.invoice_id is 'The invoice that the line stands on.';
comment on column public.invoice_line.position is 'Where the line stands on the invoice, from 1.';
comment on column public.invoice_line.product_code is 'The product of the catalog that is billed, where it is one.';
comment on column public.invoice_line.description is 'What is billed, as the invoice prints it.';
comment on column public.invoice_line.quantity is 'How many units.';
comment on column public.invoice_line.unit_price is 'The price of one unit before tax; negative for a credit.';
comment on column public.invoice_line.tax_rate is 'The tax in per cent.';
comment on column public.invoice_line.amount is 'The line before tax.';
comment on column public.invoice_line.tax_amount is 'The tax on the line.';
comment on column public.invoice_line.created_by is 'Who entered the line.';
comment on column public.invoice_line.created_at is 'When the line was entered.';
comment on column public.invoice_line.updated_at is 'When the row changed last.';
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
  created_by text references public."user" on delete set null,
  created_at timestamptz not null default pg_catalog.now(),
  updated_at timestamptz not null default pg_catalog.now(),
  foreign key (organization_id, invoice_id)
    references public.invoice (organization_id, id),
  unique (organization_id, id),
  unique (organization_id, reference)
);
comment on table public.invoice_payment is 'Money that came in for an invoice, in full or in part.';
comment on column public.invoice_payment.id is 'The payment''s id.';
comment on column public.invoice_payment.organization_id is 'The organization that pays.';
comment on column public.invoice_payment.invoice_id is 'The invoice that is paid.';
comment on column public.invoice_payment.amount is 'How much, in the currency.';
comment on column public.invoice_payment.currency is 'The currency of the amount, as in ISO 4217.';
comment on column public.invoice_payment.method is 'bank_transfer, card, coin, or offset against a credit.';
comment on column public.invoice_payment.reference is 'What the bank or the provider knows the payment by, once in an organization.';
comment on column public.invoice_payment.status is 'pending → confirmed → refunded, or pending → failed; only confirmed payments count towards the invoice.';
comment on column public.invoice_payment.paid_at is 'When the money came in.';
comment on column public.invoice_payment.created_by is 'Who entered the payment; absent where the platform did.';
comment on column public.invoice_payment.created_at is 'When the payment was entered.';
comment on column public.invoice_payment.updated_at is 'When the row changed last.';
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
comment on table public.receipt is 'What the platform sends an organization for a payment.';
comment on column public.receipt.id is 'The receipt''s id.';
comment on column public.receipt.organization_id is 'The organization that paid.';
comment on column public.receipt.invoice_payment_id is 'The payment that it confirms.';
comment on column public.receipt.receipt_number is 'The number printed on the receipt, once in an organization.';
comment on column public.receipt.status is 'issued, or void where the payment was refunded.';
comment on column public.receipt.issued_at is 'The time printed on the receipt.';
comment on column public.receipt.sent_to is 'The e-mail address that it was sent to.';
comment on column public.receipt.sent_at is 'When it was sent; absent until then.';
comment on column public.receipt.created_at is 'When the receipt was made.';
comment on column public.receipt.updated_at is 'When the row changed last.';

create trigger touch_updated_at before update on public.invoice_line
  for each row execute function public.touch_updated_at();
create trigger touch_updated_at before update on public.invoice_payment
  for each row execute function public.touch_updated_at();
create trigger touch_updated_at before update on public.receipt
  for each row execute function public.touch_updated_at();
