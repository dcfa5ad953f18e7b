-- What effects of webhooks have in common: how amounts read, which coins stand for money, and who is told.

create function rowgate_webhooks.plain(amount numeric) returns text
  language sql immutable
  set search_path = pg_catalog, pg_temp
  as $$ select pg_catalog.trim_scale($1)::text $$;
comment on function rowgate_webhooks.plain(numeric) is 'An amount as people write it: without zeros at its end.';

create function rowgate_webhooks.stable_coins(currency text) returns text[]
  language sql immutable
  set search_path = pg_catalog, pg_temp
  as $$
    select case $1
        when 'USD' then array['USDC', 'USDT', 'USDP', 'PYUSD', 'DAI', 'TUSD']
        when 'EUR' then array['EURC', 'EURS', 'EURT']
        when 'GBP' then array['GBPT']
        when 'CHF' then array['XCHF']
        when 'SGD' then array['XSGD']
        else array[]::text[] end
  $$;
comment on function rowgate_webhooks.stable_coins(text) is 'Coins of which one is worth one unit of a currency.';

create function rowgate_webhooks.notify(user_id text, kind text, title text, body text, link text) returns void
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    insert into public.notification (organization_id, user_id, kind, title, body, link)
      select u.organization_id, u.id, $2, $3, coalesce($4, ''), $5
      from public."user" u where u.id = $1 and u.status = 'active';
  $$;
comment on function rowgate_webhooks.notify(text, text, text, text, text) is
  'Tells a person something; nothing where the person is gone or disabled.';

create function rowgate_webhooks.notify_role(
  organization_id uuid, role text, kind text, title text, body text, link text
) returns void
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    insert into public.notification (organization_id, user_id, kind, title, body, link)
      select u.organization_id, u.id, $3, $4, coalesce($5, ''), $6
      from public."user" u
      join public.user_role r on r.user_id = u.id and r.role = $2
      where u.status = 'active' and u.organization_id = coalesce($1, u.organization_id)
      order by u.id;
  $$;
comment on function rowgate_webhooks.notify_role(uuid, text, text, text, text, text) is
  'Tells all people of an organization who have a role; no organization: all who have it, as for roles that work for every organization.';

create function rowgate_webhooks.organization_contacts(organization_id uuid)
  returns table (email text, full_name text)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select c.email, c.full_name
    from (
      select u.email, u.full_name, rank() over (order by r.role = 'organization_admin' desc) as place
      from public."user" u
      join public.user_role r on r.user_id = u.id and r.role in ('organization_admin', 'accounting')
      where u.organization_id = $1 and u.status = 'active') c
    where c.place = 1
    order by c.email;
  $$;
comment on function rowgate_webhooks.organization_contacts(uuid) is
  'Who of an organization gets mail about its invoices: its active administrators, or its accounting people where it has none.';

create function rowgate_webhooks.notify_owner(
  organization_id uuid, user_id text, kind text, title text, body text, link text
) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    begin
      if $2 is null then
        perform rowgate_webhooks.notify_role($1, 'organization_admin', $3, $4, $5, $6);
      else
        perform rowgate_webhooks.notify($2, $3, $4, $5, $6);
      end if;
    end
  $$;
comment on function rowgate_webhooks.notify_owner(uuid, text, text, text, text, text) is
  'Tells the person whom something belongs to, or the administrators of the organization where it is nobody''s own.';

create function rowgate_webhooks.notify_fund(fund_id uuid, role text, kind text, title text, body text, link text)
  returns void
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select rowgate_webhooks.notify(a.user_id, $3, $4, $5, $6)
    from public.fund_access a
    join public.user_role r on r.user_id = a.user_id and r.role = $2
    where a.fund_id = $1
    order by a.user_id;
  $$;
comment on function rowgate_webhooks.notify_fund(uuid, text, text, text, text, text) is
  'Tells those who have access to a fund and a role.';

create function rowgate_webhooks.business_days_after(day date, days integer) returns date
  language sql immutable
  set search_path = pg_catalog, pg_temp
  as $$
    select d.day::date
    from pg_catalog.generate_series($1 + 1, $1 + 14 + 2 * $2, interval '1 day') d(day)
    where pg_catalog.date_part('isodow', d.day) < 6
    order by d.day offset $2 - 1 limit 1
  $$;
comment on function rowgate_webhooks.business_days_after(date, integer) is
  'The day that comes so many business days later; Saturdays and Sundays are none, holidays are.';

revoke all on all functions in schema rowgate_webhooks from public;
