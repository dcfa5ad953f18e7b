-- Payment cards, and what was paid by them.

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
    check (status in ('draft', 'active', 'locked', 'expired', 'cancelled')),
  spending_limit numeric(20,2) check (spending_limit >= 0 and spending_limit <> 'NaN'),
  balance numeric(20,2) not null default 0 check (balance <> 'NaN'),
  currency text not null default 'USD' check (currency ~ '^[A-Z]{3}$'),
  expires_on date,
  reminded_at timestamptz,
  provider_card_id text check (provider_card_id <> ''),
  created_by text references public."user" on delete set null,
  created_at timestamptz not null default pg_catalog.now(),
  updated_at timestamptz not null default pg_catalog.now(),
  foreign key (organization_id, user_id)
    references public."user" (organization_id, id),
  unique (organization_id, id),
  unique (organization_id, provider_card_id)
);
comment on table public.card is 'A payment card. Its full number is never here: the issuer keeps it.';
comment on column public.card.id is 'The card''s id.';
comment on column public.card.organization_id is 'The organization that the card is issued to.';
comment on column public.card.user_id is 'The holder.';
comment on column public.card.label is 'What its holder calls the card.';
comment on column public.card.last_four is 'The last four digits of the number, once it is issued.';
comment on column public.card.brand is 'visa or mastercard.';
comment on column public.card.status is 'draft (ordered, not issued) → active ⇄ locked; expired or cancelled for good.';
comment on column public.card.spending_limit is 'The most that may be spent in a month, in the currency; absent for no limit.';
comment on column public.card.balance is 'What is left to spend, in the currency; negative where more was spent.';
comment on column public.card.currency is 'The currency of balance and limit, as in ISO 4217.';
comment on column public.card.expires_on is 'The last day on which it works.';
comment on column public.card.reminded_at is 'When its holder was last reminded of its expiry or balance.';
comment on column public.card.provider_card_id is 'The card''s id at the issuer, once in an organization.';
comment on column public.card.created_by is 'Who ordered the card.';
comment on column public.card.created_at is 'When the card was entered.';
comment on column public.card.updated_at is 'When the row changed last.';
create index card_organization_id_user_id_idx on public.card (organization_id, user_id);
create index card_user_id_idx on public.card (user_id);
create index card_organization_id_status_idx on public.card (organization_id, status);
create index card_provider_card_id_idx on public.card (provider_card_id);
create index card_created_by_idx on public.card (created_by);

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
comment on table public.card_transaction is 'A payment by card, or one that was declined.';
comment on column public.card_transaction.id is 'The transaction''s id.';
comment on column public.card_transaction.organization_id is 'The organization that the card is issued to.';
comment on column public.card_transaction.card_id is 'The card.';
comment on column public.card_transaction.merchant_name is 'Who was paid.';
comment on column public.card_transaction.merchant_category is 'What the merchant sells, as in ISO 18245.';
comment on column public.card_transaction.amount is 'How much, in the currency.';
comment on column public.card_transaction.currency is 'The currency of the amount, as in ISO 4217.';
comment on column public.card_transaction.status is 'authorized → settled or reversed; settled → reversed for a refund; declined from the start.';
comment on column public.card_transaction.decline_reason is 'Why it was declined.';
comment on column public.card_transaction.provider_transaction_id is 'The transaction''s id at the issuer, once in an organization.';
comment on column public.card_transaction.occurred_at is 'When the card was used.';
comment on column public.card_transaction.settled_at is 'When the money was taken.';
comment on column public.card_transaction.created_at is 'When the transaction was stored.';
comment on column public.card_transaction.updated_at is 'When the row changed last.';
create index card_transaction_organization_id_card_id_idx on public.card_transaction (organization_id, card_id);
create index card_transaction_organization_id_status_idx on public.card_transaction (organization_id, status);
create index card_transaction_card_id_occurred_at_idx on public.card_transaction (card_id, occurred_at);

create trigger touch_updated_at before update on public.card
  for each row execute function public.touch_updated_at();
create trigger touch_updated_at before update on public.card_transaction
  for each row execute function public.touch_updated_at();
