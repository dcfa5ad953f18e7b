-- What the platform bills its organizations.

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
  created_by text references public."user" on delete set null,
  created_at timestamptz not null default pg_catalog.now(),
  updated_at timestamptz not null default pg_catalog.now(),
  unique (organization_id, invoice_number)
);
comment on table public.invoice is 'A bill of the platform to an organization.';
comment on column public.invoice.id is 'The invoice''s id.';
comment on column public.invoice.organization_id is 'The organization that is billed.';
comment on column public.invoice.invoice_number is 'The number printed on the invoice, once in an organization.';
comment on column public.invoice.total is 'The amount to pay, tax included, in the currency; negative for a credit.';
comment on column public.invoice.currency is 'The currency of the total, as in ISO 4217.';
comment on column public.invoice.status is 'draft, issued, paid, overdue or void.';
comment on column public.invoice.issued_on is 'The date printed on the invoice.';
comment on column public.invoice.due_on is 'The last day to pay.';
comment on column public.invoice.paid_at is 'When it was paid in full.';
comment on column public.invoice.internal_notes is 'Notes of the platform''s own staff, never for the client.';
comment on column public.invoice.cost_breakdown is 'What the service cost the platform, by kind of cost, in the currency.';
comment on column public.invoice.created_by is 'Who entered the invoice.';
comment on column public.invoice.created_at is 'When the invoice was entered.';
comment on column public.invoice.updated_at is 'When the row changed last.';
create index invoice_organization_id_status_idx on public.invoice (organization_id, status);
create index invoice_created_by_idx on public.invoice (created_by);

create trigger touch_updated_at before update on public.invoice
  for each row execute function public.touch_updated_at();
