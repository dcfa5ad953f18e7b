-- What reports on people and their decisions say, and which function answers for which kind of report.

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
comment on function rowgate_jobs.report_compliance(public.report, integer) is 'Who was verified and how, which reviews and alerts there were within the period, and how much moved.';

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
          -- People of other organizations are the platform's own, and nobody's business here.
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
comment on function rowgate_jobs.report_audit(public.report, integer) is 'What an auditor asks for: invoices and what was paid, who decided what, how people signed in, and how much moved.';

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
  'What a report that is being made says: {head, rows}, numbers as decimal text, at most so many rows of each kind. Null where it is not being made.';

revoke all on all functions in schema rowgate_jobs from public;
