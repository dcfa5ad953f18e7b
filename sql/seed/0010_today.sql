-- Moves the demo data to the present: its times were written as if today were 2025-06-15. Adds the prices of today, the
-- first deposits of wallets, and a greeting for each person. The setting rowgate.demo_date names another today, so that
-- tests see the same dates every day.

do $$
  declare
    chosen constant date := nullif(current_setting('rowgate.demo_date', true), '')::date;
    present constant timestamptz := coalesce((chosen + time '12:00') at time zone 'UTC', now());
    today constant date := (present at time zone 'UTC')::date;
    days constant integer := today - date '2025-06-15';
    moved record;
  begin
    for moved in
      select c.oid::regclass as name,
        string_agg(format('%1$I = %1$I + %2$L::interval', a.attname, days || ' days'), ', ') as changes
      from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        and a.atttypid in ('date'::regtype, 'timestamptz'::regtype) and a.attname <> 'date_of_birth'
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
        and exists (select from pg_attribute r where r.attrelid = c.oid and r.attname = 'created_at')
      group by c.oid
    loop
      -- The triggers would record the move as a change by a user.
      execute format('alter table %s disable trigger user', moved.name);
      -- A day is 24 hours in UTC, so the time of day stays. Rows of users are newer than the demo data.
      execute format('update %s set %s where created_at < %L', moved.name, moved.changes, '2025-06-16 00:00:00+00');
    end loop;

    update public.card set expires_on = date_trunc('month', expires_on + interval '1 month')::date - 1
      where id::text like 'c0000000-%';

    -- Work that is under way began a moment ago. Otherwise the reaper would report it as stuck.
    update public.asset_transaction set occurred_at = present - interval '2 hours', created_at = present - interval '2 hours',
        updated_at = present - interval '2 hours'
      where id::text like '82000000-%' and status in ('pending', 'pending_approval');
    update public.report set created_at = present - interval '10 minutes', updated_at = present - interval '5 minutes'
      where id::text like 'd1000000-%' and status = 'generating';

    -- Reports are about the month or the year before they were made.
    update public.report r set period_from = p.first, period_to = p.last,
        title = regexp_replace(r.title, '([A-Z][a-z]+ )?\d{4}$', to_char(p.first, p.form))
      from (
        select id, date_trunc(unit, created_at at time zone 'UTC' - ('1 ' || unit)::interval)::date as first,
          (date_trunc(unit, created_at at time zone 'UTC') - interval '1 day')::date as last,
          case unit when 'year' then 'YYYY' else 'FMMonth YYYY' end as form
        from public.report, lateral (select case when period_to - period_from > 300 then 'year' else 'month' end as unit) u
        where id::text like 'd1000000-%'
      ) p
      where r.id = p.id;
    update public.uploaded_file f set original_name = 'portfolio-' || to_char(r.period_from, 'YYYY-MM') || '.pdf'
      from public.report r where r.uploaded_file_id = f.id and f.original_name ~ '^portfolio-\d{4}-\d\d\.pdf$';
    update public.invoice_line l
      set description = regexp_replace(l.description, '[A-Z][a-z]+ \d{4}$', to_char(i.issued_on - interval '1 month', 'FMMonth YYYY'))
      from public.invoice i where i.id = l.invoice_id and l.id::text like '70000000-%' and i.issued_on is not null;

    -- The year of a number is the year of its row.
    update public.invoice set invoice_number = overlay(invoice_number placing to_char(coalesce(issued_on, created_at), 'YYYY') from 5 for 4)
      where invoice_number ~ '^INV-2025-000\d{3}$';
    update public.receipt set receipt_number = overlay(receipt_number placing to_char(issued_at, 'YYYY') from 5 for 4)
      where receipt_number ~ '^REC-2025-000\d{3}$';
    update public."case" set case_number = overlay(case_number placing to_char(created_at, 'YYYY') from 6 for 4)
      where case_number ~ '^CASE-2025-000\d{3}$';
    update public.notification n set body = i.invoice_number
      from public.invoice i where n.body ~ '^INV-2025-000\d{3}$' and right(i.invoice_number, 7) = right(n.body, 7);
    update public.notification n set body = c.case_number
      from public."case" c where n.body ~ '^CASE-2025-000\d{3}$' and right(c.case_number, 7) = right(n.body, 7);

    -- Wallets are valued at these prices.
    insert into public.coin_price (coin, currency, quoted_at, price, source, source_count, stale, created_at)
      select v.coin, 'USD', present - interval '5 minutes', v.price, 'median', 3, false, present - interval '5 minutes'
      from (values ('BTC', 100000.00), ('ETH', 3000.00), ('SOL', 150.00), ('USDC', 1.00)) v (coin, price)
      on conflict do nothing;

    -- The first deposit of a wallet makes its transactions add up to its balance.
    insert into public.asset_transaction (id, organization_id, digital_wallet_id, kind, direction, coin, amount, usd_value,
        status, occurred_at, confirmed_at, counted_at, created_at, updated_at)
      select ('82000000-0000-4000-8000-000000001' || right(w.id::text, 3))::uuid, w.organization_id, w.id, 'deposit', 'in', w.coin,
        w.balance - t.counted, round((w.balance - t.counted) * p.price, 2), 'confirmed', w.created_at, w.created_at, w.created_at,
        w.created_at, w.created_at
      from public.digital_wallet w
      join public.coin_price p on p.coin = w.coin and p.quoted_at = present - interval '5 minutes'
      cross join lateral (
        select coalesce(sum(case x.direction when 'in' then x.amount else - x.amount - x.fee end), 0) as counted
        from public.asset_transaction x
        where x.digital_wallet_id = w.id and x.counted_at is not null
      ) t
      where w.id::text like '10000000-0000-4000-8000-%' and w.balance > t.counted;

    insert into public.notification (id, organization_id, user_id, kind, title, body, created_at, updated_at)
      select md5(u.id)::uuid, u.organization_id, u.id, 'system', 'Welcome to ' || o.name,
        'You also have the roles ' || (
          select string_agg(r.role, ', ' order by r.role) from public.user_role r where r.user_id = u.id and r.role <> 'user')
          || '. A request names one of them in the header X-Gql-Role.', u.created_at, u.created_at
      from public."user" u join public.organization o on o.id = u.organization_id
      where u.id ~ '^local\|(alder|birch|cedar|dogwood)-' and u.status = 'active'
        and not exists (select from public.notification n where n.user_id = u.id);

    for moved in
      select c.oid::regclass as name from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
        and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'created_at')
    loop
      execute format('alter table %s enable trigger user', moved.name);
    end loop;
  end
$$;
