-- What the fourth organization has of wallets, addresses, quotes, funds and invoices; the first three stay as they were.

insert into public.digital_wallet (id, organization_id, user_id, label, description, coin, wallet_type, address, balance, usd_value, status, created_by, custody_wallet_id, created_at, updated_at) values
  ('10000000-0000-4000-8000-000000000401', '00000000-0000-4000-8000-000000000004', null, 'Dogwood reserve', 'Long-term reserves', 'BTC', 'cold', 'bc1-dogwood-reserve', 8.000000000000000000, 800000.00, 'active', 'local|dogwood-admin', 'cw-dogwood-1', '2025-02-14 08:01:00+00', '2025-02-14 08:01:00+00'),
  ('10000000-0000-4000-8000-000000000402', '00000000-0000-4000-8000-000000000004', null, 'Dogwood settlement', 'For trades and cards', 'USDC', 'custodial', '0x-dogwood-settlement', 410000.000000000000000000, 410000.00, 'active', 'local|dogwood-admin', 'cw-dogwood-2', '2025-02-15 08:02:00+00', '2025-02-15 08:02:00+00'),
  ('10000000-0000-4000-8000-000000000403', '00000000-0000-4000-8000-000000000004', null, 'Dogwood dispute', 'Frozen until the dispute ends', 'ETH', 'custodial', '0x-dogwood-dispute', 20.000000000000000000, 60000.00, 'locked', 'local|dogwood-admin', 'cw-dogwood-3', '2025-02-16 08:03:00+00', '2025-02-16 08:03:00+00'),
  ('10000000-0000-4000-8000-000000000404', '00000000-0000-4000-8000-000000000004', null, 'Dogwood next year', null, 'SOL', 'hot', null, 0, 0.00, 'draft', 'local|dogwood-admin', null, '2025-02-17 08:04:00+00', '2025-02-17 08:04:00+00'),
  ('10000000-0000-4000-8000-000000000405', '00000000-0000-4000-8000-000000000004', 'local|dogwood-investor', 'Gil personal', 'Smart account of an investor', 'ETH', 'smart_account', '0x-dogwood-gil', 6.250000000000000000, 18750.00, 'active', 'local|dogwood-investor', null, '2025-02-18 08:05:00+00', '2025-02-18 08:05:00+00'),
  ('10000000-0000-4000-8000-000000000406', '00000000-0000-4000-8000-000000000004', null, 'Dogwood first wallet', 'Emptied in 2024', 'BTC', 'hot', 'bc1-dogwood-first', 0, 0.00, 'archived', 'local|dogwood-admin', null, '2025-02-19 08:06:00+00', '2025-02-19 08:06:00+00');

insert into public.address_book_entry (id, organization_id, label, description, coin, address, status, created_by, created_at, updated_at) values
  ('20000000-0000-4000-8000-000000000401', '00000000-0000-4000-8000-000000000004', 'Broker', 'Settles weekly', 'USDC', '0x-broker', 'active', 'local|dogwood-admin', '2025-03-04 08:01:00+00', '2025-03-04 08:01:00+00'),
  ('20000000-0000-4000-8000-000000000402', '00000000-0000-4000-8000-000000000004', 'Returned payments', 'Do not pay', 'BTC', 'bc1-returned', 'locked', 'local|dogwood-admin', '2025-03-04 08:02:00+00', '2025-03-04 08:02:00+00'),
  ('20000000-0000-4000-8000-000000000403', '00000000-0000-4000-8000-000000000004', 'Second custodian', null, 'ETH', null, 'draft', 'local|dogwood-admin', '2025-03-04 08:03:00+00', '2025-03-04 08:03:00+00'),
  ('20000000-0000-4000-8000-000000000404', '00000000-0000-4000-8000-000000000004', 'Former auditor', 'Until 2024', 'BTC', 'bc1-former-auditor', 'archived', 'local|dogwood-admin', '2025-03-04 08:04:00+00', '2025-03-04 08:04:00+00');

insert into public.otc_quote (id, organization_id, digital_wallet_id, pair, side, quantity, price, fee, currency, status, expires_at, created_by, created_at, updated_at) values
  ('60000000-0000-4000-8000-000000000401', '00000000-0000-4000-8000-000000000004', '10000000-0000-4000-8000-000000000401', 'BTC/USD', 'sell', 2.000000000000000000, 100500.000000000000000000, 201.00, 'USD', 'settled', '2025-04-04 14:15:00+00', 'local|cedar-desk', '2025-04-04 14:01:00+00', '2025-04-04 14:01:00+00'),
  ('60000000-0000-4000-8000-000000000402', '00000000-0000-4000-8000-000000000004', '10000000-0000-4000-8000-000000000403', 'ETH/GBP', 'sell', 5.000000000000000000, 2350.000000000000000000, 11.75, 'GBP', 'rejected', '2025-04-04 14:20:00+00', 'local|cedar-desk', '2025-04-04 14:02:00+00', '2025-04-04 14:02:00+00'),
  ('60000000-0000-4000-8000-000000000403', '00000000-0000-4000-8000-000000000004', null, 'SOL/USD', 'buy', 50.000000000000000000, 151.500000000000000000, 7.58, 'USD', 'draft', null, 'local|cedar-desk', '2025-04-04 14:03:00+00', '2025-04-04 14:03:00+00');

insert into public.fund (id, organization_id, name, description, currency, status, created_by, user_agreement, created_at, updated_at) values
  ('40000000-0000-4000-8000-000000000005', '00000000-0000-4000-8000-000000000004', 'Dogwood Credit', 'Loans to mid-sized companies', 'GBP', 'open', 'local|dogwood-funds', 'Units may be redeemed at the end of a quarter with thirty days'' notice.

The value of units can fall as well as rise.', '2025-01-25 12:00:00+00', '2025-01-25 12:00:00+00'),
  ('40000000-0000-4000-8000-000000000006', '00000000-0000-4000-8000-000000000004', 'Dogwood Estates', 'Houses for rent', 'GBP', 'liquidated', 'local|dogwood-funds', null, '2025-01-26 12:00:00+00', '2025-01-26 12:00:00+00');

insert into public.fund_access (user_id, fund_id) values
  ('local|dogwood-investor', '40000000-0000-4000-8000-000000000005'),
  ('local|dogwood-investor', '40000000-0000-4000-8000-000000000001'),
  ('local|dogwood-funds', '40000000-0000-4000-8000-000000000005'),
  ('local|dogwood-funds', '40000000-0000-4000-8000-000000000006'),
  ('local|dogwood-signatory', '40000000-0000-4000-8000-000000000005'),
  ('local|cedar-investor', '40000000-0000-4000-8000-000000000001'),
  ('local|birch-funds', '40000000-0000-4000-8000-000000000002');

-- As before, one subscription of each investor is to a fund that the investor has no access to.
insert into public.fund_subscription (id, user_id, fund_id, subscription_amount, currency, status, created_by, created_at, updated_at) values
  ('50000000-0000-4000-8000-000000000007', 'local|dogwood-investor', '40000000-0000-4000-8000-000000000005', 150000.00, 'GBP', 'active', 'local|dogwood-investor', '2025-05-07 16:00:00+00', '2025-05-07 16:00:00+00'),
  ('50000000-0000-4000-8000-000000000008', 'local|dogwood-investor', '40000000-0000-4000-8000-000000000001', 40000.00, 'USD', 'approved', 'local|dogwood-investor', '2025-05-08 16:00:00+00', '2025-05-08 16:00:00+00'),
  ('50000000-0000-4000-8000-000000000009', 'local|dogwood-investor', '40000000-0000-4000-8000-000000000006', 90000.00, 'GBP', 'redeemed', 'local|dogwood-investor', '2025-05-09 16:00:00+00', '2025-05-09 16:00:00+00'),
  ('50000000-0000-4000-8000-000000000010', 'local|cedar-investor', '40000000-0000-4000-8000-000000000001', 10000.00, 'USD', 'draft', 'local|cedar-investor', '2025-05-10 16:00:00+00', '2025-05-10 16:00:00+00'),
  ('50000000-0000-4000-8000-000000000011', 'local|cedar-investor', '40000000-0000-4000-8000-000000000002', 5000.00, 'EUR', 'submitted', 'local|cedar-investor', '2025-05-11 16:00:00+00', '2025-05-11 16:00:00+00');

insert into public.invoice (id, organization_id, invoice_number, total, currency, status, issued_on, due_on, paid_at, internal_notes, cost_breakdown, created_by, created_at, updated_at) values
  ('30000000-0000-4000-8000-000000000401', '00000000-0000-4000-8000-000000000004', 'INV-2025-001', 2400.00, 'GBP', 'paid', '2025-03-01', '2025-03-31', '2025-03-28 12:00:00+00', 'Pays in two parts', '{"custody": 700.00, "staff": 310.00}', 'local|cedar-finance', '2025-06-04 07:01:00+00', '2025-06-04 07:01:00+00'),
  ('30000000-0000-4000-8000-000000000402', '00000000-0000-4000-8000-000000000004', 'INV-2025-002', 360.00, 'GBP', 'overdue', '2025-04-01', '2025-04-30', null, 'First payment was returned', '{"network": 18.20}', 'local|cedar-finance', '2025-06-04 07:02:00+00', '2025-06-04 07:02:00+00'),
  ('30000000-0000-4000-8000-000000000403', '00000000-0000-4000-8000-000000000004', 'INV-2025-003', 120.00, 'GBP', 'draft', null, null, null, 'Check the hours', '{}', 'local|cedar-finance', '2025-06-04 07:03:00+00', '2025-06-04 07:03:00+00'),
  ('30000000-0000-4000-8000-000000000404', '00000000-0000-4000-8000-000000000004', 'INV-2025-004', 1800.00, 'GBP', 'issued', '2025-05-15', '2025-06-14', null, 'A third has come in', '{"custody": 520.00, "legal": 90.00}', 'local|cedar-finance', '2025-06-04 07:04:00+00', '2025-06-04 07:04:00+00'),
  ('30000000-0000-4000-8000-000000000405', '00000000-0000-4000-8000-000000000004', 'INV-2025-005', 60.00, 'GBP', 'void', '2025-05-16', '2025-06-15', null, 'Wrong organization', '{}', 'local|cedar-finance', '2025-06-04 07:05:00+00', '2025-06-04 07:05:00+00');
