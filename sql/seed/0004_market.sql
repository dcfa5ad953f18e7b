-- The product catalog, two weeks of coin prices and currency rates. The prices come from a formula, so that they
-- are the same everywhere and still go up and down.

insert into public.product (code, name, description, category, unit, price, currency, active, created_at, updated_at) values
  ('CUSTODY-M', 'Custody', 'Safekeeping of coins, insured', 'custody', 'month', 750.00, 'USD', true, '2025-01-05 08:00:00+00', '2025-01-05 08:00:00+00'),
  ('CUSTODY-COLD', 'Cold storage', 'Keys that never touch a network', 'custody', 'month', 1800.00, 'USD', true, '2025-01-05 08:00:00+00', '2025-01-05 08:00:00+00'),
  ('OTC-TRADE', 'Trade over the counter', 'A firm price from the desk', 'trading', 'transaction', 150.00, 'USD', true, '2025-01-05 08:00:00+00', '2025-01-05 08:00:00+00'),
  ('FUND-ADMIN', 'Fund administration', 'Register, valuation, statements', 'funds', 'month', 250.00, 'USD', true, '2025-01-05 08:00:00+00', '2025-01-05 08:00:00+00'),
  ('CARD-PLAN', 'Payment cards', 'Up to ten cards', 'cards', 'month', 45.00, 'USD', true, '2025-01-05 08:00:00+00', '2025-01-05 08:00:00+00'),
  ('KYC-CHECK', 'Identity verification', 'One person, documents included', 'compliance', 'item', 12.50, 'USD', true, '2025-01-05 08:00:00+00', '2025-01-05 08:00:00+00'),
  ('SUPPORT-H', 'Support', 'By the hour, at any time of day', 'service', 'hour', 100.00, 'USD', true, '2025-01-05 08:00:00+00', '2025-01-05 08:00:00+00'),
  ('FAX-STMT', 'Statements by fax', 'No longer offered', 'service', 'item', 5.00, 'USD', false, '2025-01-05 08:00:00+00', '2025-01-05 08:00:00+00');

insert into public.coin_price (coin, currency, quoted_at, price, source, source_count, stale, created_at)
select c.coin, 'USD', d.day, pg_catalog.round(c.price * (1 + (d.number * 7 % 13 - 6) * c.swing / 100), 2), 'median', 3,
  c.coin = 'SOL' and d.number = 14, d.day
from (values ('BTC', 100000.00, 0.8), ('ETH', 3000.00, 1.1), ('SOL', 150.00, 1.6), ('USDC', 1.00, 0)) c (coin, price, swing)
cross join (
  select n, timestamptz '2025-05-31 00:00:00+00' + n * interval '24 hours' from pg_catalog.generate_series(1, 14) n
) d (number, day);

insert into public.currency_rate (base_currency, quote_currency, quoted_at, rate, source, stale, created_at)
select r.base, r.quote, d.day, pg_catalog.round(r.rate * (1 + (d.number * 5 % 11 - 5) * 0.001), 6), 'ecb',
  r.quote = 'SGD' and d.number = 14, d.day
from (values ('EUR', 'USD', 1.140000), ('EUR', 'GBP', 0.850000), ('EUR', 'CHF', 0.940000), ('EUR', 'SGD', 1.470000)) r (base, quote, rate)
cross join (
  select n, timestamptz '2025-05-31 15:00:00+00' + n * interval '24 hours' from pg_catalog.generate_series(1, 14) n
) d (number, day);
