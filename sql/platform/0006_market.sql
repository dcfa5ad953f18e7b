-- What all organizations share: the product catalog, and the prices of coins and currencies.

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
comment on table public.product is 'What the platform sells: the catalog, the same for every organization.';
comment on column public.product.code is 'What invoices and the catalog know the product by, e.g. CUSTODY-M.';
comment on column public.product.name is 'The name of the product.';
comment on column public.product.description is 'What a client gets.';
comment on column public.product.category is 'custody, trading, funds, cards, compliance or service.';
comment on column public.product.unit is 'What one of it is: month, year, transaction, hour or item.';
comment on column public.product.price is 'The price of one unit before tax, in the currency.';
comment on column public.product.currency is 'The currency of the price, as in ISO 4217.';
comment on column public.product.active is 'Whether it is on sale; what is not stays for the invoices that name it.';
comment on column public.product.created_at is 'When the product was entered.';
comment on column public.product.updated_at is 'When the row changed last.';

create table public.coin_price (
  coin text not null check (coin ~ '^[A-Z0-9]{2,12}$'),
  currency text not null default 'USD' check (currency ~ '^[A-Z]{3}$'),
  quoted_at timestamptz not null,
  price numeric(38,18) not null check (price > 0 and price <> 'NaN'),
  source text not null check (source <> ''),
  source_count smallint not null default 1 check (source_count > 0),
  stale boolean not null default false,
  created_at timestamptz not null default pg_catalog.now(),
  primary key (coin, currency, quoted_at)
);
comment on table public.coin_price is 'What a coin was worth at a time: the same for every organization.';
comment on column public.coin_price.coin is 'The ticker of the coin, e.g. BTC.';
comment on column public.coin_price.currency is 'The currency of the price, as in ISO 4217.';
comment on column public.coin_price.quoted_at is 'The time that the price is of.';
comment on column public.coin_price.price is 'The price of one coin, in the currency.';
comment on column public.coin_price.source is 'Where the price comes from; median where several sources were asked.';
comment on column public.coin_price.source_count is 'How many sources agreed on it.';
comment on column public.coin_price.stale is 'Whether no source had a fresh price, so that this one is older than it should be.';
comment on column public.coin_price.created_at is 'When the price was stored.';

create table public.currency_rate (
  base_currency text not null check (base_currency ~ '^[A-Z]{3}$'),
  quote_currency text not null check (quote_currency ~ '^[A-Z]{3}$'),
  quoted_at timestamptz not null,
  rate numeric(20,10) not null check (rate > 0 and rate <> 'NaN'),
  source text not null check (source <> ''),
  stale boolean not null default false,
  created_at timestamptz not null default pg_catalog.now(),
  primary key (base_currency, quote_currency, quoted_at),
  check (base_currency <> quote_currency)
);
comment on table public.currency_rate is 'What a currency was worth in another at a time: the same for every organization.';
comment on column public.currency_rate.base_currency is 'The currency that is priced, as in ISO 4217.';
comment on column public.currency_rate.quote_currency is 'The currency that it is priced in, as in ISO 4217.';
comment on column public.currency_rate.quoted_at is 'The time that the rate is of.';
comment on column public.currency_rate.rate is 'How much of the quote currency one unit of the base currency buys.';
comment on column public.currency_rate.source is 'Where the rate comes from; median where several sources were asked.';
comment on column public.currency_rate.stale is 'Whether no source had a fresh rate, so that this one is older than it should be.';
comment on column public.currency_rate.created_at is 'When the rate was stored.';

create trigger touch_updated_at before update on public.product
  for each row execute function public.touch_updated_at();
