-- What schedules did, and what they do with the platform's tables. Only the sidecar's login may use this schema, and asks
-- its functions.
create schema rowgate_jobs;
revoke all on schema rowgate_jobs from public;

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
comment on table rowgate_jobs.run is 'Each run of a schedule, the last ones first to be read by rowgate jobs history.';
comment on column rowgate_jobs.run.scheduled_for is 'The time of the schedule that it was for; absent where somebody asked for the run.';
comment on column rowgate_jobs.run.beat_at is 'When the process that runs it last said so; one that is silent for 20 seconds has died.';
comment on column rowgate_jobs.run.detail is 'What was done, in numbers, or what went wrong.';
comment on column rowgate_jobs.run.instance is 'The process that runs it: machine, number and a random word.';
-- The lock: nothing runs twice at once, wherever it was started.
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
comment on function rowgate_jobs.mark_dead_runs() is 'Gives up the runs whose process has not been heard of for 20 seconds. Returns how many.';

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
      -- Looked for now that no other run of it can end: one that ended meanwhile is seen.
      if exists (select from rowgate_jobs.run r where r.name = $1 and r.scheduled_for = $2 and r.outcome = 'ok') then
        delete from rowgate_jobs.run r where r.id = begun;
        return query select null::bigint, 'done';
        return;
      end if;
      return query select begun, 'begun';
    end
  $$;
comment on function rowgate_jobs.begin_run(text, timestamptz, text) is
  'Begins a run, unless the same schedule runs at this moment (busy), or has run for this time already (done).';

create function rowgate_jobs.beat(run_id bigint) returns boolean
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    begin
      update rowgate_jobs.run r set beat_at = pg_catalog.clock_timestamp() where r.id = $1 and r.outcome = 'running';
      return found;
    end
  $$;
comment on function rowgate_jobs.beat(bigint) is 'Says that a run goes on; false where it was given up meanwhile, so that another may have begun.';

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
comment on function rowgate_jobs.finish_run(bigint, text, jsonb) is 'Ends a run as ok or failed; false where it was given up meanwhile.';

create function rowgate_jobs.history(name text, most integer) returns setof rowgate_jobs.run
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    begin
      return query select r.* from rowgate_jobs.run r where $1 is null or r.name = $1 order by r.id desc limit $2;
    end
  $$;
comment on function rowgate_jobs.history(text, integer) is 'The last runs of a schedule, or of all: the newest first.';

create function rowgate_jobs.last_runs() returns setof rowgate_jobs.run
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    begin
      return query select distinct on (r.name) r.* from rowgate_jobs.run r order by r.name, r.id desc;
    end
  $$;
comment on function rowgate_jobs.last_runs() is 'The last run of each schedule.';

create function rowgate_jobs.clean(older_than interval default '90 days') returns bigint
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare gone bigint;
    begin
      delete from rowgate_jobs.run r where r.outcome <> 'running' and r.started_at < pg_catalog.now() - $1;
      get diagnostics gone = row_count;
      return gone;
    end
  $$;
comment on function rowgate_jobs.clean(interval) is 'Forgets the runs of long ago. Returns how many.';

revoke all on all functions in schema rowgate_jobs from public;
