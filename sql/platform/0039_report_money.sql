-- What reports on money say. Each function reads the rows of the report's own organization, and of its person or fund where
-- it names one.

create function rowgate_jobs.report_wallets(report public.report) returns setof public.digital_wallet
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select w.* from public.digital_wallet w
    where w.organization_id = $1.organization_id
      and $1.fund_id is null and ($1.user_id is null or w.user_id = $1.user_id);
  $$;
comment on function rowgate_jobs.report_wallets(public.report) is 'The wallets that a report is on; a fund has none of its own.';

create function rowgate_jobs.report_transactions(report public.report) returns setof public.asset_transaction
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select t.* from public.asset_transaction t
    join rowgate_jobs.report_wallets($1) w on w.id = t.digital_wallet_id
    where t.organization_id = $1.organization_id
      and t.occurred_at >= $1.period_from::timestamp at time zone 'UTC'
      and t.occurred_at < ($1.period_to + 1)::timestamp at time zone 'UTC';
  $$;
comment on function rowgate_jobs.report_transactions(public.report) is 'The coins that moved within the period of a report.';

create function rowgate_jobs.report_trades(report public.report) returns setof public.trade_request
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select t.* from public.trade_request t
    where t.organization_id = $1.organization_id and t.status in ('executed', 'settled')
      and ($1.user_id is null or t.user_id = $1.user_id) and ($1.fund_id is null or t.fund_id = $1.fund_id)
      and t.executed_at >= $1.period_from::timestamp at time zone 'UTC'
      and t.executed_at < ($1.period_to + 1)::timestamp at time zone 'UTC';
  $$;
comment on function rowgate_jobs.report_trades(public.report) is 'The trades that were executed within the period of a report.';

create function rowgate_jobs.report_values(report public.report, most integer) returns jsonb
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    with day as (
      select s.taken_on, s.total_usd, s.holdings,
        row_number() over (order by s.taken_on) = 1 as is_first,
        row_number() over (order by s.taken_on desc) = 1 as is_last,
        row_number() over (partition by date_trunc('month', s.taken_on) order by s.taken_on desc) = 1 as ends_month
      from public.portfolio_snapshot s
      where s.organization_id = $1.organization_id and s.digital_wallet_id is null
        and s.user_id is not distinct from $1.user_id and s.fund_id is not distinct from $1.fund_id
        and s.taken_on between $1.period_from - 1 and $1.period_to
    )
    select jsonb_build_object(
      'values', coalesce((
        select jsonb_agg(jsonb_build_object('day', d.taken_on, 'usd', d.total_usd::text) order by d.taken_on)
        from (select * from day where is_first or is_last or ends_month order by taken_on limit $2) d), '[]'),
      'holdings', coalesce((
        select jsonb_agg(jsonb_build_object('coin', h.key, 'amount', h.value) order by h.key)
        from day d cross join lateral jsonb_each_text(d.holdings) h where d.is_last), '[]'));
  $$;
comment on function rowgate_jobs.report_values(public.report, integer) is
  'What the subject of a report was worth: on the first and last day known in its period, and at the end of each month.';

create function rowgate_jobs.report_portfolio(report public.report, most integer) returns jsonb
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select rowgate_jobs.report_values($1, $2) || jsonb_build_object('wallets', coalesce((
      select jsonb_agg(jsonb_build_object('label', w.label, 'coin', w.coin, 'type', w.wallet_type, 'status', w.status,
          'balance', s.amount, 'usd', s.usd) order by w.label, w.id)
      from (select * from rowgate_jobs.report_wallets($1) order by label, id limit $2) w
      left join lateral (
        select p.holdings ->> w.coin as amount, p.total_usd::text as usd from public.portfolio_snapshot p
        where p.organization_id = w.organization_id and p.digital_wallet_id = w.id
          and p.taken_on between $1.period_from - 1 and $1.period_to
        order by p.taken_on desc limit 1) s on true
      where w.created_at < ($1.period_to + 1)::timestamp at time zone 'UTC' and w.status <> 'draft'), '[]'));
  $$;
comment on function rowgate_jobs.report_portfolio(public.report, integer) is 'What there was of each coin and in each wallet at the end of the period, and what it was worth.';

create function rowgate_jobs.report_trade_rows(report public.report, most integer) returns jsonb
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select coalesce(jsonb_agg(jsonb_build_object('executedAt', t.executed_at, 'side', t.side, 'pair', t.pair,
      'quantity', t.executed_quantity::text, 'price', t.executed_price::text, 'fee', t.fee::text,
      'value', round(t.executed_quantity * t.executed_price, 2)::text, 'currency', t.currency)
      order by t.executed_at, t.id), '[]')
    from (select * from rowgate_jobs.report_trades($1) order by executed_at, id limit $2) t;
  $$;
comment on function rowgate_jobs.report_trade_rows(public.report, integer) is 'The trades of a report, as it prints them.';

create function rowgate_jobs.report_fund(report public.report, most integer) returns jsonb
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select rowgate_jobs.report_values($1, $2) || jsonb_build_object(
      -- Sums alone: whoever is in a fund reads its reports, and is not told who else is.
      'subscriptions', coalesce((
        select jsonb_agg(jsonb_build_object('status', s.status, 'count', s.many::text, 'amount', s.amount::text,
          'currency', s.currency) order by s.currency, s.status)
        from (
          select f.status, f.currency, count(*) as many, sum(f.subscription_amount) as amount
          from public.fund_subscription f join public.fund u on u.id = f.fund_id
          where f.fund_id = $1.fund_id and u.organization_id = $1.organization_id
            and f.status in ('submitted', 'approved', 'active', 'redeemed')
            and f.created_at < ($1.period_to + 1)::timestamp at time zone 'UTC'
          group by 1, 2) s), '[]'),
      'withdrawals', coalesce((
        select jsonb_agg(jsonb_build_object('reference', w.bank_reference, 'completedAt', w.completed_at,
          'amount', w.amount::text, 'fee', w.fee::text, 'currency', w.currency) order by w.completed_at, w.id)
        from (
          select * from public.fiat_withdrawal_request r
          where r.fund_id = $1.fund_id and r.organization_id = $1.organization_id and r.status = 'completed'
            and r.completed_at >= $1.period_from::timestamp at time zone 'UTC'
            and r.completed_at < ($1.period_to + 1)::timestamp at time zone 'UTC'
          order by r.completed_at, r.id limit $2) w), '[]'),
      'trades', rowgate_jobs.report_trade_rows($1, $2));
  $$;
comment on function rowgate_jobs.report_fund(public.report, integer) is 'What a fund was worth, how much is subscribed, and what was traded for it and paid out.';

create function rowgate_jobs.report_flows(report public.report) returns jsonb
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select coalesce(jsonb_agg(jsonb_build_object('coin', f.coin, 'in', f.came::text, 'inUsd', f.came_usd::text,
      'out', f.went::text, 'outUsd', f.went_usd::text, 'fees', f.fees::text, 'unpriced', f.unpriced::text)
      order by f.coin), '[]')
    from (
      select t.coin,
        coalesce(sum(t.amount) filter (where t.direction = 'in'), 0) as came,
        coalesce(sum(t.usd_value) filter (where t.direction = 'in'), 0) as came_usd,
        coalesce(sum(t.amount) filter (where t.direction = 'out'), 0) as went,
        coalesce(sum(t.usd_value) filter (where t.direction = 'out'), 0) as went_usd,
        coalesce(sum(t.fee) filter (where t.direction = 'out'), 0) as fees,
        count(*) filter (where t.usd_value is null) as unpriced
      from rowgate_jobs.report_transactions($1) t
      where t.status = 'confirmed'
      group by 1) f;
  $$;
comment on function rowgate_jobs.report_flows(public.report) is 'How much of each coin came in and left, and what that was worth at the time.';

create function rowgate_jobs.report_bank(report public.report, most integer) returns jsonb
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select coalesce(jsonb_agg(jsonb_build_object('completedAt', b.completed_at, 'kind', b.kind,
      'reference', b.bank_reference, 'amount', b.amount::text, 'fee', b.fee::text, 'currency', b.currency)
      order by b.completed_at, b.id), '[]')
    from (
      select * from (
        select d.id, 'deposit' as kind, d.completed_at, d.bank_reference, d.amount, d.fee, d.currency
        from public.fiat_deposit_request d
        where d.organization_id = $1.organization_id and d.status = 'completed' and $1.fund_id is null
          and ($1.user_id is null or d.user_id = $1.user_id)
        union all
        select w.id, 'withdrawal', w.completed_at, w.bank_reference, w.amount, w.fee, w.currency
        from public.fiat_withdrawal_request w
        where w.organization_id = $1.organization_id and w.status = 'completed'
          and ($1.user_id is null or w.user_id = $1.user_id) and ($1.fund_id is null or w.fund_id = $1.fund_id)) m
      where m.completed_at >= $1.period_from::timestamp at time zone 'UTC'
        and m.completed_at < ($1.period_to + 1)::timestamp at time zone 'UTC'
      order by m.completed_at, m.id limit $2) b;
  $$;
comment on function rowgate_jobs.report_bank(public.report, integer) is 'The money that came in and left by bank within the period of a report.';

create function rowgate_jobs.report_activity(report public.report, most integer) returns jsonb
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select jsonb_build_object(
      'flows', rowgate_jobs.report_flows($1),
      'bank', rowgate_jobs.report_bank($1, $2),
      'trades', rowgate_jobs.report_trade_rows($1, $2),
      'transactions', coalesce((
        select jsonb_agg(jsonb_build_object('occurredAt', t.occurred_at, 'wallet', w.label, 'kind', t.kind,
          'direction', t.direction, 'coin', t.coin, 'amount', t.amount::text, 'fee', t.fee::text,
          'usd', t.usd_value::text, 'status', t.status) order by t.occurred_at, t.id)
        from (select * from rowgate_jobs.report_transactions($1) order by occurred_at, id limit $2) t
        join public.digital_wallet w on w.id = t.digital_wallet_id), '[]'),
      'cards', coalesce((
        select jsonb_agg(jsonb_build_object('occurredAt', t.occurred_at, 'card', t.last_four, 'merchant', t.merchant_name,
          'status', t.status, 'amount', t.amount::text, 'currency', t.currency) order by t.occurred_at, t.id)
        from (
          select x.*, c.last_four from public.card_transaction x join public.card c on c.id = x.card_id
          where x.organization_id = $1.organization_id and $1.fund_id is null
            and ($1.user_id is null or c.user_id = $1.user_id) and x.status in ('settled', 'reversed')
            and x.occurred_at >= $1.period_from::timestamp at time zone 'UTC'
            and x.occurred_at < ($1.period_to + 1)::timestamp at time zone 'UTC'
          order by x.occurred_at, x.id limit $2) t), '[]'));
  $$;
comment on function rowgate_jobs.report_activity(public.report, integer) is 'All that moved within the period: coins, trades, money by bank and by card.';

create function rowgate_jobs.report_tax(report public.report, most integer) returns jsonb
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select jsonb_build_object(
      'flows', rowgate_jobs.report_flows($1),
      'trades', rowgate_jobs.report_trade_rows($1, $2),
      'bank', rowgate_jobs.report_bank($1, $2),
      'costs', coalesce((
        select jsonb_agg(jsonb_build_object('number', i.invoice_number, 'issuedOn', i.issued_on, 'tax', (
            select sum(l.tax_amount)::text from public.invoice_line l where l.invoice_id = i.id),
          'total', i.total::text, 'currency', i.currency, 'status', i.status) order by i.issued_on, i.invoice_number)
        from (
          select * from public.invoice n
          where n.organization_id = $1.organization_id and $1.user_id is null and $1.fund_id is null
            and n.status in ('issued', 'paid', 'overdue') and n.issued_on between $1.period_from and $1.period_to
          order by n.issued_on, n.invoice_number limit $2) i), '[]'));
  $$;
comment on function rowgate_jobs.report_tax(public.report, integer) is 'What a tax return asks for: what came in and left at the worth of the time, trades, and what the platform billed.';

revoke all on all functions in schema rowgate_jobs from public;
