-- Money that comes in and goes out by bank.

create table public.fiat_deposit_request (
  id uuid primary key default pg_catalog.gen_random_uuid(),
  organization_id uuid not null
    default (rowgate_api.session_variable('organization_id'))::uuid
    references public.organization,
  user_id text,
  digital_wallet_id uuid,
  amount numeric(20,2) not null check (amount > 0 and amount <> 'NaN'),
  fee numeric(20,2) not null default 0 check (fee >= 0 and fee <> 'NaN'),
  currency text not null default 'USD' check (currency ~ '^[A-Z]{3}$'),
  bank_reference text not null default ('DEP-' || pg_catalog.gen_random_uuid())
    check (bank_reference <> ''),
  account_holder text check (account_holder <> ''),
  account_last_four text check (account_last_four ~ '^[0-9A-Z]{4}$'),
  account_token text check (account_token <> ''),
  status text not null default 'draft'
    check (status in ('draft', 'submitted', 'approved', 'received', 'completed', 'rejected', 'cancelled', 'locked')),
  status_reason text,
  reviewed_by text references public."user" on delete set null,
  reviewed_at timestamptz,
  completed_at timestamptz,
  created_by text references public."user" on delete set null,
  created_at timestamptz not null default pg_catalog.now(),
  updated_at timestamptz not null default pg_catalog.now(),
  foreign key (organization_id, user_id)
    references public."user" (organization_id, id),
  foreign key (organization_id, digital_wallet_id)
    references public.digital_wallet (organization_id, id),
  unique (organization_id, bank_reference)
);
comment on table public.fiat_deposit_request is 'Money that somebody announces to bring in by bank.';
comment on column public.fiat_deposit_request.id is 'The request''s id.';
comment on column public.fiat_deposit_request.organization_id is 'The organization that brings the money in.';
comment on column public.fiat_deposit_request.user_id is 'The person whose money it is; absent for money of the organization as a whole.';
comment on column public.fiat_deposit_request.digital_wallet_id is 'The wallet of a stable coin to credit, where the money is to become coins.';
comment on column public.fiat_deposit_request.amount is 'How much, in the currency.';
comment on column public.fiat_deposit_request.fee is 'What the platform takes for it, in the currency.';
comment on column public.fiat_deposit_request.currency is 'The currency of amount and fee, as in ISO 4217.';
comment on column public.fiat_deposit_request.bank_reference is 'What to write on the bank transfer, so that the money is recognised; once in an organization.';
comment on column public.fiat_deposit_request.account_holder is 'Whose account the money comes from.';
comment on column public.fiat_deposit_request.account_last_four is 'The last four characters of the account''s IBAN or number, never more.';
comment on column public.fiat_deposit_request.account_token is 'What the payment provider knows the account by.';
comment on column public.fiat_deposit_request.status is 'draft → submitted → approved → received → completed; rejected from submitted, cancelled before the money is there; locked while compliance holds it. A draft may be deleted.';
comment on column public.fiat_deposit_request.status_reason is 'Why it was rejected, cancelled or locked, or failed.';
comment on column public.fiat_deposit_request.reviewed_by is 'Who approved or rejected it.';
comment on column public.fiat_deposit_request.reviewed_at is 'When it was approved or rejected.';
comment on column public.fiat_deposit_request.completed_at is 'When the money was credited.';
comment on column public.fiat_deposit_request.created_by is 'Who entered the request.';
comment on column public.fiat_deposit_request.created_at is 'When the request was entered.';
comment on column public.fiat_deposit_request.updated_at is 'When the row changed last.';
create index fiat_deposit_request_organization_id_user_id_idx on public.fiat_deposit_request (organization_id, user_id);
create index fiat_deposit_request_user_id_idx on public.fiat_deposit_request (user_id);
create index fiat_deposit_request_organization_id_digital_wallet_id_idx on public.fiat_deposit_request (organization_id, digital_wallet_id);
create index fiat_deposit_request_digital_wallet_id_idx on public.fiat_deposit_request (digital_wallet_id);
create index fiat_deposit_request_reviewed_by_idx on public.fiat_deposit_request (reviewed_by);
create index fiat_deposit_request_organization_id_status_idx on public.fiat_deposit_request (organization_id, status);
create index fiat_deposit_request_created_by_idx on public.fiat_deposit_request (created_by);

create table public.fiat_withdrawal_request (
  id uuid primary key default pg_catalog.gen_random_uuid(),
  organization_id uuid not null
    default (rowgate_api.session_variable('organization_id'))::uuid
    references public.organization,
  user_id text,
  fund_id uuid,
  digital_wallet_id uuid,
  amount numeric(20,2) not null check (amount > 0 and amount <> 'NaN'),
  fee numeric(20,2) not null default 0 check (fee >= 0 and fee <> 'NaN'),
  currency text not null default 'USD' check (currency ~ '^[A-Z]{3}$'),
  bank_reference text not null default ('WDR-' || pg_catalog.gen_random_uuid())
    check (bank_reference <> ''),
  account_holder text check (account_holder <> ''),
  account_last_four text check (account_last_four ~ '^[0-9A-Z]{4}$'),
  account_token text check (account_token <> ''),
  status text not null default 'draft'
    check (status in ('draft', 'submitted', 'approved', 'processing', 'completed', 'failed', 'rejected', 'cancelled', 'locked')),
  status_reason text,
  reviewed_by text references public."user" on delete set null,
  reviewed_at timestamptz,
  completed_at timestamptz,
  created_by text references public."user" on delete set null,
  created_at timestamptz not null default pg_catalog.now(),
  updated_at timestamptz not null default pg_catalog.now(),
  foreign key (organization_id, user_id)
    references public."user" (organization_id, id),
  foreign key (organization_id, fund_id)
    references public.fund (organization_id, id),
  foreign key (organization_id, digital_wallet_id)
    references public.digital_wallet (organization_id, id),
  unique (organization_id, bank_reference)
);
comment on table public.fiat_withdrawal_request is 'Money that somebody asks to be paid out by bank.';
comment on column public.fiat_withdrawal_request.id is 'The request''s id.';
comment on column public.fiat_withdrawal_request.organization_id is 'The organization whose money it is.';
comment on column public.fiat_withdrawal_request.user_id is 'The person whose money it is; absent for money of the organization as a whole.';
comment on column public.fiat_withdrawal_request.fund_id is 'The fund whose money it is, where it is a fund''s.';
comment on column public.fiat_withdrawal_request.digital_wallet_id is 'The wallet of a stable coin to debit, where coins are to become the money.';
comment on column public.fiat_withdrawal_request.amount is 'How much, in the currency.';
comment on column public.fiat_withdrawal_request.fee is 'What the platform takes for it, in the currency.';
comment on column public.fiat_withdrawal_request.currency is 'The currency of amount and fee, as in ISO 4217.';
comment on column public.fiat_withdrawal_request.bank_reference is 'What the bank transfer will carry; once in an organization.';
comment on column public.fiat_withdrawal_request.account_holder is 'Whose account the money goes to.';
comment on column public.fiat_withdrawal_request.account_last_four is 'The last four characters of the account''s IBAN or number, never more.';
comment on column public.fiat_withdrawal_request.account_token is 'What the payment provider knows the account by.';
comment on column public.fiat_withdrawal_request.status is 'draft → submitted → approved → processing → completed or failed; rejected from submitted, cancelled before the processing; locked while compliance holds it. A draft may be deleted.';
comment on column public.fiat_withdrawal_request.status_reason is 'Why it was rejected, cancelled or locked, or failed.';
comment on column public.fiat_withdrawal_request.reviewed_by is 'Who approved or rejected it.';
comment on column public.fiat_withdrawal_request.reviewed_at is 'When it was approved or rejected.';
comment on column public.fiat_withdrawal_request.completed_at is 'When the bank had paid.';
comment on column public.fiat_withdrawal_request.created_by is 'Who entered the request.';
comment on column public.fiat_withdrawal_request.created_at is 'When the request was entered.';
comment on column public.fiat_withdrawal_request.updated_at is 'When the row changed last.';
create index fiat_withdrawal_request_organization_id_user_id_idx on public.fiat_withdrawal_request (organization_id, user_id);
create index fiat_withdrawal_request_user_id_idx on public.fiat_withdrawal_request (user_id);
create index fiat_withdrawal_request_organization_id_fund_id_idx on public.fiat_withdrawal_request (organization_id, fund_id);
create index fiat_withdrawal_request_fund_id_idx on public.fiat_withdrawal_request (fund_id);
create index fiat_withdrawal_request_organization_id_digital_wallet_id_idx on public.fiat_withdrawal_request (organization_id, digital_wallet_id);
create index fiat_withdrawal_request_digital_wallet_id_idx on public.fiat_withdrawal_request (digital_wallet_id);
create index fiat_withdrawal_request_reviewed_by_idx on public.fiat_withdrawal_request (reviewed_by);
create index fiat_withdrawal_request_organization_id_status_idx on public.fiat_withdrawal_request (organization_id, status);
create index fiat_withdrawal_request_created_by_idx on public.fiat_withdrawal_request (created_by);

create trigger touch_updated_at before update on public.fiat_deposit_request
  for each row execute function public.touch_updated_at();
create trigger touch_updated_at before update on public.fiat_withdrawal_request
  for each row execute function public.touch_updated_at();
