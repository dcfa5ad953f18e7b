-- A card that its holder has stopped.

insert into public.card (id, organization_id, user_id, label, last_four, brand, status, spending_limit, balance, currency, expires_on, provider_card_id, created_by, created_at, updated_at) values
  ('c0000000-0000-4000-8000-000000000205', '00000000-0000-4000-8000-000000000002', 'local|birch-cardholder', 'Left at home', '2555', 'visa', 'frozen', 300.00, 40.00, 'CHF', '2027-09-30', 'card-birch-5', 'local|birch-admin', '2025-03-10 09:05:00+00', '2025-03-10 09:05:00+00');
