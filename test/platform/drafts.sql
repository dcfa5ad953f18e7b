-- Drafts that the demo data has none of, for facts about who may go on with them.
insert into public.fiat_deposit_request (id, organization_id, user_id, created_by, amount) values
  ('83000000-0000-4000-8000-000000000901', '00000000-0000-4000-8000-000000000001', 'local|alder-investor', 'local|alder-investor', 10),
  ('83000000-0000-4000-8000-000000000902', '00000000-0000-4000-8000-000000000001', 'local|alder-cardholder', 'local|alder-cardholder', 10);
insert into public.fiat_withdrawal_request (id, organization_id, user_id, fund_id, created_by, amount) values
  ('84000000-0000-4000-8000-000000000901', '00000000-0000-4000-8000-000000000001', 'local|alder-investor', null, 'local|alder-investor', 10),
  ('84000000-0000-4000-8000-000000000902', '00000000-0000-4000-8000-000000000001', 'local|alder-cardholder', null, 'local|alder-cardholder', 10),
  ('84000000-0000-4000-8000-000000000903', '00000000-0000-4000-8000-000000000003', null, '40000000-0000-4000-8000-000000000001', 'local|cedar-funds', 10);
insert into public.trade_request (id, organization_id, user_id, fund_id, created_by, quantity) values
  ('80000000-0000-4000-8000-000000000901', '00000000-0000-4000-8000-000000000001', 'local|alder-investor', null, 'local|alder-investor', 1),
  ('80000000-0000-4000-8000-000000000902', '00000000-0000-4000-8000-000000000001', 'local|alder-cardholder', null, 'local|alder-cardholder', 1),
  ('80000000-0000-4000-8000-000000000903', '00000000-0000-4000-8000-000000000003', null, '40000000-0000-4000-8000-000000000001', 'local|cedar-funds', 1);
insert into public.report (id, organization_id, fund_id, kind, title, created_by) values
  ('d1000000-0000-4000-8000-000000000901', '00000000-0000-4000-8000-000000000003', '40000000-0000-4000-8000-000000000001', 'fund', 'Cedar Growth', 'local|cedar-funds'),
  ('d1000000-0000-4000-8000-000000000902', '00000000-0000-4000-8000-000000000001', null, 'compliance', 'Alerts', 'local|alder-compliance');
