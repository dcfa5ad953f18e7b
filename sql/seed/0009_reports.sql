-- Two weeks of snapshots, calculated from the balances and the prices of each day, and reports of every status. The
-- digits of a snapshot's id are its kind (1 organization, 2 wallet, 3 user, 4 fund), its owner and the day.

insert into public.portfolio_snapshot (id, organization_id, digital_wallet_id, taken_on, total_usd, holdings, created_at)
select ('d0000000-0000-4000-8000-0002' || pg_catalog.right(w.id::text, 4) || pg_catalog.to_char(p.quoted_at at time zone 'UTC', 'MMDD'))::uuid,
  w.organization_id, w.id, (p.quoted_at at time zone 'UTC')::date, pg_catalog.round(w.balance * p.price, 2),
  pg_catalog.jsonb_build_object(w.coin, w.balance), p.quoted_at + interval '24 hours'
from public.digital_wallet w
join public.coin_price p on p.coin = w.coin
where w.id::text like '10000000-0000-4000-8000-%' and w.balance > 0;

insert into public.portfolio_snapshot (id, organization_id, taken_on, total_usd, holdings, created_at)
select ('d0000000-0000-4000-8000-0001000' || pg_catalog.right(c.organization_id::text, 1) || pg_catalog.to_char(c.taken_on, 'MMDD'))::uuid,
  c.organization_id, c.taken_on, pg_catalog.sum(c.total_usd), pg_catalog.jsonb_object_agg(c.coin, c.balance), pg_catalog.min(c.created_at)
from (
  select s.organization_id, s.taken_on, w.coin, pg_catalog.sum(w.balance) as balance, pg_catalog.sum(s.total_usd) as total_usd,
    pg_catalog.min(s.created_at) as created_at
  from public.portfolio_snapshot s
  join public.digital_wallet w on w.id = s.digital_wallet_id
  group by s.organization_id, s.taken_on, w.coin
) c
group by c.organization_id, c.taken_on;

insert into public.portfolio_snapshot (id, organization_id, user_id, taken_on, total_usd, holdings, created_at)
select ('d0000000-0000-4000-8000-0003' || pg_catalog.right(w.id::text, 4) || pg_catalog.to_char(s.taken_on, 'MMDD'))::uuid,
  s.organization_id, w.user_id, s.taken_on, s.total_usd, s.holdings, s.created_at
from public.portfolio_snapshot s
join public.digital_wallet w on w.id = s.digital_wallet_id and w.user_id is not null;

insert into public.portfolio_snapshot (id, organization_id, fund_id, taken_on, total_usd, created_at)
select ('d0000000-0000-4000-8000-0004000' || pg_catalog.right(f.id::text, 1) || pg_catalog.to_char(d.day, 'MMDD'))::uuid,
  f.organization_id, f.id, d.day, 1000000.00 * v.size + 2500.00 * (d.number * 3 % 7), (d.day + 1)::timestamp at time zone 'UTC'
from (values (1, 4), (2, 7), (3, 2), (5, 3)) v (number, size)
join public.fund f on f.id = ('40000000-0000-4000-8000-00000000000' || v.number)::uuid
cross join (select n, date '2025-05-31' + n from pg_catalog.generate_series(1, 14) n) d (number, day);

insert into public.report (id, organization_id, user_id, fund_id, uploaded_file_id, kind, title, period_from, period_to, status, status_reason, generated_at, created_by, created_at, updated_at) values
  ('d1000000-0000-4000-8000-000000000101', '00000000-0000-4000-8000-000000000001', null, null, 'b0000000-0000-4000-8000-000000000107', 'portfolio', 'Portfolio, May 2025', '2025-05-01', '2025-05-31', 'ready', null, '2025-06-01 01:00:00+00', null, '2025-06-01 00:00:00+00', '2025-06-01 01:00:00+00'),
  ('d1000000-0000-4000-8000-000000000102', '00000000-0000-4000-8000-000000000001', null, null, null, 'transactions', 'Transactions, May 2025', '2025-05-01', '2025-05-31', 'draft', null, null, 'local|alder-admin', '2025-06-01 00:00:00+00', '2025-06-01 01:00:00+00'),
  ('d1000000-0000-4000-8000-000000000103', '00000000-0000-4000-8000-000000000001', null, null, null, 'audit', 'Annual audit 2024', '2024-01-01', '2024-12-31', 'locked', null, '2025-06-01 01:00:00+00', 'local|cedar-auditor', '2025-06-01 00:00:00+00', '2025-06-01 01:00:00+00'),
  ('d1000000-0000-4000-8000-000000000104', '00000000-0000-4000-8000-000000000001', 'local|alder-investor', null, null, 'portfolio', 'Your holdings, May 2025', '2025-05-01', '2025-05-31', 'ready', null, '2025-06-01 01:00:00+00', null, '2025-06-01 00:00:00+00', '2025-06-01 01:00:00+00'),
  ('d1000000-0000-4000-8000-000000000201', '00000000-0000-4000-8000-000000000002', null, null, 'b0000000-0000-4000-8000-000000000207', 'portfolio', 'Portfolio, May 2025', '2025-05-01', '2025-05-31', 'ready', null, '2025-06-01 01:00:00+00', null, '2025-06-01 00:00:00+00', '2025-06-01 01:00:00+00'),
  ('d1000000-0000-4000-8000-000000000202', '00000000-0000-4000-8000-000000000002', null, null, null, 'transactions', 'Transactions, May 2025', '2025-05-01', '2025-05-31', 'draft', null, null, 'local|birch-admin', '2025-06-01 00:00:00+00', '2025-06-01 01:00:00+00'),
  ('d1000000-0000-4000-8000-000000000203', '00000000-0000-4000-8000-000000000002', null, null, null, 'audit', 'Annual audit 2024', '2024-01-01', '2024-12-31', 'locked', null, '2025-06-01 01:00:00+00', 'local|cedar-auditor', '2025-06-01 00:00:00+00', '2025-06-01 01:00:00+00'),
  ('d1000000-0000-4000-8000-000000000204', '00000000-0000-4000-8000-000000000002', 'local|birch-investor', null, null, 'portfolio', 'Your holdings, May 2025', '2025-05-01', '2025-05-31', 'ready', null, '2025-06-01 01:00:00+00', null, '2025-06-01 00:00:00+00', '2025-06-01 01:00:00+00'),
  ('d1000000-0000-4000-8000-000000000301', '00000000-0000-4000-8000-000000000003', null, null, 'b0000000-0000-4000-8000-000000000307', 'portfolio', 'Portfolio, May 2025', '2025-05-01', '2025-05-31', 'ready', null, '2025-06-01 01:00:00+00', null, '2025-06-01 00:00:00+00', '2025-06-01 01:00:00+00'),
  ('d1000000-0000-4000-8000-000000000302', '00000000-0000-4000-8000-000000000003', null, null, null, 'transactions', 'Transactions, May 2025', '2025-05-01', '2025-05-31', 'draft', null, null, 'local|cedar-admin', '2025-06-01 00:00:00+00', '2025-06-01 01:00:00+00'),
  ('d1000000-0000-4000-8000-000000000303', '00000000-0000-4000-8000-000000000003', null, null, null, 'audit', 'Annual audit 2024', '2024-01-01', '2024-12-31', 'locked', null, '2025-06-01 01:00:00+00', 'local|cedar-auditor', '2025-06-01 00:00:00+00', '2025-06-01 01:00:00+00'),
  ('d1000000-0000-4000-8000-000000000304', '00000000-0000-4000-8000-000000000003', 'local|cedar-investor', null, null, 'portfolio', 'Your holdings, May 2025', '2025-05-01', '2025-05-31', 'ready', null, '2025-06-01 01:00:00+00', null, '2025-06-01 00:00:00+00', '2025-06-01 01:00:00+00'),
  ('d1000000-0000-4000-8000-000000000401', '00000000-0000-4000-8000-000000000004', null, null, 'b0000000-0000-4000-8000-000000000407', 'portfolio', 'Portfolio, May 2025', '2025-05-01', '2025-05-31', 'ready', null, '2025-06-01 01:00:00+00', null, '2025-06-01 00:00:00+00', '2025-06-01 01:00:00+00'),
  ('d1000000-0000-4000-8000-000000000402', '00000000-0000-4000-8000-000000000004', null, null, null, 'transactions', 'Transactions, May 2025', '2025-05-01', '2025-05-31', 'draft', null, null, 'local|dogwood-admin', '2025-06-01 00:00:00+00', '2025-06-01 01:00:00+00'),
  ('d1000000-0000-4000-8000-000000000403', '00000000-0000-4000-8000-000000000004', null, null, null, 'audit', 'Annual audit 2024', '2024-01-01', '2024-12-31', 'locked', null, '2025-06-01 01:00:00+00', 'local|cedar-auditor', '2025-06-01 00:00:00+00', '2025-06-01 01:00:00+00'),
  ('d1000000-0000-4000-8000-000000000404', '00000000-0000-4000-8000-000000000004', 'local|dogwood-investor', null, null, 'portfolio', 'Your holdings, May 2025', '2025-05-01', '2025-05-31', 'ready', null, '2025-06-01 01:00:00+00', null, '2025-06-01 00:00:00+00', '2025-06-01 01:00:00+00'),
  ('d1000000-0000-4000-8000-000000000105', '00000000-0000-4000-8000-000000000001', 'local|alder-shareholder', null, null, 'tax', 'Tax statement 2024', '2024-01-01', '2024-12-31', 'ready', null, '2025-06-01 01:00:00+00', null, '2025-06-01 00:00:00+00', '2025-06-01 01:00:00+00'),
  ('d1000000-0000-4000-8000-000000000205', '00000000-0000-4000-8000-000000000002', 'local|birch-investor', null, null, 'compliance', 'Owners and controllers', '2025-05-01', '2025-05-31', 'requested', null, null, 'local|cedar-auditor', '2025-06-01 00:00:00+00', '2025-06-01 01:00:00+00'),
  ('d1000000-0000-4000-8000-000000000305', '00000000-0000-4000-8000-000000000003', null, '40000000-0000-4000-8000-000000000001', null, 'fund', 'Cedar Growth, May 2025', '2025-05-01', '2025-05-31', 'ready', null, '2025-06-01 01:00:00+00', null, '2025-06-01 00:00:00+00', '2025-06-01 01:00:00+00'),
  ('d1000000-0000-4000-8000-000000000306', '00000000-0000-4000-8000-000000000003', null, '40000000-0000-4000-8000-000000000002', null, 'fund', 'Cedar Income, May 2025', '2025-05-01', '2025-05-31', 'generating', null, null, null, '2025-06-01 00:00:00+00', '2025-06-01 01:00:00+00'),
  ('d1000000-0000-4000-8000-000000000307', '00000000-0000-4000-8000-000000000003', null, '40000000-0000-4000-8000-000000000003', null, 'fund', 'Cedar Reserve, May 2025', '2025-05-01', '2025-05-31', 'ready', null, '2025-06-01 01:00:00+00', null, '2025-06-01 00:00:00+00', '2025-06-01 01:00:00+00'),
  ('d1000000-0000-4000-8000-000000000405', '00000000-0000-4000-8000-000000000004', null, '40000000-0000-4000-8000-000000000005', null, 'fund', 'Dogwood Credit, May 2025', '2025-05-01', '2025-05-31', 'ready', null, '2025-06-01 01:00:00+00', null, '2025-06-01 00:00:00+00', '2025-06-01 01:00:00+00'),
  ('d1000000-0000-4000-8000-000000000406', '00000000-0000-4000-8000-000000000004', null, null, null, 'compliance', 'Sanctions screening', '2025-05-01', '2025-05-31', 'failed', 'The list could not be fetched', null, 'local|dogwood-finance', '2025-06-01 00:00:00+00', '2025-06-01 01:00:00+00');
