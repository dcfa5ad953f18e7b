-- What the tables of the following files need of those before: keys that carry the tenant, so that a
-- child's foreign key can demand a parent of the same organization, and a few columns.

alter table public."user"
  add constraint user_organization_id_id_key unique (organization_id, id),
  add column status text not null default 'active' check (status in ('active', 'disabled')),
  add column platform_admin boolean not null default false;
comment on column public."user".status is 'active or disabled; a disabled person may do nothing, signed in or not.';
comment on column public."user".platform_admin is 'Whether the person administers the platform itself, whatever roles besides.';

alter table public.organization
  add column billing_address text,
  add column tax_number text;
comment on column public.organization.billing_address is 'Where invoices are addressed to, line by line.';
comment on column public.organization.tax_number is 'The number that the tax authorities know it by, as invoices print it.';

alter table public.digital_wallet
  add constraint digital_wallet_organization_id_id_key unique (organization_id, id),
  add column custody_wallet_id text check (custody_wallet_id <> ''),
  add constraint digital_wallet_organization_id_custody_wallet_id_key
    unique (organization_id, custody_wallet_id),
  add constraint digital_wallet_number_check check (balance <> 'NaN' and usd_value <> 'NaN');
comment on column public.digital_wallet.custody_wallet_id is 'The wallet''s id at the custody provider; absent for a wallet that no provider keeps.';
create index digital_wallet_custody_wallet_id_idx on public.digital_wallet (custody_wallet_id);

alter table public.otc_quote
  add constraint otc_quote_organization_id_id_key unique (organization_id, id),
  drop constraint otc_quote_digital_wallet_id_fkey,
  add constraint otc_quote_organization_id_digital_wallet_id_fkey
    foreign key (organization_id, digital_wallet_id)
    references public.digital_wallet (organization_id, id),
  add constraint otc_quote_number_check
    check (quantity <> 'NaN' and price <> 'NaN' and fee <> 'NaN');
create index otc_quote_organization_id_digital_wallet_id_idx
  on public.otc_quote (organization_id, digital_wallet_id);

alter table public.fund
  add constraint fund_organization_id_id_key unique (organization_id, id),
  add column user_agreement text;
comment on column public.fund.user_agreement is 'The text that a person agrees to before subscribing, paragraphs apart by empty lines.';

alter table public.fund_subscription
  add constraint fund_subscription_number_check check (subscription_amount <> 'NaN');

alter table public.invoice
  add constraint invoice_organization_id_id_key unique (organization_id, id),
  add column reminded_at timestamptz,
  add constraint invoice_number_check check (total <> 'NaN');
comment on column public.invoice.reminded_at is 'When its organization was last reminded to pay.';
