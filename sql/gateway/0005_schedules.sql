-- Runs of schedules. Only the services' login may use them, through these functions.
create table rowgate_events.schedule_run (
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
comment on table rowgate_events.schedule_run is 'Runs of schedules in the last 90 days. The command "rowgate jobs history" shows them.';
comment on column rowgate_events.schedule_run.scheduled_for is 'The scheduled time of the run. Null for a run started by "rowgate jobs run".';
comment on column rowgate_events.schedule_run.beat_at is 'Time of the process''s last heartbeat. A process without a heartbeat for 20 seconds counts as dead.';
comment on column rowgate_events.schedule_run.detail is 'Counts of the work done, or the error.';
comment on column rowgate_events.schedule_run.instance is 'The process of the run: machine, process id and a random word.';
-- This index is the lock: two runs of one schedule never overlap, on any machine.
create unique index schedule_run_running_key on rowgate_events.schedule_run (name) where outcome = 'running';
create unique index schedule_run_done_key on rowgate_events.schedule_run (name, scheduled_for) where outcome = 'ok';
create index schedule_run_name_id_idx on rowgate_events.schedule_run (name, id);
create index schedule_run_started_at_idx on rowgate_events.schedule_run (started_at);

create function rowgate_events.mark_dead_runs() returns integer
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare marked integer;
    begin
      update rowgate_events.schedule_run r
        set outcome = 'failed', finished_at = pg_catalog.clock_timestamp(),
          detail = r.detail || pg_catalog.jsonb_build_object('error', 'the process that ran it died')
        where r.outcome = 'running' and r.beat_at < pg_catalog.clock_timestamp() - interval '20 seconds';
      get diagnostics marked = row_count;
      return marked;
    end
  $$;
comment on function rowgate_events.mark_dead_runs() is 'Marks runs without a heartbeat for 20 seconds as failed. Returns how many.';

create function rowgate_events.begin_run(name text, scheduled_for timestamptz, instance text)
  returns table (run_id bigint, state text)
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare begun bigint;
    begin
      perform rowgate_events.mark_dead_runs();
      -- Skipping locked rows keeps two concurrent calls from waiting for each other.
      delete from rowgate_events.schedule_run r where r.id in (
        select o.id from rowgate_events.schedule_run o
        where o.outcome <> 'running' and o.started_at < pg_catalog.now() - interval '90 days'
        for update skip locked);
      insert into rowgate_events.schedule_run as r (name, scheduled_for, instance) values ($1, $2, $3)
        on conflict do nothing returning r.id into begun;
      if begun is null then return query select null::bigint, 'busy'; return; end if;
      -- At this point no other run of the schedule can end, so a run that ended meanwhile is visible.
      if exists (
        select from rowgate_events.schedule_run r where r.name = $1 and r.scheduled_for = $2 and r.outcome = 'ok'
      ) then
        delete from rowgate_events.schedule_run r where r.id = begun;
        return query select null::bigint, 'done';
        return;
      end if;
      return query select begun, 'begun';
    end
  $$;
comment on function rowgate_events.begin_run(text, timestamptz, text) is
  'Starts a run. State "busy" means that the schedule is running, "done" that it has already run for this time. Also deletes runs older than 90 days.';

create function rowgate_events.beat_run(run_id bigint) returns boolean
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    begin
      update rowgate_events.schedule_run r set beat_at = pg_catalog.clock_timestamp()
        where r.id = $1 and r.outcome = 'running';
      return found;
    end
  $$;
comment on function rowgate_events.beat_run(bigint) is 'Records a heartbeat. Returns false if the run was marked as failed; another run may have started since.';

create function rowgate_events.finish_run(run_id bigint, outcome text, detail jsonb) returns boolean
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    begin
      update rowgate_events.schedule_run r set outcome = $2, detail = $3, finished_at = pg_catalog.clock_timestamp()
        where r.id = $1 and r.outcome = 'running';
      return found;
    end
  $$;
comment on function rowgate_events.finish_run(bigint, text, jsonb) is 'Ends a run as ok or failed. Returns false if the run was already marked as failed.';

create function rowgate_events.run_history(name text, most integer) returns setof rowgate_events.schedule_run
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    begin
      return query select r.* from rowgate_events.schedule_run r where $1 is null or r.name = $1 order by r.id desc limit $2;
    end
  $$;
comment on function rowgate_events.run_history(text, integer) is 'Returns the latest runs of one schedule, or of all schedules if the name is null, newest first.';

create function rowgate_events.last_runs() returns setof rowgate_events.schedule_run
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    begin
      return query select distinct on (r.name) r.* from rowgate_events.schedule_run r order by r.name, r.id desc;
    end
  $$;
comment on function rowgate_events.last_runs() is 'Returns the latest run of each schedule.';

revoke all on function rowgate_events.mark_dead_runs(), rowgate_events.begin_run(text, timestamptz, text),
  rowgate_events.beat_run(bigint), rowgate_events.finish_run(bigint, text, jsonb),
  rowgate_events.run_history(text, integer), rowgate_events.last_runs() from public;

-- Earlier versions stored the runs in a table of the platform. Copy them, so that the history continues.
do $$
  begin
    if pg_catalog.to_regclass('rowgate_jobs.run') is null then return; end if;
    insert into rowgate_events.schedule_run
        (name, scheduled_for, started_at, beat_at, finished_at, outcome, detail, instance)
      select r.name, r.scheduled_for, r.started_at, r.beat_at, r.finished_at, r.outcome, r.detail, r.instance
      from rowgate_jobs.run r order by r.id;
  end
$$;
