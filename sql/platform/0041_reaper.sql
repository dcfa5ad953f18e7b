-- What is looked after every few hours: receivers that fail, deliveries that are stuck, data that does not add up.

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
  'Event triggers whose events were given up in the last 6 hours, or are late after 3 tries: [{trigger, given_up, late, reason}].';

create function rowgate_jobs.tell_platform_admins(title text, body text) returns integer
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare told integer;
    begin
      insert into public.notification (organization_id, user_id, kind, title, body)
        select u.organization_id, u.id, 'system', $1, $2 from public."user" u
        where u.platform_admin and u.status = 'active'
          -- Who has not read it yet is not told again.
          and not exists (select from public.notification n where n.user_id = u.id and n.title = $1 and n.read_at is null);
      get diagnostics told = row_count;
      return told;
    end
  $$;
comment on function rowgate_jobs.tell_platform_admins(text, text) is
  'Notifies the people who administer the platform, unless they were and have not read it. Returns how many.';

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
  'Gives events back to the relay that were handed to the queue and that no job is there for. Returns how many.';

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
  'Callbacks that were stored 15 minutes ago, have had no effect, and that no job is there for.';

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
comment on function rowgate_jobs.stuck_mails() is 'Mails that wait for more than an hour and that no job is there for.';

create function rowgate_jobs.late_mails() returns integer
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select count(*)::integer from rowgate_mail.outbox o
    where o.state = 'waiting' and o.created_at < now() - interval '1 hour';
  $$;
comment on function rowgate_jobs.late_mails() is 'How many mails wait for more than an hour.';

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
  'Wallets whose balance is not what their counted transactions add up to: {count, first: [{wallet, coin, balance, counted}]}. Nothing is changed.';

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
comment on function rowgate_jobs.late_transactions() is 'Transactions that are pending, or confirmed and not counted, for more than a day: {count, first}.';

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
        if rowgate_webhooks.try_move('report', stuck, 'requested', null, 'whoever made it did not end') = 'moved' then
          moved := moved + 1;
        end if;
      end loop;
      return moved;
    end
  $$;
comment on function rowgate_jobs.request_reports_again() is 'Puts reports back among the requested ones that are being made for more than an hour. Returns how many.';

revoke all on all functions in schema rowgate_jobs from public;
