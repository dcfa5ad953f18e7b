-- The newest price of each coin and the newest rate of each currency, with their age, for metrics.

create function rowgate_jobs.newest_quotes()
  returns table (pair text, source text, value numeric, age_seconds double precision)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    begin
      -- One look into the index for each pair, because there are thousands of older prices.
      return query
        with recursive coin as (
          (select p.coin, p.currency from public.coin_price p order by p.coin, p.currency limit 1)
          union all
          select n.coin, n.currency from coin c cross join lateral (
            select p.coin, p.currency from public.coin_price p
            where (p.coin, p.currency) > (c.coin, c.currency) order by p.coin, p.currency limit 1) n
        ), currency as (
          (select r.base_currency, r.quote_currency from public.currency_rate r
            order by r.base_currency, r.quote_currency limit 1)
          union all
          select n.base_currency, n.quote_currency from currency c cross join lateral (
            select r.base_currency, r.quote_currency from public.currency_rate r
            where (r.base_currency, r.quote_currency) > (c.base_currency, c.quote_currency)
            order by r.base_currency, r.quote_currency limit 1) n
        ), newest as (
          select c.coin || '/' || c.currency as pair, p.source, p.price as value, p.quoted_at
          from coin c cross join lateral (
            select p.source, p.price, p.quoted_at from public.coin_price p
            where p.coin = c.coin and p.currency = c.currency and p.quoted_at <= pg_catalog.now()
            order by p.quoted_at desc limit 1) p
          union all
          select c.base_currency || '/' || c.quote_currency, r.source, r.rate, r.quoted_at
          from currency c cross join lateral (
            select r.source, r.rate, r.quoted_at from public.currency_rate r
            where r.base_currency = c.base_currency and r.quote_currency = c.quote_currency
              and r.quoted_at <= pg_catalog.now()
            order by r.quoted_at desc limit 1) r
        )
        select n.pair, n.source, n.value,
          pg_catalog.date_part('epoch', pg_catalog.now() - n.quoted_at)
        from newest n order by n.pair;
    end
  $$;
comment on function rowgate_jobs.newest_quotes() is
  'Returns the newest price of each coin and the newest rate of each pair of currencies, with its source and its age in seconds.';

revoke all on function rowgate_jobs.newest_quotes() from public;
