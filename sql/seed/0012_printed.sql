-- What printed documents need besides: where bills go, and what investors agree to. Times stay as they were.

alter table public.organization disable trigger touch_updated_at;
update public.organization o set billing_address = a.billing_address, tax_number = a.tax_number
from (values
  ('00000000-0000-4000-8000-000000000001'::uuid, '8 Avenue des Tilleuls
L-1420 Luxembourg', 'LU 12345678'),
  ('00000000-0000-4000-8000-000000000002'::uuid, 'Seestrasse 40
8002 Zürich', 'CHE-123.456.789 MWST'),
  ('00000000-0000-4000-8000-000000000003'::uuid, '30 Marina Walk #12-01
Singapore 018960', null)
) as a (id, billing_address, tax_number)
where o.id = a.id and o.billing_address is null;
alter table public.organization enable trigger touch_updated_at;

alter table public.fund disable trigger touch_updated_at;
update public.fund f set user_agreement = a.user_agreement
from (values
  ('40000000-0000-4000-8000-000000000001'::uuid, 'Shares of young companies are hard to sell. Units can be redeemed once a year, on the last day of June, with ninety days'' notice.

The manager takes two per cent of the fund''s value a year, and a fifth of what it earns beyond eight per cent.

The value of units can fall as well as rise. An investor can lose all that was paid in, and no more.'),
  ('40000000-0000-4000-8000-000000000002'::uuid, 'Units may be redeemed at the end of each month with ten days'' notice.

Income is paid out in January and July.')
) as a (id, user_agreement)
where f.id = a.id and f.user_agreement is null;
alter table public.fund enable trigger touch_updated_at;
