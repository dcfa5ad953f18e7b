-- Daily values of holdings, and reports. A worker takes one report at a time and stores its file. Each function reads
-- only rows of the report's organization, and of its user or fund if it has one.

-- Schema for schedules and reports. Only the sidecar's login may use it, through its functions.
create schema rowgate_jobs;
revoke all on schema rowgate_jobs from public;

create table public.portfolio_snapshot (
  id uuid primary key default pg_catalog.gen_random_uuid(),
  organization_id uuid not null
    default (rowgate_api.session_variable('organization_id'))::uuid
    references public.organization,
  user_id text,
  fund_id uuid,
  digital_wallet_id uuid,
  taken_on date not null,
  total_usd numeric(20,2) not null check (total_usd <> 'NaN'),
  holdings jsonb not null default '{}' check (pg_catalog.jsonb_typeof(holdings) = 'object'),
  created_at timestamptz not null default pg_catalog.now(),
  unpriced text[] not null default '{}',
  foreign key (organization_id, user_id)
    references public."user" (organization_id, id) on update cascade on delete cascade,
  foreign key (organization_id, fund_id)
    references public.fund (organization_id, id),
  foreign key (organization_id, digital_wallet_id)
    references public.digital_wallet (organization_id, id),
  check (pg_catalog.num_nonnulls(user_id, fund_id, digital_wallet_id) <= 1)
);
comment on table public.portfolio_snapshot is 'Value of an organization, or of one user, fund or wallet, at the end of a day.';
comment on column public.portfolio_snapshot.id is 'Id of the snapshot.';
comment on column public.portfolio_snapshot.organization_id is 'The organization.';
comment on column public.portfolio_snapshot.user_id is 'The user of the snapshot. Null for other subjects.';
comment on column public.portfolio_snapshot.fund_id is 'The fund of the snapshot. Null for other subjects.';
comment on column public.portfolio_snapshot.digital_wallet_id is 'The wallet of the snapshot. Null for other subjects.';
comment on column public.portfolio_snapshot.taken_on is 'The day, in UTC.';
comment on column public.portfolio_snapshot.total_usd is 'Total value in US dollars.';
comment on column public.portfolio_snapshot.holdings is 'Amounts by ticker of the coin.';
comment on column public.portfolio_snapshot.created_at is 'Time at which the value was calculated.';
comment on column public.portfolio_snapshot.unpriced is 'Coins and currencies without a price or rate of the day. The total does not include them.';
create index portfolio_snapshot_organization_id_user_id_idx on public.portfolio_snapshot (organization_id, user_id);
create index portfolio_snapshot_user_id_idx on public.portfolio_snapshot (user_id);
create index portfolio_snapshot_organization_id_fund_id_idx on public.portfolio_snapshot (organization_id, fund_id);
create index portfolio_snapshot_fund_id_idx on public.portfolio_snapshot (fund_id);
create index portfolio_snapshot_organization_id_digital_wallet_id_idx on public.portfolio_snapshot (organization_id, digital_wallet_id);
create index portfolio_snapshot_digital_wallet_id_idx on public.portfolio_snapshot (digital_wallet_id);
create unique index portfolio_snapshot_organization_id_taken_on_subject_key on public.portfolio_snapshot (organization_id, taken_on, coalesce(user_id, fund_id::text, digital_wallet_id::text, ''));

-- The function returns a row only to the wallet's owner. The result is empty for other users, as for a missing wallet.
create function rowgate_documents.wallet_series(wallet_id uuid, owner_id text, days integer)
  returns table (label text, coin text, first_day date, totals text[])
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select w.label, w.coin, t.today - ($3 - 1), array(
      select coalesce(s.total_usd, case when d.day = t.today then t.worth end)::text
      from (select t.today - n from pg_catalog.generate_series($3 - 1, 0, -1) n) d (day)
      left join public.portfolio_snapshot s on s.digital_wallet_id = w.id and s.taken_on = d.day
      order by d.day)
    from public.digital_wallet w
    cross join lateral (
      -- Today has no snapshot yet, so the value uses the current price. A price older than 24 hours says nothing about
      -- today.
      select (pg_catalog.now() at time zone 'UTC')::date, (
        select pg_catalog.round(w.balance * p.price, 2) from public.coin_price p
        where p.coin = w.coin and p.currency = 'USD' and not p.stale and w.balance <> 'NaN'
          and p.quoted_at <= pg_catalog.now() and p.quoted_at > pg_catalog.now() - interval '24 hours'
        order by p.quoted_at desc limit 1)
    ) t (today, worth)
    where w.id = $1 and w.user_id = $2;
  $$;
comment on function rowgate_documents.wallet_series(uuid, text, integer) is
  'Returns the value of a wallet in US dollars at the end of each of the last days, including today. A day without a known value is null.';

create table public.report (
  id uuid primary key default pg_catalog.gen_random_uuid(),
  organization_id uuid not null
    default (rowgate_api.session_variable('organization_id'))::uuid
    references public.organization,
  user_id text,
  fund_id uuid,
  uploaded_file_id uuid,
  kind text not null default 'portfolio'
    check (kind in ('portfolio', 'fund', 'transactions', 'tax', 'compliance', 'audit')),
  title text not null default 'New report' check (title <> ''),
  period_from date not null default (pg_catalog.now() at time zone 'UTC')::date,
  period_to date not null default (pg_catalog.now() at time zone 'UTC')::date,
  status text not null default 'draft'
    check (status in ('draft', 'requested', 'generating', 'ready', 'failed', 'locked')),
  status_reason text,
  generated_at timestamptz,
  created_by text references public."user" on update cascade on delete set null,
  created_at timestamptz not null default pg_catalog.now(),
  updated_at timestamptz not null default pg_catalog.now(),
  foreign key (organization_id, user_id)
    references public."user" (organization_id, id) on update cascade,
  foreign key (organization_id, fund_id)
    references public.fund (organization_id, id),
  foreign key (organization_id, uploaded_file_id)
    references public.uploaded_file (organization_id, id),
  check (period_from <= period_to),
  check (pg_catalog.num_nonnulls(user_id, fund_id) <= 1)
);
comment on table public.report is 'A report on an organization, or on one of its users or funds.';
comment on column public.report.id is 'Id of the report.';
comment on column public.report.organization_id is 'The organization that the report concerns.';
comment on column public.report.user_id is 'The user that the report concerns, who may read it. Null for a report on the organization or a fund.';
comment on column public.report.fund_id is 'The fund that the report concerns. Null for other reports.';
comment on column public.report.uploaded_file_id is 'The file of the report. Null until it is ready.';
comment on column public.report.kind is 'portfolio, fund, transactions, tax, compliance or audit.';
comment on column public.report.title is 'Title on the report.';
comment on column public.report.period_from is 'First day of the period.';
comment on column public.report.period_to is 'Last day of the period.';
comment on column public.report.status is 'draft → requested → generating → ready or failed. generating or failed → requested for another attempt. ready → locked when it is final. A draft may be deleted.';
comment on column public.report.status_reason is 'Reason of the failure.';
comment on column public.report.generated_at is 'Time at which the file was generated.';
comment on column public.report.created_by is 'User who requested the report. Null for a schedule.';
comment on column public.report.created_at is 'Time at which the report was requested.';
comment on column public.report.updated_at is 'Time of the last change of the row.';
create index report_organization_id_user_id_idx on public.report (organization_id, user_id);
create index report_user_id_idx on public.report (user_id);
create index report_organization_id_fund_id_idx on public.report (organization_id, fund_id);
create index report_fund_id_idx on public.report (fund_id);
create index report_organization_id_uploaded_file_id_idx on public.report (organization_id, uploaded_file_id);
create index report_organization_id_status_idx on public.report (organization_id, status);
create index report_created_by_idx on public.report (created_by);
create index report_kind_idx on public.report (kind);
create index report_status_updated_at_idx on public.report (status, updated_at) where status in ('requested', 'generating');

create trigger touch_updated_at before update on public.report
  for each row execute function public.touch_updated_at();
create trigger check_move after update on public.report for each row
  when (old.status is distinct from new.status) execute function rowgate_webhooks.check_move();

create function rowgate_jobs.take_report(passed uuid[]) returns uuid
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      taken uuid;
      was text;
    begin
      select r.id, r.status into taken, was
        from public.report r
        where r.id <> all ($1)
          and (r.status = 'requested'
            -- A worker that takes longer than 15 minutes has died, or would have failed by now.
            or r.status = 'generating' and r.updated_at < now() - interval '15 minutes')
        order by r.updated_at, r.id
        limit 1
        for no key update skip locked;
      if not found then return null; end if;
      if was = 'requested' then
        perform rowgate_webhooks.try_move('report', taken, 'generating', null, null);
      end if;
      update public.report r set status_reason = null where r.id = taken;
      return taken;
    end
  $$;
comment on function rowgate_jobs.take_report(uuid[]) is
  'Takes the report that has waited longest: one that is requested, or has been generating for more than 15 minutes. Skips the given reports. Returns null if there is none.';

create function rowgate_jobs.finish_report(report_id uuid, file jsonb) returns boolean
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      report public.report;
      owner text;
      file_id uuid;
    begin
      select * into report from public.report r where r.id = $1 for no key update;
      if not found or report.status <> 'generating' then return false; end if;
      -- Users do not receive compliance and audit reports about themselves.
      if report.kind not in ('compliance', 'audit') then owner := report.user_id; end if;
      if owner is null then
        select u.id into owner from public."user" u
          where u.id = report.created_by and u.organization_id = report.organization_id;
      end if;
      insert into public.uploaded_file
          (organization_id, user_id, name, original_name, content_type, size, sha256, purpose, created_by)
        values (report.organization_id, owner, $2 ->> 'name', $2 ->> 'originalName', 'application/pdf',
          ($2 ->> 'size')::bigint, $2 ->> 'sha256', 'general', report.created_by)
        returning id into file_id;
      update public.report r set uploaded_file_id = file_id, generated_at = now() where r.id = $1;
      perform rowgate_webhooks.try_move('report', $1, 'ready', null, null);
      perform rowgate_webhooks.notify(coalesce(owner, report.created_by), 'report', 'A report is ready', report.title,
        '/static/file-uploads/' || ($2 ->> 'name'));
      -- A user who requests a report on another user is notified, but receives no link to that user's file.
      perform rowgate_webhooks.notify(report.created_by, 'report', 'A report is ready', report.title, null)
        where report.created_by <> owner;
      return true;
    end
  $$;
comment on function rowgate_jobs.finish_report(uuid, jsonb) is
  'Records the file of a report, {name, originalName, size, sha256}, and notifies its requester, and the user that it concerns if that user may read it. Returns false if another worker has finished the report, so that the file is not needed.';

create function rowgate_jobs.give_up_report(report_id uuid, reason text) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    begin
      if rowgate_webhooks.try_move('report', $1, 'failed', null, $2) = 'moved' then
        perform rowgate_webhooks.notify(r.created_by, 'report', 'A report could not be made', r.title || ': ' || $2, null)
          from public.report r where r.id = $1 and r.created_by is not null;
      end if;
    end
  $$;
comment on function rowgate_jobs.give_up_report(uuid, text) is 'Marks a report as failed and notifies its requester of the reason.';

create function rowgate_jobs.return_report(report_id uuid) returns void
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select rowgate_webhooks.try_move('report', r.id, 'requested', null, null)
    from public.report r where r.id = $1 and r.status = 'generating';
  $$;
comment on function rowgate_jobs.return_report(uuid) is 'Sets a report back to requested, because it cannot be generated at this time.';

create function rowgate_jobs.report_wallets(report public.report) returns setof public.digital_wallet
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select w.* from public.digital_wallet w
    where w.organization_id = $1.organization_id
      and $1.fund_id is null and ($1.user_id is null or w.user_id = $1.user_id);
  $$;
comment on function rowgate_jobs.report_wallets(public.report) is 'Returns the wallets of a report''s subject. A fund has no wallets.';

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
comment on function rowgate_jobs.report_transactions(public.report) is 'Returns the coin transactions within the period of a report.';

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
comment on function rowgate_jobs.report_trades(public.report) is 'Returns the trades executed within the period of a report.';

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
  'Returns the value of a report''s subject on the first and last known day of the period and at the end of each month.';

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
comment on function rowgate_jobs.report_portfolio(public.report, integer) is 'Returns amounts and values by coin and by wallet at the end of the period.';

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
comment on function rowgate_jobs.report_trade_rows(public.report, integer) is 'Returns the rows of a report''s trades.';

create function rowgate_jobs.report_fund(report public.report, most integer) returns jsonb
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select rowgate_jobs.report_values($1, $2) || jsonb_build_object(
      -- Only sums are reported: all investors read the fund's reports, and they must not see each other's names.
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
comment on function rowgate_jobs.report_fund(public.report, integer) is 'Returns the values, subscriptions, trades and withdrawals of a fund.';

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
comment on function rowgate_jobs.report_flows(public.report) is 'Returns received and sent amounts by coin, with their values at the time of each transaction.';

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
comment on function rowgate_jobs.report_bank(public.report, integer) is 'Returns the bank deposits and withdrawals within the period of a report.';

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
comment on function rowgate_jobs.report_activity(public.report, integer) is 'Returns all movements within the period: coins, trades, bank transfers and card payments.';

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
comment on function rowgate_jobs.report_tax(public.report, integer) is 'Returns the data of a tax return: received and sent coins at their value at the time, trades, and invoices of the platform.';

create function rowgate_jobs.report_compliance(report public.report, most integer) returns jsonb
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select jsonb_build_object(
      'profiles', coalesce((
        select jsonb_agg(jsonb_build_object('name', p.full_name, 'level', p.level_name, 'status', p.status,
          'risk', p.risk_level, 'pep', p.is_pep, 'sanctioned', p.is_sanctioned, 'reviewedAt', p.reviewed_at,
          'expiresOn', p.expires_on) order by p.full_name, p.id)
        from (
          select k.*, coalesce(u.full_name, u.email) as full_name
          from public.kyc_profile k join public."user" u on u.id = k.user_id
          where k.organization_id = $1.organization_id and ($1.user_id is null or k.user_id = $1.user_id)
            and k.created_at < ($1.period_to + 1)::timestamp at time zone 'UTC'
          order by 2, 1 limit $2) p), '[]'),
      'documents', coalesce((
        select jsonb_agg(jsonb_build_object('type', d.document_type, 'status', d.status, 'count', d.many::text,
          'expired', d.expired::text) order by d.document_type, d.status)
        from (
          select x.document_type, x.status, count(*) as many,
            count(*) filter (where x.expires_on <= $1.period_to) as expired
          from public.kyc_document x join public.kyc_profile k on k.id = x.kyc_profile_id
          where x.organization_id = $1.organization_id and ($1.user_id is null or k.user_id = $1.user_id)
            and x.created_at < ($1.period_to + 1)::timestamp at time zone 'UTC'
          group by 1, 2) d), '[]'),
      'cases', coalesce((
        select jsonb_agg(jsonb_build_object('number', c.case_number, 'kind', c.kind, 'title', c.title,
          'status', c.status, 'priority', c.priority, 'openedAt', c.opened_at, 'closedAt', c.closed_at)
          order by c.opened_at, c.id)
        from (
          select * from public."case" x
          where x.organization_id = $1.organization_id and ($1.user_id is null or x.user_id = $1.user_id)
            and x.kind in ('onboarding', 'kyc_review', 'aml_alert') and x.status <> 'draft'
            and x.opened_at < ($1.period_to + 1)::timestamp at time zone 'UTC'
            and (x.closed_at is null or x.closed_at >= $1.period_from::timestamp at time zone 'UTC')
          order by x.opened_at, x.id limit $2) c), '[]'),
      'flows', rowgate_jobs.report_flows($1));
  $$;
comment on function rowgate_jobs.report_compliance(public.report, integer) is 'Returns the data of a compliance report: verifications, reviews and alerts within the period, and moved amounts.';

create function rowgate_jobs.report_audit(report public.report, most integer) returns jsonb
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select jsonb_build_object(
      'invoices', coalesce((
        select jsonb_agg(jsonb_build_object('number', i.invoice_number, 'issuedOn', i.issued_on, 'dueOn', i.due_on,
          'total', i.total::text, 'paid', i.paid::text, 'currency', i.currency, 'status', i.status)
          order by i.issued_on, i.invoice_number)
        from (
          select n.*, coalesce((
              select sum(p.amount) from public.invoice_payment p
              where p.invoice_id = n.id and p.status = 'confirmed' and p.currency = n.currency), 0) as paid
          from public.invoice n
          where n.organization_id = $1.organization_id and $1.user_id is null and $1.fund_id is null
            and n.status <> 'draft' and n.issued_on between $1.period_from and $1.period_to
          order by n.issued_on, n.invoice_number limit $2) i), '[]'),
      'decisions', coalesce((
        select jsonb_agg(jsonb_build_object('at', d.reviewed_at, 'what', d.what, 'subject', d.subject, 'status', d.status,
          'by', d.reviewer, 'enteredBy', d.author) order by d.reviewed_at, d.id)
        from (
          -- Reviewers of other organizations belong to the platform, and their names are not shown.
          select x.*,
            case when x.reviewed_by is not null then
              case when r.organization_id = $1.organization_id then coalesce(r.full_name, r.email) else 'The platform' end
            end as reviewer,
            case when x.created_by is not null then
              case when a.organization_id = $1.organization_id then coalesce(a.full_name, a.email) else 'The platform' end
            end as author
          from (
            select t.id, 'trade' as what, t.side || ' ' || t.pair as subject, t.status, t.reviewed_by, t.reviewed_at,
              t.created_by, t.organization_id, t.user_id, t.fund_id from public.trade_request t
            union all
            select f.id, 'deposit', f.bank_reference, f.status, f.reviewed_by, f.reviewed_at,
              f.created_by, f.organization_id, f.user_id, null from public.fiat_deposit_request f
            union all
            select f.id, 'withdrawal', f.bank_reference, f.status, f.reviewed_by, f.reviewed_at,
              f.created_by, f.organization_id, f.user_id, f.fund_id from public.fiat_withdrawal_request f
            union all
            select t.id, 'transaction', t.kind || ' of ' || t.coin, t.status, t.reviewed_by, t.reviewed_at,
              null, t.organization_id, w.user_id, null
            from public.asset_transaction t join public.digital_wallet w on w.id = t.digital_wallet_id
          ) x
          left join public."user" r on r.id = x.reviewed_by
          left join public."user" a on a.id = x.created_by
          where x.organization_id = $1.organization_id
            and ($1.user_id is null or x.user_id = $1.user_id) and ($1.fund_id is null or x.fund_id = $1.fund_id)
            and x.reviewed_at >= $1.period_from::timestamp at time zone 'UTC'
            and x.reviewed_at < ($1.period_to + 1)::timestamp at time zone 'UTC'
          order by x.reviewed_at, x.id limit $2) d), '[]'),
      'logins', coalesce((
        select jsonb_agg(jsonb_build_object('kind', l.kind, 'people', l.people::text, 'count', l.many::text) order by l.kind)
        from (
          select e.kind, count(distinct e.user_id) as people, count(*) as many
          from public.login_event e
          where e.organization_id = $1.organization_id and $1.fund_id is null
            and ($1.user_id is null or e.user_id = $1.user_id)
            and e.occurred_at >= $1.period_from::timestamp at time zone 'UTC'
            and e.occurred_at < ($1.period_to + 1)::timestamp at time zone 'UTC'
          group by 1) l), '[]'),
      'flows', rowgate_jobs.report_flows($1));
  $$;
comment on function rowgate_jobs.report_audit(public.report, integer) is 'Returns the data of an audit report: invoices and payments, decisions with their reviewers, sign-in events, and moved amounts.';

create function rowgate_jobs.report_data(report_id uuid, most integer) returns jsonb
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      report public.report;
      head jsonb;
    begin
      select * into report from public.report r where r.id = $1 and r.status = 'generating';
      if not found then return null; end if;
      select jsonb_build_object('id', report.id, 'kind', report.kind, 'title', report.title,
          'from', report.period_from, 'to', report.period_to,
          'organization', jsonb_build_object('name', o.name, 'address', o.billing_address, 'taxNumber', o.tax_number),
          'person', (
            select jsonb_build_object('name', u.full_name, 'email', u.email) from public."user" u
            where u.id = report.user_id and u.organization_id = report.organization_id),
          'fund', (
            select jsonb_build_object('name', f.name, 'currency', f.currency, 'status', f.status) from public.fund f
            where f.id = report.fund_id and f.organization_id = report.organization_id))
        into head from public.organization o where o.id = report.organization_id;
      return jsonb_build_object('head', head, 'rows', case report.kind
        when 'portfolio' then rowgate_jobs.report_portfolio(report, $2)
        when 'fund' then rowgate_jobs.report_fund(report, $2)
        when 'transactions' then rowgate_jobs.report_activity(report, $2)
        when 'tax' then rowgate_jobs.report_tax(report, $2)
        when 'compliance' then rowgate_jobs.report_compliance(report, $2)
        when 'audit' then rowgate_jobs.report_audit(report, $2)
      end);
    end
  $$;
comment on function rowgate_jobs.report_data(uuid, integer) is
  'Returns the data of a report that is being generated: {head, rows}, with numbers as decimal text and at most the given number of rows of each kind. Returns null if the report is not being generated.';

revoke all on all functions in schema rowgate_documents from public;
revoke all on all functions in schema rowgate_jobs from public;
