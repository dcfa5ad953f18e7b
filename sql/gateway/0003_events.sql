-- Event triggers store an event in the transaction that changes the row. The event stays until it is delivered. The
-- trigger functions write with the rights of their owner; only the worker's login reads the events.
create schema rowgate_events;
revoke all on schema rowgate_events from public;

create table rowgate_events.event (
  id uuid not null default pg_catalog.gen_random_uuid(),
  -- Position in the order of events of the same row.
  place bigint not null generated always as identity,
  created_at timestamptz not null default pg_catalog.now(),
  trigger text not null,
  table_schema text not null,
  table_name text not null,
  op text not null check (op in ('INSERT', 'UPDATE', 'DELETE', 'MANUAL')),
  data jsonb not null,
  session_variables jsonb,
  order_key text,
  relayed_at timestamptz,
  tries integer not null default 0,
  earlier_tries integer not null default 0,
  delivered_at timestamptz,
  dead_at timestamptz,
  dead_reason text,
  primary key (created_at, id)
) partition by range (created_at);
comment on table rowgate_events.event is 'Row changes for which an event trigger exists, partitioned by the day of the transaction.';
comment on column rowgate_events.event.data is 'The row before and after the change: {"old": …, "new": …}.';
comment on column rowgate_events.event.session_variables is 'Role and session variables of the session that changed the row. The keys are the header names in lower case.';
comment on column rowgate_events.event.order_key is 'Events of one trigger with the same key are delivered one after the other. Null: in any order.';
comment on column rowgate_events.event.relayed_at is 'Time at which the event was handed to the queue. Null until then.';
comment on column rowgate_events.event.tries is 'Number of all delivery attempts.';
comment on column rowgate_events.event.earlier_tries is 'Number of delivery attempts before the last request to deliver the event again.';
comment on column rowgate_events.event.delivered_at is 'Time at which the receiver accepted the event.';
comment on column rowgate_events.event.dead_at is 'Time at which the worker gave the event up. It is not tried again without a request.';
comment on column rowgate_events.event.dead_reason is 'One sentence that says why the worker gave the event up.';
create index event_place_idx on rowgate_events.event (place) where relayed_at is null;
create index event_open_idx on rowgate_events.event (created_at) where delivered_at is null and dead_at is null;
create index event_dead_idx on rowgate_events.event (created_at) where dead_at is not null;
create index event_id_idx on rowgate_events.event (id);

-- Partition for days without a partition of their own, so that storing an event never fails for lack of a partition.
create table rowgate_events.event_default partition of rowgate_events.event default;

create table rowgate_events.attempt (
  event_id uuid not null,
  event_created_at timestamptz not null,
  number integer not null,
  at timestamptz not null,
  status integer,
  duration_ms integer not null,
  excerpt text,
  error text,
  primary key (event_created_at, event_id, number)
) partition by range (event_created_at);
comment on table rowgate_events.attempt is 'Delivery attempts, partitioned by the day of the event, so that attempts and events are dropped together.';
comment on column rowgate_events.attempt.status is 'HTTP status of the response. Null if there was no response.';
comment on column rowgate_events.attempt.excerpt is 'The beginning of the response body.';
comment on column rowgate_events.attempt.error is 'The reason why the response was missing or incomplete.';
create table rowgate_events.attempt_default partition of rowgate_events.attempt default;

create table rowgate_events.turn (
  name text primary key check (name in ('relay', 'upkeep')),
  at timestamptz not null default '-infinity'
);
comment on table rowgate_events.turn is 'Tasks that one worker at a time performs. The worker locks the row meanwhile.';
comment on column rowgate_events.turn.at is 'For relay: the latest start time given to a job of an ordered event. For upkeep: the time at which it ran last.';
insert into rowgate_events.turn (name) values ('relay'), ('upkeep');

create function rowgate_events.make_day(parent text, key text, day date) returns boolean
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  part text := format('%s_%s', parent, to_char(day, 'YYYYMMDD'));
  first timestamptz := day::timestamp at time zone 'UTC';
  next timestamptz := (day + 1)::timestamp at time zone 'UTC';
begin
  if to_regclass(format('rowgate_events.%I', part)) is not null then
    return false;
  end if;
  execute format(
    'create table rowgate_events.%I (like rowgate_events.%I including defaults including constraints)',
    part, parent
  );
  -- The existing rows must move first. Attaching the partition in this way does not block sessions that write to other
  -- days.
  execute format('lock table rowgate_events.%I in access exclusive mode', parent || '_default');
  execute format(
    'with moved as (
       delete from rowgate_events.%I where %I >= %L and %I < %L returning *
     )
     insert into rowgate_events.%I select * from moved',
    parent || '_default', key, first, key, next, part
  );
  execute format(
    'alter table rowgate_events.%I attach partition rowgate_events.%I for values from (%L) to (%L)',
    parent, part, first, next
  );
  return true;
end
$$;
comment on function rowgate_events.make_day(text, text, date) is 'Creates the partition of a day (UTC) unless it exists. Returns whether it created the partition.';

create function rowgate_events.prepare_days(ahead integer) returns integer
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
set lock_timeout = '2s'
as $$
declare
  today date := (now() at time zone 'UTC')::date;
  day date;
  made integer := 0;
begin
  perform from rowgate_events.turn where name = 'upkeep' for update;
  -- The function does not create partitions for today and yesterday: it would block sessions that write to the default
  -- partition.
  for day in
    select today + n from generate_series(1, least(ahead, 400)) n
    union
    select distinct (created_at at time zone 'UTC')::date from rowgate_events.event_default
    where created_at < (today - 1)::timestamp at time zone 'UTC'
    order by 1
  loop
    begin
      if rowgate_events.make_day('event', 'created_at', day) then
        made := made + 1;
      end if;
      perform rowgate_events.make_day('attempt', 'event_created_at', day);
    exception when lock_not_available then
      -- Another session holds the default partition for too long. The next call tries again.
      null;
    end;
  end loop;
  return made;
end
$$;
comment on function rowgate_events.prepare_days(integer) is 'Creates the partitions of the given number of coming days, and of earlier days whose rows are in the default partition. Returns how many partitions of events were created.';

-- Deletes single events of a day that still has undelivered ones. This happens before the function takes a lock that
-- blocks event triggers.
create function rowgate_events.thin_day(part text) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  execute format(
    'with gone as (
       delete from rowgate_events.%I e where (e.delivered_at is not null or e.dead_at is not null)
         and exists (select from rowgate_events.%I o where o.delivered_at is null and o.dead_at is null)
       returning e.created_at, e.id
     )
     delete from rowgate_events.attempt a using gone g
     where a.event_created_at = g.created_at and a.event_id = g.id',
    part, part
  );
end
$$;
comment on function rowgate_events.thin_day(text) is 'Deletes the finished events of a day and their attempts if the day still has undelivered events.';

create function rowgate_events.drop_day(part text) returns boolean
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  attempts text := replace(part, 'event_', 'attempt_');
  is_open boolean;
begin
  execute format('lock table rowgate_events.%I in access exclusive mode', part);
  execute format(
    'select exists (select from rowgate_events.%I where delivered_at is null and dead_at is null)', part
  ) into is_open;
  if is_open then
    return false;
  end if;
  execute format('drop table rowgate_events.%I', part);
  execute format('drop table if exists rowgate_events.%I', attempts);
  return true;
end
$$;
comment on function rowgate_events.drop_day(text) is 'Drops the partitions of a day''s events and attempts. Returns false, and drops nothing, if the day still has undelivered events.';

create function rowgate_events.clean(days integer) returns integer
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
set lock_timeout = '1s'
as $$
declare
  today date := (now() at time zone 'UTC')::date;
  parts text[];
  part text;
  dropped integer := 0;
begin
  perform from rowgate_events.turn where name = 'upkeep' for update;
  select coalesce(array_agg(c.relname::text order by c.relname), '{}') into parts
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'rowgate_events.event'::regclass and c.relname ~ '^event_[0-9]{8}$'
      and to_date(right(c.relname, 8), 'YYYYMMDD') < today - greatest(days, 1);
  foreach part in array parts loop
    begin
      perform rowgate_events.thin_day(part);
    exception when lock_not_available then
      -- Another session has locked one of the events. The next call tries again.
      null;
    end;
  end loop;
  -- From the first dropped partition until the end of the transaction, event triggers wait.
  foreach part in array parts loop
    begin
      if rowgate_events.drop_day(part) then
        dropped := dropped + 1;
      end if;
    exception when lock_not_available then
      -- A long transaction has written events to this day. The next call tries again.
      null;
    end;
  end loop;
  update rowgate_events.turn set at = now() where name = 'upkeep';
  return dropped;
end
$$;
comment on function rowgate_events.clean(integer) is 'Drops the days that ended more than the given number of days ago. Undelivered events stay. Returns how many days were dropped.';

-- Partitions for the first days, until a worker creates further ones.
select rowgate_events.make_day('event', 'created_at', (now() at time zone 'UTC')::date + n),
       rowgate_events.make_day('attempt', 'event_created_at', (now() at time zone 'UTC')::date + n)
from generate_series(0, 2) n;

revoke all on all functions in schema rowgate_events from public;
