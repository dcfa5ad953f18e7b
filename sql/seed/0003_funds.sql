-- Funds, access of users to funds, and subscriptions.

insert into public.fund (id, organization_id, name, description, currency, status, created_by, user_agreement, created_at, updated_at) values
  ('40000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000003', 'Cedar Growth', 'Shares of young companies', 'USD', 'open', 'local|cedar-funds', 'Shares of young companies are hard to sell. Units can be redeemed once a year, on the last day of June, with ninety days'' notice.

The manager takes two per cent of the fund''s value a year, and a fifth of what it earns beyond eight per cent.

The value of units can fall as well as rise. An investor can lose all that was paid in, and no more.', '2025-01-21 12:00:00+00', '2025-01-21 12:00:00+00'),
  ('40000000-0000-4000-8000-000000000002', '00000000-0000-4000-8000-000000000003', 'Cedar Income', 'Bonds and loans', 'EUR', 'open', 'local|cedar-funds', 'Units may be redeemed at the end of each month with ten days'' notice.

Income is paid out in January and July.', '2025-01-22 12:00:00+00', '2025-01-22 12:00:00+00'),
  ('40000000-0000-4000-8000-000000000003', '00000000-0000-4000-8000-000000000003', 'Cedar Reserve', 'Gold and treasury bills', 'USD', 'closed', 'local|cedar-funds', null, '2025-01-23 12:00:00+00', '2025-01-23 12:00:00+00'),
  ('40000000-0000-4000-8000-000000000004', '00000000-0000-4000-8000-000000000001', 'Alder Ventures', 'Companies of the first round', 'USD', 'draft', 'local|alder-admin', null, '2025-01-24 12:00:00+00', '2025-01-24 12:00:00+00'),
  ('40000000-0000-4000-8000-000000000005', '00000000-0000-4000-8000-000000000004', 'Dogwood Credit', 'Loans to mid-sized companies', 'GBP', 'open', 'local|dogwood-funds', 'Units may be redeemed at the end of a quarter with thirty days'' notice.

The value of units can fall as well as rise.', '2025-01-25 12:00:00+00', '2025-01-25 12:00:00+00'),
  ('40000000-0000-4000-8000-000000000006', '00000000-0000-4000-8000-000000000004', 'Dogwood Estates', 'Houses for rent', 'GBP', 'liquidated', 'local|dogwood-funds', null, '2025-01-26 12:00:00+00', '2025-01-26 12:00:00+00');

insert into public.fund_access (user_id, fund_id) values
  ('local|alder-investor', '40000000-0000-4000-8000-000000000001'),
  ('local|alder-investor', '40000000-0000-4000-8000-000000000002'),
  ('local|birch-investor', '40000000-0000-4000-8000-000000000002'),
  ('local|cedar-funds', '40000000-0000-4000-8000-000000000001'),
  ('local|cedar-funds', '40000000-0000-4000-8000-000000000002'),
  ('local|cedar-funds', '40000000-0000-4000-8000-000000000003'),
  ('local|cedar-signatory', '40000000-0000-4000-8000-000000000001'),
  ('local|dogwood-investor', '40000000-0000-4000-8000-000000000005'),
  ('local|dogwood-investor', '40000000-0000-4000-8000-000000000001'),
  ('local|dogwood-funds', '40000000-0000-4000-8000-000000000005'),
  ('local|dogwood-funds', '40000000-0000-4000-8000-000000000006'),
  ('local|dogwood-signatory', '40000000-0000-4000-8000-000000000005'),
  ('local|cedar-investor', '40000000-0000-4000-8000-000000000001'),
  ('local|birch-funds', '40000000-0000-4000-8000-000000000002');

-- Each investor has one subscription to a fund without access, as after a withdrawal of access.
insert into public.fund_subscription (id, user_id, fund_id, subscription_amount, currency, status, created_by, created_at, updated_at) values
  ('50000000-0000-4000-8000-000000000001', 'local|alder-investor', '40000000-0000-4000-8000-000000000001', 250000.00, 'USD', 'active', 'local|alder-investor', '2025-05-01 16:00:00+00', '2025-05-01 16:00:00+00'),
  ('50000000-0000-4000-8000-000000000002', 'local|alder-investor', '40000000-0000-4000-8000-000000000002', 100000.50, 'EUR', 'active', 'local|alder-investor', '2025-05-02 16:00:00+00', '2025-05-02 16:00:00+00'),
  ('50000000-0000-4000-8000-000000000003', 'local|alder-investor', '40000000-0000-4000-8000-000000000002', 50000.00, 'EUR', 'submitted', 'local|alder-investor', '2025-05-03 16:00:00+00', '2025-05-03 16:00:00+00'),
  ('50000000-0000-4000-8000-000000000004', 'local|alder-investor', '40000000-0000-4000-8000-000000000003', 75000.00, 'USD', 'redeemed', 'local|alder-investor', '2025-05-04 16:00:00+00', '2025-05-04 16:00:00+00'),
  ('50000000-0000-4000-8000-000000000005', 'local|birch-investor', '40000000-0000-4000-8000-000000000002', 500000.00, 'EUR', 'active', 'local|birch-investor', '2025-05-05 16:00:00+00', '2025-05-05 16:00:00+00'),
  ('50000000-0000-4000-8000-000000000006', 'local|birch-investor', '40000000-0000-4000-8000-000000000001', 20000.00, 'USD', 'cancelled', 'local|birch-investor', '2025-05-06 16:00:00+00', '2025-05-06 16:00:00+00'),
  ('50000000-0000-4000-8000-000000000007', 'local|dogwood-investor', '40000000-0000-4000-8000-000000000005', 150000.00, 'GBP', 'active', 'local|dogwood-investor', '2025-05-07 16:00:00+00', '2025-05-07 16:00:00+00'),
  ('50000000-0000-4000-8000-000000000008', 'local|dogwood-investor', '40000000-0000-4000-8000-000000000001', 40000.00, 'USD', 'approved', 'local|dogwood-investor', '2025-05-08 16:00:00+00', '2025-05-08 16:00:00+00'),
  ('50000000-0000-4000-8000-000000000009', 'local|dogwood-investor', '40000000-0000-4000-8000-000000000006', 90000.00, 'GBP', 'redeemed', 'local|dogwood-investor', '2025-05-09 16:00:00+00', '2025-05-09 16:00:00+00'),
  ('50000000-0000-4000-8000-000000000010', 'local|cedar-investor', '40000000-0000-4000-8000-000000000001', 10000.00, 'USD', 'draft', 'local|cedar-investor', '2025-05-10 16:00:00+00', '2025-05-10 16:00:00+00'),
  ('50000000-0000-4000-8000-000000000011', 'local|cedar-investor', '40000000-0000-4000-8000-000000000002', 5000.00, 'EUR', 'submitted', 'local|cedar-investor', '2025-05-11 16:00:00+00', '2025-05-11 16:00:00+00');
