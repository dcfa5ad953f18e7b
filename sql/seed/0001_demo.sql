-- Demo data: three organizations and people in every role. The same on every machine: fixed ids, fixed times.
-- Ids say what they are: the first digit is the kind of row, the last digits organization and number
-- (wallet 10000000-0000-4000-8000-000000000203 is the third wallet of organization 2).

insert into public.organization (id, name, country, status, created_at, updated_at) values
  ('00000000-0000-4000-8000-000000000001', 'Alder Capital', 'LU', 'active', '2025-01-01 09:00:00+00', '2025-01-01 09:00:00+00'),
  ('00000000-0000-4000-8000-000000000002', 'Birch Family Office', 'CH', 'active', '2025-01-02 09:00:00+00', '2025-01-02 09:00:00+00'),
  ('00000000-0000-4000-8000-000000000003', 'Cedar Markets', 'SG', 'active', '2025-01-03 09:00:00+00', '2025-01-03 09:00:00+00');

insert into public."user" (id, organization_id, email, full_name, created_at, updated_at) values
  ('local|alder-admin', '00000000-0000-4000-8000-000000000001', 'admin@alder.example', 'Ada Alder', '2025-01-10 10:00:00+00', '2025-01-10 10:00:00+00'),
  ('local|alder-member', '00000000-0000-4000-8000-000000000001', 'member@alder.example', 'Ben Alder', '2025-01-11 10:00:00+00', '2025-01-11 10:00:00+00'),
  ('local|alder-investor', '00000000-0000-4000-8000-000000000001', 'investor@alder.example', 'Cleo Alder', '2025-01-12 10:00:00+00', '2025-01-12 10:00:00+00'),
  ('local|alder-cardholder', '00000000-0000-4000-8000-000000000001', 'cardholder@alder.example', 'Dan Alder', '2025-01-13 10:00:00+00', '2025-01-13 10:00:00+00'),
  ('local|birch-admin', '00000000-0000-4000-8000-000000000002', 'admin@birch.example', 'Eva Birch', '2025-01-14 10:00:00+00', '2025-01-14 10:00:00+00'),
  ('local|birch-member', '00000000-0000-4000-8000-000000000002', 'member@birch.example', 'Finn Birch', '2025-01-15 10:00:00+00', '2025-01-15 10:00:00+00'),
  ('local|birch-investor', '00000000-0000-4000-8000-000000000002', 'investor@birch.example', 'Gia Birch', '2025-01-16 10:00:00+00', '2025-01-16 10:00:00+00'),
  ('local|cedar-admin', '00000000-0000-4000-8000-000000000003', 'admin@cedar.example', 'Hugo Cedar', '2025-01-17 10:00:00+00', '2025-01-17 10:00:00+00'),
  ('local|cedar-finance', '00000000-0000-4000-8000-000000000003', 'finance@cedar.example', 'Iris Cedar', '2025-01-18 10:00:00+00', '2025-01-18 10:00:00+00'),
  ('local|cedar-auditor', '00000000-0000-4000-8000-000000000003', 'auditor@cedar.example', 'Jon Cedar', '2025-01-19 10:00:00+00', '2025-01-19 10:00:00+00'),
  ('local|cedar-desk', '00000000-0000-4000-8000-000000000003', 'desk@cedar.example', 'Kim Cedar', '2025-01-20 10:00:00+00', '2025-01-20 10:00:00+00'),
  ('local|cedar-funds', '00000000-0000-4000-8000-000000000003', 'funds@cedar.example', 'Lea Cedar', '2025-01-21 10:00:00+00', '2025-01-21 10:00:00+00'),
  ('local|cedar-signatory', '00000000-0000-4000-8000-000000000003', 'signatory@cedar.example', 'Max Cedar', '2025-01-22 10:00:00+00', '2025-01-22 10:00:00+00');

-- Everybody is a user besides.
insert into public.user_role (user_id, role) select u.id, 'user' from public."user" u;

insert into public.user_role (user_id, role) values
  ('local|alder-admin', 'organization_admin'),
  ('local|alder-admin', 'client_user_admin'),
  ('local|alder-member', 'organization_member'),
  ('local|alder-investor', 'investor'),
  ('local|alder-investor', 'shareholder'),
  ('local|alder-cardholder', 'card_holder'),
  ('local|alder-cardholder', 'kyc_sdk_user'),
  ('local|alder-cardholder', 'workflow_sdk_user'),
  ('local|birch-admin', 'organization_admin'),
  ('local|birch-admin', 'family_office'),
  ('local|birch-member', 'organization_member'),
  ('local|birch-member', 'director'),
  ('local|birch-investor', 'investor'),
  ('local|birch-investor', 'beneficial_owner'),
  ('local|cedar-admin', 'organization_admin'),
  ('local|cedar-admin', 'digital_wallets_admin'),
  ('local|cedar-finance', 'accounting'),
  ('local|cedar-auditor', 'auditor'),
  ('local|cedar-auditor', 'compliance'),
  ('local|cedar-desk', 'front_office'),
  ('local|cedar-desk', 'trader'),
  ('local|cedar-funds', 'fund_manager'),
  ('local|cedar-signatory', 'fund_signatory');

insert into public.digital_wallet (id, organization_id, user_id, label, description, coin, wallet_type, address, balance, usd_value, status, created_by, created_at, updated_at) values
  ('10000000-0000-4000-8000-000000000101', '00000000-0000-4000-8000-000000000001', null, 'Alder treasury', 'Long-term reserves', 'BTC', 'cold', 'bc1-alder-treasury', 12.500000000000000000, 1250000.00, 'active', 'local|alder-admin', '2025-02-01 08:01:00+00', '2025-02-01 08:01:00+00'),
  ('10000000-0000-4000-8000-000000000102', '00000000-0000-4000-8000-000000000001', 'local|alder-cardholder', 'Alder operations', 'Day-to-day payments', 'ETH', 'hot', '0x-alder-operations', 40.250000000000000000, 120750.50, 'active', 'local|alder-admin', '2025-02-02 08:02:00+00', '2025-02-02 08:02:00+00'),
  ('10000000-0000-4000-8000-000000000103', '00000000-0000-4000-8000-000000000001', null, 'Alder escrow', 'Held until the audit ends', 'USDC', 'custodial', '0x-alder-escrow', 75000.000000000000000000, 75000.00, 'locked', 'local|alder-admin', '2025-02-03 08:03:00+00', '2025-02-03 08:03:00+00'),
  ('10000000-0000-4000-8000-000000000104', '00000000-0000-4000-8000-000000000001', null, 'Alder new desk', null, 'BTC', 'custodial', null, 0, 0.00, 'draft', 'local|alder-admin', '2025-02-04 08:04:00+00', '2025-02-04 08:04:00+00'),
  ('10000000-0000-4000-8000-000000000105', '00000000-0000-4000-8000-000000000001', 'local|alder-investor', 'Cleo personal', 'Smart account of an investor', 'ETH', 'smart_account', '0x-alder-cleo', 0.000000000000000001, 0.00, 'active', 'local|alder-investor', '2025-02-05 08:05:00+00', '2025-02-05 08:05:00+00'),
  ('10000000-0000-4000-8000-000000000201', '00000000-0000-4000-8000-000000000002', null, 'Birch vault', 'Family reserves', 'BTC', 'cold', 'bc1-birch-vault', 3.000000000000000000, 300000.00, 'active', 'local|birch-admin', '2025-02-06 08:01:00+00', '2025-02-06 08:01:00+00'),
  ('10000000-0000-4000-8000-000000000202', '00000000-0000-4000-8000-000000000002', null, 'Birch trust', 'Under a court order', 'ETH', 'custodial', '0x-birch-trust', 10.000000000000000000, 30000.00, 'locked', 'local|birch-admin', '2025-02-07 08:02:00+00', '2025-02-07 08:02:00+00'),
  ('10000000-0000-4000-8000-000000000203', '00000000-0000-4000-8000-000000000002', null, 'Birch charity', null, 'USDC', 'custodial', null, 0, 0.00, 'draft', 'local|birch-admin', '2025-02-08 08:03:00+00', '2025-02-08 08:03:00+00'),
  ('10000000-0000-4000-8000-000000000204', '00000000-0000-4000-8000-000000000002', 'local|birch-investor', 'Gia personal', 'Smart account of an investor', 'ETH', 'smart_account', '0x-birch-gia', 1.750000000000000000, 5250.25, 'active', 'local|birch-investor', '2025-02-09 08:04:00+00', '2025-02-09 08:04:00+00'),
  ('10000000-0000-4000-8000-000000000301', '00000000-0000-4000-8000-000000000003', null, 'Cedar liquidity', 'For trades over the counter', 'USDC', 'hot', '0x-cedar-liquidity', 2000000.000000000000000000, 2000000.00, 'active', 'local|cedar-admin', '2025-02-10 08:01:00+00', '2025-02-10 08:01:00+00'),
  ('10000000-0000-4000-8000-000000000302', '00000000-0000-4000-8000-000000000003', null, 'Cedar collateral', 'Pledged', 'BTC', 'custodial', 'bc1-cedar-collateral', 5.000000000000000000, 500000.00, 'locked', 'local|cedar-admin', '2025-02-11 08:02:00+00', '2025-02-11 08:02:00+00'),
  ('10000000-0000-4000-8000-000000000303', '00000000-0000-4000-8000-000000000003', null, 'Cedar sandbox', null, 'ETH', 'custodial', null, 0, 0.00, 'draft', 'local|cedar-admin', '2025-02-12 08:03:00+00', '2025-02-12 08:03:00+00'),
  ('10000000-0000-4000-8000-000000000304', '00000000-0000-4000-8000-000000000003', null, 'Cedar retired', 'Emptied in 2024', 'BTC', 'hot', 'bc1-cedar-retired', 0, 0.00, 'archived', 'local|cedar-admin', '2025-02-13 08:04:00+00', '2025-02-13 08:04:00+00');

insert into public.address_book_entry (id, organization_id, label, description, coin, address, status, created_by, created_at, updated_at) values
  ('20000000-0000-4000-8000-000000000101', '00000000-0000-4000-8000-000000000001', 'Exchange account', 'Monthly rebalancing', 'BTC', 'bc1-exchange-one', 'active', 'local|alder-admin', '2025-03-01 08:01:00+00', '2025-03-01 08:01:00+00'),
  ('20000000-0000-4000-8000-000000000102', '00000000-0000-4000-8000-000000000001', 'Old custodian', 'Payments stopped', 'ETH', '0x-old-custodian', 'locked', 'local|alder-admin', '2025-03-01 08:02:00+00', '2025-03-01 08:02:00+00'),
  ('20000000-0000-4000-8000-000000000103', '00000000-0000-4000-8000-000000000001', 'New law firm', null, 'USDC', null, 'draft', 'local|alder-admin', '2025-03-01 08:03:00+00', '2025-03-01 08:03:00+00'),
  ('20000000-0000-4000-8000-000000000201', '00000000-0000-4000-8000-000000000002', 'Family bank', 'Quarterly transfers', 'USDC', '0x-family-bank', 'active', 'local|birch-admin', '2025-03-02 08:01:00+00', '2025-03-02 08:01:00+00'),
  ('20000000-0000-4000-8000-000000000202', '00000000-0000-4000-8000-000000000002', 'Disputed address', 'Do not pay', 'BTC', 'bc1-disputed', 'locked', 'local|birch-admin', '2025-03-02 08:02:00+00', '2025-03-02 08:02:00+00'),
  ('20000000-0000-4000-8000-000000000203', '00000000-0000-4000-8000-000000000002', 'School fees', null, 'USDC', null, 'draft', 'local|birch-admin', '2025-03-02 08:03:00+00', '2025-03-02 08:03:00+00'),
  ('20000000-0000-4000-8000-000000000301', '00000000-0000-4000-8000-000000000003', 'Market maker', 'Settles daily', 'USDC', '0x-market-maker', 'active', 'local|cedar-admin', '2025-03-03 08:01:00+00', '2025-03-03 08:01:00+00'),
  ('20000000-0000-4000-8000-000000000302', '00000000-0000-4000-8000-000000000003', 'Frozen counterparty', 'Under review', 'ETH', '0x-frozen', 'locked', 'local|cedar-admin', '2025-03-03 08:02:00+00', '2025-03-03 08:02:00+00'),
  ('20000000-0000-4000-8000-000000000303', '00000000-0000-4000-8000-000000000003', 'Candidate broker', null, 'BTC', null, 'draft', 'local|cedar-admin', '2025-03-03 08:03:00+00', '2025-03-03 08:03:00+00');

insert into public.otc_quote (id, organization_id, digital_wallet_id, pair, side, quantity, price, fee, currency, status, expires_at, created_by, created_at, updated_at) values
  ('60000000-0000-4000-8000-000000000101', '00000000-0000-4000-8000-000000000001', '10000000-0000-4000-8000-000000000101', 'BTC/USD', 'buy', 1.500000000000000000, 100000.000000000000000000, 150.00, 'USD', 'settled', '2025-04-01 14:15:00+00', 'local|cedar-desk', '2025-04-01 14:01:00+00', '2025-04-01 14:01:00+00'),
  ('60000000-0000-4000-8000-000000000102', '00000000-0000-4000-8000-000000000001', '10000000-0000-4000-8000-000000000102', 'ETH/EUR', 'sell', 10.000000000000000000, 2750.500000000000000000, 27.50, 'EUR', 'expired', '2025-04-01 14:20:00+00', 'local|cedar-desk', '2025-04-01 14:02:00+00', '2025-04-01 14:02:00+00'),
  ('60000000-0000-4000-8000-000000000103', '00000000-0000-4000-8000-000000000001', '10000000-0000-4000-8000-000000000101', 'BTC/USD', 'sell', 0.250000000000000000, 101250.750000000000000000, 25.31, 'USD', 'quoted', '2099-01-01 00:00:00+00', 'local|cedar-desk', '2025-04-01 14:03:00+00', '2025-04-01 14:03:00+00'),
  ('60000000-0000-4000-8000-000000000201', '00000000-0000-4000-8000-000000000002', '10000000-0000-4000-8000-000000000201', 'BTC/USD', 'buy', 0.500000000000000000, 99875.000000000000000000, 49.94, 'USD', 'accepted', '2025-04-02 14:15:00+00', 'local|cedar-desk', '2025-04-02 14:01:00+00', '2025-04-02 14:01:00+00'),
  ('60000000-0000-4000-8000-000000000202', '00000000-0000-4000-8000-000000000002', null, 'ETH/USD', 'buy', 4.000000000000000000, 3000.000000000000000000, 12.00, 'USD', 'rejected', '2025-04-02 14:20:00+00', 'local|cedar-desk', '2025-04-02 14:02:00+00', '2025-04-02 14:02:00+00'),
  ('60000000-0000-4000-8000-000000000301', '00000000-0000-4000-8000-000000000003', '10000000-0000-4000-8000-000000000301', 'SOL/USD', 'buy', 100.000000000000000000, 150.125000000000000000, 15.01, 'USD', 'draft', null, 'local|cedar-desk', '2025-04-03 14:01:00+00', '2025-04-03 14:01:00+00');

insert into public.fund (id, organization_id, name, description, currency, status, created_by, created_at, updated_at) values
  ('40000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000003', 'Cedar Growth', 'Shares of young companies', 'USD', 'open', 'local|cedar-funds', '2025-01-21 12:00:00+00', '2025-01-21 12:00:00+00'),
  ('40000000-0000-4000-8000-000000000002', '00000000-0000-4000-8000-000000000003', 'Cedar Income', 'Bonds and loans', 'EUR', 'open', 'local|cedar-funds', '2025-01-22 12:00:00+00', '2025-01-22 12:00:00+00'),
  ('40000000-0000-4000-8000-000000000003', '00000000-0000-4000-8000-000000000003', 'Cedar Reserve', 'Gold and treasury bills', 'USD', 'closed', 'local|cedar-funds', '2025-01-23 12:00:00+00', '2025-01-23 12:00:00+00'),
  ('40000000-0000-4000-8000-000000000004', '00000000-0000-4000-8000-000000000001', 'Alder Ventures', 'Companies of the first round', 'USD', 'draft', 'local|alder-admin', '2025-01-24 12:00:00+00', '2025-01-24 12:00:00+00');

insert into public.fund_access (user_id, fund_id) values
  ('local|alder-investor', '40000000-0000-4000-8000-000000000001'),
  ('local|alder-investor', '40000000-0000-4000-8000-000000000002'),
  ('local|birch-investor', '40000000-0000-4000-8000-000000000002'),
  ('local|cedar-funds', '40000000-0000-4000-8000-000000000001'),
  ('local|cedar-funds', '40000000-0000-4000-8000-000000000002'),
  ('local|cedar-funds', '40000000-0000-4000-8000-000000000003'),
  ('local|cedar-signatory', '40000000-0000-4000-8000-000000000001');

-- Of each investor's subscriptions, one is to a fund that the investor has no access to (any more).
insert into public.fund_subscription (id, user_id, fund_id, subscription_amount, currency, status, created_by, created_at, updated_at) values
  ('50000000-0000-4000-8000-000000000001', 'local|alder-investor', '40000000-0000-4000-8000-000000000001', 250000.00, 'USD', 'active', 'local|alder-investor', '2025-05-01 16:00:00+00', '2025-05-01 16:00:00+00'),
  ('50000000-0000-4000-8000-000000000002', 'local|alder-investor', '40000000-0000-4000-8000-000000000002', 100000.50, 'EUR', 'active', 'local|alder-investor', '2025-05-02 16:00:00+00', '2025-05-02 16:00:00+00'),
  ('50000000-0000-4000-8000-000000000003', 'local|alder-investor', '40000000-0000-4000-8000-000000000002', 50000.00, 'EUR', 'submitted', 'local|alder-investor', '2025-05-03 16:00:00+00', '2025-05-03 16:00:00+00'),
  ('50000000-0000-4000-8000-000000000004', 'local|alder-investor', '40000000-0000-4000-8000-000000000003', 75000.00, 'USD', 'redeemed', 'local|alder-investor', '2025-05-04 16:00:00+00', '2025-05-04 16:00:00+00'),
  ('50000000-0000-4000-8000-000000000005', 'local|birch-investor', '40000000-0000-4000-8000-000000000002', 500000.00, 'EUR', 'active', 'local|birch-investor', '2025-05-05 16:00:00+00', '2025-05-05 16:00:00+00'),
  ('50000000-0000-4000-8000-000000000006', 'local|birch-investor', '40000000-0000-4000-8000-000000000001', 20000.00, 'USD', 'cancelled', 'local|birch-investor', '2025-05-06 16:00:00+00', '2025-05-06 16:00:00+00');

insert into public.invoice (id, organization_id, invoice_number, total, currency, status, issued_on, due_on, paid_at, internal_notes, cost_breakdown, created_by, created_at, updated_at) values
  ('30000000-0000-4000-8000-000000000101', '00000000-0000-4000-8000-000000000001', 'INV-2025-001', 1200.00, 'USD', 'paid', '2025-03-01', '2025-03-31', '2025-03-20 11:00:00+00', 'Paid early, offer a discount', '{"custody": 300.00, "staff": 250.50}', 'local|cedar-finance', '2025-06-01 07:01:00+00', '2025-06-01 07:01:00+00'),
  ('30000000-0000-4000-8000-000000000102', '00000000-0000-4000-8000-000000000001', 'INV-2025-002', 980.40, 'USD', 'overdue', '2025-04-01', '2025-04-30', null, 'Second reminder sent', '{"custody": 280.00, "staff": 190.10, "network": 12.75}', 'local|cedar-finance', '2025-06-01 07:02:00+00', '2025-06-01 07:02:00+00'),
  ('30000000-0000-4000-8000-000000000103', '00000000-0000-4000-8000-000000000001', 'INV-2025-003', 0.10, 'USD', 'draft', null, null, null, 'Waiting for the volume report', '{}', 'local|cedar-finance', '2025-06-01 07:03:00+00', '2025-06-01 07:03:00+00'),
  ('30000000-0000-4000-8000-000000000201', '00000000-0000-4000-8000-000000000002', 'INV-2025-001', 5400.00, 'CHF', 'issued', '2025-05-01', '2025-05-31', null, 'Ask for the tax number', '{"custody": 1500.00, "legal": 700.00}', 'local|cedar-finance', '2025-06-02 07:01:00+00', '2025-06-02 07:01:00+00'),
  ('30000000-0000-4000-8000-000000000202', '00000000-0000-4000-8000-000000000002', 'INV-2025-002', -150.00, 'CHF', 'void', '2025-05-10', '2025-06-09', null, 'Entered twice', '{"staff": 20.00}', 'local|cedar-finance', '2025-06-02 07:02:00+00', '2025-06-02 07:02:00+00'),
  ('30000000-0000-4000-8000-000000000301', '00000000-0000-4000-8000-000000000003', 'INV-2025-001', 310.75, 'SGD', 'paid', '2025-02-01', '2025-03-03', '2025-02-28 15:30:00+00', 'Internal account', '{"network": 45.00}', 'local|cedar-finance', '2025-06-03 07:01:00+00', '2025-06-03 07:01:00+00');
