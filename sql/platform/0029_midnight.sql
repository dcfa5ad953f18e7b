-- What is done once a day: snapshots of what everybody holds, the end of what has expired, and of what is not needed.

alter table public.portfolio_snapshot add column unpriced text[] not null default '{}';
comment on column public.portfolio_snapshot.unpriced is 'Coins and currencies that were held and had no price or rate of the day, so that the total lacks them.';

-- An old price would say nothing of the day.
create function rowgate_jobs.coin_worth(coin text, day_end timestamptz) returns numeric
  language sql stable
  set search_path = pg_catalog, pg_temp
  as $$
    select p.price from public.coin_price p
    where p.coin = $1 and p.currency = 'USD' and p.quoted_at < $2 and p.quoted_at >= $2 - interval '24 hours'
    order by p.quoted_at desc limit 1;
  $$;
comment on function rowgate_jobs.coin_worth(text, timestamptz) is 'The last price of a coin in the 24 hours before the end of a day, in US dollars.';

-- Rates stand still while banks are closed, up to five days at Easter.
create function rowgate_jobs.currency_worth(currency text, day_end timestamptz) returns numeric
  language sql stable
  set search_path = pg_catalog, pg_temp
  as $$
    select case when $1 = 'USD' then 1 else (
      select r.rate from public.currency_rate r
      where r.base_currency = $1 and r.quote_currency = 'USD'
        and r.quoted_at < $2 and r.quoted_at >= $2 - interval '5 days'
      order by r.quoted_at desc limit 1) end;
  $$;
comment on function rowgate_jobs.currency_worth(text, timestamptz) is 'The last rate of a currency in the 5 days before the end of a day, in US dollars.';

create function rowgate_jobs.snapshot_wallets(day date) returns jsonb
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      day_end constant timestamptz := ($1 + 1)::timestamp at time zone 'UTC';
      answer jsonb;
    begin
      with price as materialized (
        select c.coin, rowgate_jobs.coin_worth(c.coin, day_end) as price
        from (select distinct w.coin from public.digital_wallet w) c
      ), holding as materialized (
        select w.organization_id, w.user_id, w.id, w.coin, w.balance,
          -- Larger amounts than the total can hold are no amounts.
          case when w.balance = 0 then 0
            when pg_catalog.abs(w.balance * p.price) < 1e16 then pg_catalog.round(w.balance * p.price, 2) end as worth
        from public.digital_wallet w join price p on p.coin = w.coin
        where w.created_at < day_end and (w.status in ('active', 'locked') or w.balance <> 0)
      ), subject as (
        select h.organization_id, null::text as user_id, h.id as wallet_id, h.coin, h.balance, h.worth from holding h
        union all
        select h.organization_id, h.user_id, null, h.coin, h.balance, h.worth from holding h where h.user_id is not null
        union all
        select h.organization_id, null, null, h.coin, h.balance, h.worth from holding h
      ), coin as (
        select s.organization_id, s.user_id, s.wallet_id, s.coin, pg_catalog.sum(s.balance) as balance,
          pg_catalog.sum(s.worth) as worth, pg_catalog.bool_or(s.worth is null) as is_unpriced
        from subject s group by 1, 2, 3, 4
      ), taken as (
        insert into public.portfolio_snapshot
            (organization_id, user_id, digital_wallet_id, taken_on, total_usd, holdings, unpriced)
          select c.organization_id, c.user_id, c.wallet_id, $1, pg_catalog.sum(c.worth),
            pg_catalog.jsonb_object_agg(c.coin, c.balance),
            coalesce(pg_catalog.array_agg(c.coin order by c.coin) filter (where c.is_unpriced), '{}')
          from coin c group by 1, 2, 3
          -- What nothing is known of has no worth, not even none.
          having pg_catalog.sum(c.worth) is not null
          on conflict do nothing
          returning user_id, digital_wallet_id
      )
      select pg_catalog.jsonb_build_object(
          'wallets', pg_catalog.count(t.digital_wallet_id), 'people', pg_catalog.count(t.user_id),
          'organizations', pg_catalog.count(*) - pg_catalog.count(t.digital_wallet_id) - pg_catalog.count(t.user_id),
          'unpriced', (select coalesce(pg_catalog.jsonb_agg(distinct h.coin order by h.coin), '[]') from holding h where h.worth is null))
        into answer from taken t;
      return answer;
    end
  $$;
comment on function rowgate_jobs.snapshot_wallets(date) is
  'Stores what each wallet, each person by wallets, and each organization was worth at the end of a day, unless that is stored: {wallets, people, organizations, unpriced}.';

create function rowgate_jobs.snapshot_funds(day date) returns jsonb
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      day_end constant timestamptz := ($1 + 1)::timestamp at time zone 'UTC';
      answer jsonb;
    begin
      with trade as (
        select t.fund_id, t.currency, t.fee, t.executed_quantity * t.executed_price as money,
          pg_catalog.split_part(t.pair, '/', 1) as coin, t.executed_quantity as quantity, case t.side when 'buy' then 1 else -1 end as sign
        from public.trade_request t
        where t.fund_id is not null and t.status = 'settled' and t.executed_price is not null
      ), entry as (
        select s.fund_id, s.currency as thing, false as is_coin, s.subscription_amount as amount
          from public.fund_subscription s where s.status = 'active'
        union all
        select t.fund_id, t.currency, false, - t.sign * t.money - t.fee from trade t
        union all
        select w.fund_id, w.currency, false, - w.amount - w.fee
          from public.fiat_withdrawal_request w where w.fund_id is not null and w.status = 'completed'
        union all
        select t.fund_id, t.coin, true, t.sign * t.quantity from trade t
      ), position as (
        select e.fund_id, e.thing, e.is_coin, pg_catalog.sum(e.amount) as amount from entry e group by 1, 2, 3
      ), valued as (
        select p.*, case when p.amount = 0 then 0 else pg_catalog.round(p.amount * case when p.is_coin
            then rowgate_jobs.coin_worth(p.thing, day_end) else rowgate_jobs.currency_worth(p.thing, day_end) end, 2) end as worth
        from position p
      ), total as (
        select f.organization_id, f.id, pg_catalog.count(v.thing) as things, pg_catalog.sum(v.worth) as worth,
          coalesce(pg_catalog.jsonb_object_agg(v.thing, v.amount) filter (where v.is_coin), '{}') as holdings,
          coalesce(pg_catalog.array_agg(v.thing order by v.thing) filter (where v.worth is null and v.thing is not null), '{}') as unpriced
        from public.fund f left join valued v on v.fund_id = f.id
        where f.status in ('open', 'closed') and f.created_at < day_end
        group by 1, 2
      ), taken as (
        insert into public.portfolio_snapshot (organization_id, fund_id, taken_on, total_usd, holdings, unpriced)
          select t.organization_id, t.id, $1, coalesce(t.worth, 0), t.holdings, t.unpriced from total t
          where (t.worth is not null or t.things = 0) and coalesce(pg_catalog.abs(t.worth), 0) < 1e17
          on conflict do nothing
          returning fund_id
      )
      select pg_catalog.jsonb_build_object('funds', pg_catalog.count(*),
          'unpriced', (select coalesce(pg_catalog.jsonb_agg(distinct u.thing order by u.thing), '[]')
            from total t cross join lateral pg_catalog.unnest(t.unpriced) u (thing)))
        into answer from taken;
      return answer;
    end
  $$;
comment on function rowgate_jobs.snapshot_funds(date) is
  'Stores what each fund was worth at the end of a day, unless that is stored: active subscriptions, less what was paid out, and the coins and money of settled trades. Returns {funds, unpriced}.';

create function rowgate_jobs.expire(event_id text) returns jsonb
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      today constant date := (pg_catalog.now() at time zone 'UTC')::date;
      late record;
      counts jsonb := '{}';
    begin
      for late in
        select l.* from (
          select 'otc_quote' as name, q.id, q.status from public.otc_quote q where q.expires_at < pg_catalog.now()
          union all
          select 'trade_request', t.id, t.status from public.trade_request t where t.expires_at < pg_catalog.now()
          union all
          -- The day itself still counts.
          select 'kyc_profile', p.id, p.status from public.kyc_profile p where p.expires_on < today
          union all
          select 'kyc_document', d.id, d.status from public.kyc_document d where d.expires_on < today
        ) l
        where exists (
          select from rowgate_webhooks.allowed_move m
          where m.table_name = l.name and m.from_status = l.status and m.to_status = 'expired')
        order by l.name, l.id
      loop
        if rowgate_webhooks.try_move(late.name, late.id, 'expired', $1, 'its time is over') = 'moved' then
          counts := counts || pg_catalog.jsonb_build_object(late.name, coalesce((counts ->> late.name)::integer, 0) + 1);
        end if;
      end loop;
      return counts;
    end
  $$;
comment on function rowgate_jobs.expire(text) is
  'Ends quotes, trade requests and verifications whose time is over. Returns how many of each.';

create function rowgate_jobs.clean_platform() returns jsonb
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      counts jsonb := '{}';
      gone bigint;
    begin
      delete from rowgate_auth.session s where s.expire < pg_catalog.now();
      get diagnostics gone = row_count;
      counts := counts || pg_catalog.jsonb_build_object('sessions', gone);
      delete from rowgate_auth.revoked_token t where t.expires_at < pg_catalog.now();
      get diagnostics gone = row_count;
      counts := counts || pg_catalog.jsonb_build_object('revoked_tokens', gone);
      delete from rowgate_auth.sdk_token t where t.expires_at < pg_catalog.now();
      get diagnostics gone = row_count;
      counts := counts || pg_catalog.jsonb_build_object('sdk_tokens', gone);
      delete from rowgate_auth.rate_limit l where l.expire < pg_catalog.date_part('epoch', pg_catalog.now()) * 1000;
      get diagnostics gone = row_count;
      counts := counts || pg_catalog.jsonb_build_object('rate_limits', gone);
      delete from public.notification n where n.read_at < pg_catalog.now() - interval '90 days';
      get diagnostics gone = row_count;
      return counts || pg_catalog.jsonb_build_object('notifications', gone);
    end
  $$;
comment on function rowgate_jobs.clean_platform() is
  'Forgets sessions, tokens and counts of tries that have expired, and notifications that were read 90 days ago. Returns how many of each.';

revoke all on all functions in schema rowgate_jobs from public;
