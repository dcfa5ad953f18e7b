-- Runs of schedules, and the schedules' work on the platform's tables: prices and rates, daily snapshots, expiry,
-- deletion of old rows, and new attempts for stuck deliveries.

create table rowgate_jobs.run (
  id bigint generated always as identity primary key,
  name text not null check (name <> ''),
  scheduled_for timestamptz,
  started_at timestamptz not null default pg_catalog.now(),
  beat_at timestamptz not null default pg_catalog.now(),
  finished_at timestamptz,
  outcome text not null default 'running' check (outcome in ('running', 'ok', 'failed')),
  detail jsonb not null default '{}',
  instance text not null,
  check ((outcome = 'running') = (finished_at is null))
);
comment on table rowgate_jobs.run is 'Runs of schedules.';
comment on column rowgate_jobs.run.scheduled_for is 'The scheduled time of the run. Null for a run that a user requested.';
comment on column rowgate_jobs.run.beat_at is 'Time of the process''s last heartbeat. A process without a heartbeat for 20 seconds counts as dead.';
comment on column rowgate_jobs.run.detail is 'Counts of the work done, or the error.';
comment on column rowgate_jobs.run.instance is 'The process of the run: machine, process id and a random word.';
-- This index is the lock: two runs of one schedule never overlap, on any machine.
create unique index run_running_key on rowgate_jobs.run (name) where outcome = 'running';
create unique index run_done_key on rowgate_jobs.run (name, scheduled_for) where outcome = 'ok';
create index run_name_id_idx on rowgate_jobs.run (name, id);
create index run_started_at_idx on rowgate_jobs.run (started_at);

create function rowgate_jobs.mark_dead_runs() returns integer
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare marked integer;
    begin
      update rowgate_jobs.run r
        set outcome = 'failed', finished_at = pg_catalog.clock_timestamp(),
          detail = r.detail || pg_catalog.jsonb_build_object('error', 'the process that ran it died')
        where r.outcome = 'running' and r.beat_at < pg_catalog.clock_timestamp() - interval '20 seconds';
      get diagnostics marked = row_count;
      return marked;
    end
  $$;
comment on function rowgate_jobs.mark_dead_runs() is 'Marks runs without a heartbeat for 20 seconds as failed. Returns how many.';

create function rowgate_jobs.begin_run(name text, scheduled_for timestamptz, instance text)
  returns table (run_id bigint, state text)
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare begun bigint;
    begin
      perform rowgate_jobs.mark_dead_runs();
      insert into rowgate_jobs.run as r (name, scheduled_for, instance) values ($1, $2, $3)
        on conflict do nothing returning r.id into begun;
      if begun is null then return query select null::bigint, 'busy'; return; end if;
      -- At this point no other run of the schedule can end, so a run that ended meanwhile is visible.
      if exists (select from rowgate_jobs.run r where r.name = $1 and r.scheduled_for = $2 and r.outcome = 'ok') then
        delete from rowgate_jobs.run r where r.id = begun;
        return query select null::bigint, 'done';
        return;
      end if;
      return query select begun, 'begun';
    end
  $$;
comment on function rowgate_jobs.begin_run(text, timestamptz, text) is
  'Starts a run. State "busy" means that the schedule is running, "done" that it has already run for this time.';

create function rowgate_jobs.beat(run_id bigint) returns boolean
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    begin
      update rowgate_jobs.run r set beat_at = pg_catalog.clock_timestamp() where r.id = $1 and r.outcome = 'running';
      return found;
    end
  $$;
comment on function rowgate_jobs.beat(bigint) is 'Records a heartbeat. Returns false if the run was marked as failed; another run may have started since.';

create function rowgate_jobs.finish_run(run_id bigint, outcome text, detail jsonb) returns boolean
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    begin
      update rowgate_jobs.run r set outcome = $2, detail = $3, finished_at = pg_catalog.clock_timestamp()
        where r.id = $1 and r.outcome = 'running';
      return found;
    end
  $$;
comment on function rowgate_jobs.finish_run(bigint, text, jsonb) is 'Ends a run as ok or failed. Returns false if the run was already marked as failed.';

create function rowgate_jobs.history(name text, most integer) returns setof rowgate_jobs.run
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    begin
      return query select r.* from rowgate_jobs.run r where $1 is null or r.name = $1 order by r.id desc limit $2;
    end
  $$;
comment on function rowgate_jobs.history(text, integer) is 'Returns the latest runs of one schedule, or of all schedules if the name is null, newest first.';

create function rowgate_jobs.last_runs() returns setof rowgate_jobs.run
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    begin
      return query select distinct on (r.name) r.* from rowgate_jobs.run r order by r.name, r.id desc;
    end
  $$;
comment on function rowgate_jobs.last_runs() is 'Returns the latest run of each schedule.';

create function rowgate_jobs.clean(older_than interval default '90 days') returns bigint
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare deleted bigint;
    begin
      delete from rowgate_jobs.run r where r.outcome <> 'running' and r.started_at < pg_catalog.now() - $1;
      get diagnostics deleted = row_count;
      return deleted;
    end
  $$;
comment on function rowgate_jobs.clean(interval) is 'Deletes old runs. Returns how many.';

-- Prices and rates arrive as text and are converted only to numeric, so they lose no digits.
create function rowgate_jobs.median(numbers numeric[]) returns numeric
  language sql immutable
  set search_path = pg_catalog, pg_temp
  as $$
    select case when pg_catalog.max(n.amount) % 2 = 1 then pg_catalog.max(n.value) else pg_catalog.sum(n.value) * 0.5 end
    from (
      select u.value, pg_catalog.row_number() over (order by u.value) as place, pg_catalog.count(*) over () as amount
      from pg_catalog.unnest($1) u (value)
    ) n
    where n.place in ((n.amount + 1) / 2, (n.amount + 2) / 2);
  $$;
comment on function rowgate_jobs.median(numeric[]) is 'Returns the median: the number in the middle, or the mean of the two in the middle.';

create function rowgate_jobs.wallet_coins() returns setof text
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    begin
      return query
        select distinct w.coin from public.digital_wallet w where w.status <> 'archived' or w.balance <> 0 order by 1;
    end
  $$;
comment on function rowgate_jobs.wallet_coins() is 'Returns the coins for which the platform needs a price.';

create function rowgate_jobs.store_prices(quotes jsonb, quorum integer) returns jsonb
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare answer jsonb;
    begin
      with quote as (
        select q.coin, q.source, q.price::numeric as price
        from pg_catalog.jsonb_to_recordset($1) q (coin text, source text, price text)
      ), middle as (
        select q.coin, rowgate_jobs.median(pg_catalog.array_agg(q.price)) as price, pg_catalog.count(*) as answers
        from quote q group by q.coin
      ), agreed as (
        select m.coin, m.answers, pg_catalog.count(q.price) as sources, pg_catalog.min(q.source) as source,
          pg_catalog.round(rowgate_jobs.median(pg_catalog.array_agg(q.price) filter (where q.price is not null)), 18) as price
        from middle m
        left join quote q on q.coin = m.coin and pg_catalog.abs(q.price - m.price) <= m.price * 0.1
        group by m.coin, m.answers
      ), stored as (
        insert into public.coin_price (coin, currency, quoted_at, price, source, source_count)
          select a.coin, 'USD', pg_catalog.now(), a.price, case when a.sources > 1 then 'median' else a.source end, a.sources
          from agreed a
          where a.sources >= $2 and a.sources * 2 > a.answers and a.price > 0 and a.price < 1e20
          on conflict do nothing
          returning coin
      )
      select pg_catalog.jsonb_build_object(
          'stored', (select coalesce(pg_catalog.jsonb_agg(s.coin order by s.coin), '[]') from stored s),
          'refused', coalesce(pg_catalog.jsonb_agg(a.coin order by a.coin)
            filter (where a.coin not in (select s.coin from stored s)), '[]'))
        into answer from agreed a;
      return answer;
    end
  $$;
comment on function rowgate_jobs.store_prices(jsonb, integer) is
  'Stores the median price in US dollars of each coin: [{coin, source, price}]. Prices more than a tenth off the median of all are ignored. Without enough agreeing sources, and a majority of the given ones, no price is stored. Returns the coins as {stored, refused}.';

create function rowgate_jobs.mark_stale_prices(older_than interval) returns text[]
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare marked text[];
    begin
      with newest as (
        select p.coin, p.currency, pg_catalog.max(p.quoted_at) as quoted_at from public.coin_price p group by 1, 2
      ), changed as (
        update public.coin_price p set stale = true from newest n
          where p.coin = n.coin and p.currency = n.currency and p.quoted_at = n.quoted_at
            and not p.stale and p.quoted_at < pg_catalog.now() - $1
          returning p.coin
      )
      select coalesce(pg_catalog.array_agg(distinct c.coin order by c.coin), '{}') into marked from changed c;
      return marked;
    end
  $$;
comment on function rowgate_jobs.mark_stale_prices(interval) is 'Marks the newest price of each coin as stale if it is older than the given interval. Returns the coins.';

create function rowgate_jobs.refresh_wallet_values() returns integer
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare changed integer;
    begin
      -- The update reads the balance when it locks the row, so a concurrent change of the balance is included.
      update public.digital_wallet w set usd_value = pg_catalog.round(w.balance * n.price, 2)
        from (
          select c.coin, (
            select p.price from public.coin_price p
            where p.coin = c.coin and p.currency = 'USD' and p.quoted_at <= pg_catalog.now()
            order by p.quoted_at desc limit 1) as price
          from (select distinct d.coin from public.digital_wallet d) c
        ) n
        where n.coin = w.coin and pg_catalog.abs(w.balance * n.price) < 1e17
          and w.usd_value <> pg_catalog.round(w.balance * n.price, 2);
      get diagnostics changed = row_count;
      return changed;
    end
  $$;
comment on function rowgate_jobs.refresh_wallet_values() is 'Updates the value of each wallet at the newest price. Returns how many changed.';

create function rowgate_jobs.store_rates(rates jsonb, published date, source text) returns integer
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare stored integer;
    begin
      with euro as (
        select r.currency, r.rate::numeric as rate
        from pg_catalog.jsonb_to_recordset($1) r (currency text, rate text)
        where r.currency <> 'EUR'
      ), pair as (
        select 'EUR' as base, e.currency as quote, e.rate from euro e
        union all
        select e.currency, 'USD', d.rate / e.rate from euro e join euro d on d.currency = 'USD' where e.currency <> 'USD'
      )
      insert into public.currency_rate (base_currency, quote_currency, quoted_at, rate, source)
        -- Time of day at which the central banks agree on the rates.
        select p.base, p.quote, ($2 + time '14:10') at time zone 'Europe/Berlin', pg_catalog.round(p.rate, 10), $3
        from pair p where pg_catalog.round(p.rate, 10) > 0 and p.rate < 1e10
        on conflict do nothing;
      get diagnostics stored = row_count;
      return stored;
    end
  $$;
comment on function rowgate_jobs.store_rates(jsonb, date, text) is
  'Stores the euro rates of a day, [{currency, rate}], and the rates in US dollars calculated from them. Returns how many rates are new.';

create function rowgate_jobs.mark_stale_rates(older_than interval) returns text[]
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare marked text[];
    begin
      with newest as (
        select r.base_currency, r.quote_currency, pg_catalog.max(r.quoted_at) as quoted_at
        from public.currency_rate r group by 1, 2
      ), changed as (
        update public.currency_rate r set stale = true from newest n
          where r.base_currency = n.base_currency and r.quote_currency = n.quote_currency and r.quoted_at = n.quoted_at
            and not r.stale and r.quoted_at < pg_catalog.now() - $1
          returning r.base_currency || '/' || r.quote_currency as pair
      )
      select coalesce(pg_catalog.array_agg(c.pair order by c.pair), '{}') into marked from changed c;
      return marked;
    end
  $$;
comment on function rowgate_jobs.mark_stale_rates(interval) is 'Marks the newest rate of each pair as stale if it is older than the given interval. Returns the pairs.';

-- Older prices are not used, because they would not describe the day.
create function rowgate_jobs.coin_worth(coin text, day_end timestamptz) returns numeric
  language sql stable
  set search_path = pg_catalog, pg_temp
  as $$
    select p.price from public.coin_price p
    where p.coin = $1 and p.currency = 'USD' and p.quoted_at < $2 and p.quoted_at >= $2 - interval '24 hours'
    order by p.quoted_at desc limit 1;
  $$;
comment on function rowgate_jobs.coin_worth(text, timestamptz) is 'Returns the last price of a coin in US dollars in the 24 hours before the end of a day.';

-- Banks publish no rates while they are closed, which takes up to five days at Easter.
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
comment on function rowgate_jobs.currency_worth(text, timestamptz) is 'Returns the last rate of a currency in US dollars in the 5 days before the end of a day.';

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
          -- A value that exceeds the range of the total counts as unknown.
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
          -- A subject without any known value gets no snapshot. A total of 0 would be wrong.
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
  'Stores the value of each wallet, of each user''s wallets and of each organization at the end of a day, unless it is stored: {wallets, people, organizations, unpriced}.';

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
  'Stores the value of each fund at the end of a day, unless it is stored: active subscriptions minus withdrawals, plus the coins and money of settled trades. Returns {funds, unpriced}.';

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
          -- Profiles and documents are still valid on the day of expires_on.
          select 'kyc_profile', p.id, p.status from public.kyc_profile p where p.expires_on < today
          union all
          select 'kyc_document', d.id, d.status from public.kyc_document d where d.expires_on < today
        ) l
        where exists (
          select from rowgate_webhooks.allowed_move m
          where m.table_name = l.name and m.from_status = l.status and m.to_status = 'expired')
        order by l.name, l.id
      loop
        if rowgate_webhooks.try_move(late.name, late.id, 'expired', $1, 'it has expired') = 'moved' then
          counts := counts || pg_catalog.jsonb_build_object(late.name, coalesce((counts ->> late.name)::integer, 0) + 1);
        end if;
      end loop;
      return counts;
    end
  $$;
comment on function rowgate_jobs.expire(text) is
  'Expires quotes, trade requests, KYC profiles and KYC documents past their validity. Returns how many of each.';

create function rowgate_jobs.clean_platform() returns jsonb
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      counts jsonb := '{}';
      deleted bigint;
    begin
      delete from rowgate_auth.session s where s.expire < pg_catalog.now();
      get diagnostics deleted = row_count;
      counts := counts || pg_catalog.jsonb_build_object('sessions', deleted);
      delete from rowgate_auth.revoked_token t where t.expires_at < pg_catalog.now();
      get diagnostics deleted = row_count;
      counts := counts || pg_catalog.jsonb_build_object('revoked_tokens', deleted);
      delete from rowgate_auth.sdk_token t where t.expires_at < pg_catalog.now();
      get diagnostics deleted = row_count;
      counts := counts || pg_catalog.jsonb_build_object('sdk_tokens', deleted);
      delete from rowgate_auth.rate_limit l where l.expire < pg_catalog.date_part('epoch', pg_catalog.now()) * 1000;
      get diagnostics deleted = row_count;
      counts := counts || pg_catalog.jsonb_build_object('rate_limits', deleted);
      delete from public.notification n where n.read_at < pg_catalog.now() - interval '90 days';
      get diagnostics deleted = row_count;
      return counts || pg_catalog.jsonb_build_object('notifications', deleted);
    end
  $$;
comment on function rowgate_jobs.clean_platform() is
  'Deletes expired sessions, tokens and rate limits, and notifications read more than 90 days ago. Returns how many of each.';

create function rowgate_jobs.failing_triggers() returns jsonb
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    begin
      return coalesce((
        select jsonb_agg(jsonb_build_object('trigger', f.trigger, 'given_up', f.given_up, 'late', f.late, 'reason', f.reason)
          order by f.trigger)
        from (
          select e.trigger, count(*) filter (where e.dead_at > now() - interval '6 hours') as given_up,
            count(*) filter (where e.dead_at is null and e.delivered_at is null) as late,
            (array_agg(e.dead_reason order by e.dead_at desc) filter (where e.dead_at is not null))[1] as reason
          from rowgate_events.event e
          where e.dead_at > now() - interval '6 hours'
            or (e.dead_at is null and e.delivered_at is null and e.tries >= 3 and e.created_at < now() - interval '15 minutes')
          group by e.trigger
        ) f), '[]');
    end
  $$;
comment on function rowgate_jobs.failing_triggers() is
  'Returns event triggers with events given up in the last 6 hours, or late after 3 attempts: [{trigger, given_up, late, reason}].';

create function rowgate_jobs.tell_platform_admins(title text, body text) returns integer
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare notified integer;
    begin
      insert into public.notification (organization_id, user_id, kind, title, body)
        select u.organization_id, u.id, 'system', $1, $2 from public."user" u
        where u.platform_admin and u.status = 'active'
          -- A user with an unread notification of the same title gets no second one.
          and not exists (select from public.notification n where n.user_id = u.id and n.title = $1 and n.read_at is null);
      get diagnostics notified = row_count;
      return notified;
    end
  $$;
comment on function rowgate_jobs.tell_platform_admins(text, text) is
  'Notifies the platform''s administrators, except those with an unread notification of the same title. Returns how many.';

create function rowgate_jobs.resend_events() returns integer
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare sent integer;
    begin
      update rowgate_events.event e set relayed_at = null
        where e.delivered_at is null and e.dead_at is null and e.relayed_at < now() - interval '15 minutes'
          and not exists (
            select from rowgate_queue.job j
            where j.name in ('events', 'events-ordered', 'events-dead') and j.state < 'completed' and j.data ->> 'id' = e.id::text);
      get diagnostics sent = row_count;
      return sent;
    end
  $$;
comment on function rowgate_jobs.resend_events() is
  'Returns events to the relay that were handed to the queue but have no job. Returns how many.';

create function rowgate_jobs.stuck_callbacks() returns setof uuid
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    begin
      return query
        select i.id from rowgate_webhooks.inbox i
        where i.state = 'stored' and i.received_at < now() - interval '15 minutes'
          and not exists (
            select from rowgate_queue.job j
            where j.name in ('callbacks', 'callbacks-dead') and j.state < 'completed' and j.data ->> 'id' = i.id::text)
        order by i.received_at;
    end
  $$;
comment on function rowgate_jobs.stuck_callbacks() is
  'Returns callbacks stored more than 15 minutes ago that were not processed and have no job.';

create function rowgate_jobs.stuck_mails() returns setof uuid
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    begin
      return query
        select o.id from rowgate_mail.outbox o
        where o.state = 'waiting' and o.created_at < now() - interval '1 hour'
          and not exists (
            select from rowgate_queue.job j where j.id = o.id and j.name = 'mail' and j.state < 'completed')
        order by o.created_at;
    end
  $$;
comment on function rowgate_jobs.stuck_mails() is 'Returns mails that have waited for more than an hour and have no job.';

create function rowgate_jobs.late_mails() returns integer
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select count(*)::integer from rowgate_mail.outbox o
    where o.state = 'waiting' and o.created_at < now() - interval '1 hour';
  $$;
comment on function rowgate_jobs.late_mails() is 'Returns how many mails have waited for more than an hour.';

create function rowgate_jobs.balance_differences() returns jsonb
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    begin
      return (
        with counted as (
          select t.digital_wallet_id as id,
            sum(case t.direction when 'in' then t.amount else - t.amount - t.fee end) as balance
          from public.asset_transaction t join public.digital_wallet w on w.id = t.digital_wallet_id and w.coin = t.coin
          where t.counted_at is not null
          group by 1
        ), different as (
          select w.id, w.coin, w.balance, c.balance as counted
          from public.digital_wallet w join counted c on c.id = w.id where w.balance <> c.balance
        )
        select jsonb_build_object('count', count(*), 'first', coalesce((
            select jsonb_agg(jsonb_build_object('wallet', f.id, 'coin', f.coin, 'balance', f.balance::text, 'counted', f.counted::text)
              order by f.id)
            from (select * from different order by id limit 20) f), '[]'))
        from different);
    end
  $$;
comment on function rowgate_jobs.balance_differences() is
  'Returns wallets whose balance differs from the sum of their counted transactions: {count, first: [{wallet, coin, balance, counted}]}. It changes nothing.';

create function rowgate_jobs.late_transactions() returns jsonb
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    with late as (
      select t.id from public.asset_transaction t
      where t.occurred_at < now() - interval '24 hours' and (t.status in ('pending', 'pending_approval')
        or t.status = 'confirmed' and t.counted_at is null and t.updated_at < now() - interval '24 hours')
    )
    select jsonb_build_object('count', count(*),
      'first', coalesce((select jsonb_agg(f.id order by f.id) from (select id from late order by id limit 20) f), '[]'))
    from late;
  $$;
comment on function rowgate_jobs.late_transactions() is 'Returns transactions that have been pending, or confirmed and not counted, for more than a day: {count, first}.';

create function rowgate_jobs.request_reports_again() returns integer
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      stuck uuid;
      moved integer := 0;
    begin
      for stuck in
        select r.id from public.report r
        where r.status = 'generating' and r.updated_at < now() - interval '1 hour' order by r.id
      loop
        if rowgate_webhooks.try_move('report', stuck, 'requested', null, 'the worker that generated it stopped') = 'moved' then
          moved := moved + 1;
        end if;
      end loop;
      return moved;
    end
  $$;
comment on function rowgate_jobs.request_reports_again() is 'Sets reports that have been generating for more than an hour back to requested. Returns how many.';

revoke all on all functions in schema rowgate_jobs from public;
