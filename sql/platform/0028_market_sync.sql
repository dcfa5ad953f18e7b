-- Prices of coins and rates of currencies, as the sources of this moment say them. Numbers arrive as texts and are never
-- anything but numeric.

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
comment on function rowgate_jobs.median(numeric[]) is 'The number in the middle, or exactly half-way between the two in the middle.';

create function rowgate_jobs.wallet_coins() returns setof text
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    begin
      return query
        select distinct w.coin from public.digital_wallet w where w.status <> 'archived' or w.balance <> 0 order by 1;
    end
  $$;
comment on function rowgate_jobs.wallet_coins() is 'The coins that a price is needed of.';

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
  'Stores the median price in US dollars of each coin: [{coin, source, price}]. What is more than a tenth off the median of all does not count; without enough sources that agree, or a majority of those that answered, there is no price. Returns the coins as {stored, refused}.';

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
comment on function rowgate_jobs.mark_stale_prices(interval) is 'Marks the newest price of each coin that is older than that. Returns the coins.';

create function rowgate_jobs.refresh_wallet_values() returns integer
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare changed integer;
    begin
      -- Of the wallet as it is when its turn comes: a balance that changes meanwhile counts.
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
comment on function rowgate_jobs.refresh_wallet_values() is 'Says what each wallet is worth at the newest price. Returns how many changed.';

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
        -- The time at which the central banks agree on them.
        select p.base, p.quote, ($2 + time '14:10') at time zone 'Europe/Berlin', pg_catalog.round(p.rate, 10), $3
        from pair p where pg_catalog.round(p.rate, 10) > 0 and p.rate < 1e10
        on conflict do nothing;
      get diagnostics stored = row_count;
      return stored;
    end
  $$;
comment on function rowgate_jobs.store_rates(jsonb, date, text) is
  'Stores what a euro bought on a day, [{currency, rate}], and what each currency was worth in US dollars by it. Returns how many pairs are new.';

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
comment on function rowgate_jobs.mark_stale_rates(interval) is 'Marks the newest rate of each pair that is older than that. Returns the pairs.';

revoke all on all functions in schema rowgate_jobs from public;
