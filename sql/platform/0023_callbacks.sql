-- What providers call in, kept until it has had its effect, and what the effects are.

create table rowgate_webhooks.inbox (
  id uuid primary key default pg_catalog.gen_random_uuid(),
  provider text not null check (provider in ('custody', 'card', 'kyc', 'identity')),
  event_key text not null check (event_key <> ''),
  received_at timestamptz not null default pg_catalog.now(),
  body bytea not null,
  payload jsonb,
  state text not null default 'stored' check (state in ('stored', 'done', 'ignored', 'failed', 'malformed')),
  note text,
  settled_at timestamptz,
  unique (provider, event_key),
  check (payload is not null or state = 'malformed')
);
comment on table rowgate_webhooks.inbox is 'Callbacks of providers, each once.';
comment on column rowgate_webhooks.inbox.event_key is 'What tells it from others: log_id for the log stream, else the sha256 of the body.';
comment on column rowgate_webhooks.inbox.body is 'As it came, byte for byte; of a list of logs, the part of this one.';
comment on column rowgate_webhooks.inbox.payload is 'What the body says; absent where that cannot be used.';
comment on column rowgate_webhooks.inbox.state is 'stored → done, ignored (no effect, and none to come) or failed (given up; takes effect where the provider sends it again); malformed from the start.';
comment on column rowgate_webhooks.inbox.note is 'Why it is ignored, failed or malformed, or what is left to say of its effect.';
create index inbox_received_at_idx on rowgate_webhooks.inbox (received_at);
create index inbox_waiting_idx on rowgate_webhooks.inbox (state, received_at) where state in ('stored', 'failed', 'malformed');

create table rowgate_webhooks.last_heard (
  subject text not null,
  row_id uuid not null,
  said_at timestamptz not null,
  primary key (subject, row_id)
);
comment on table rowgate_webhooks.last_heard is
  'When a provider last said something about a row, by the provider''s clock, so that what comes late is not taken for news.';

create type rowgate_webhooks.outcome as (state text, note text, letter jsonb);
comment on type rowgate_webhooks.outcome is
  'What became of a callback: done or ignored, why, and what a mail is to be written about, if any.';

create function rowgate_webhooks.became(state text, note text, letter jsonb default null) returns rowgate_webhooks.outcome
  language sql immutable
  set search_path = pg_catalog, pg_temp
  as $$ select $1, $2, $3 $$;
comment on function rowgate_webhooks.became(text, text, jsonb) is 'An outcome of its parts.';

create function rowgate_webhooks.take_in(
  provider text, event_key text, body bytea, problem text,
  out id uuid, out duplicate boolean, out wake boolean
)
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      said jsonb := case when $4 is null then convert_from($3, 'UTF8')::jsonb end;
      there rowgate_webhooks.inbox;
    begin
      insert into rowgate_webhooks.inbox as i (provider, event_key, body, payload, state, note)
        values ($1, $2, $3, said, case when $4 is null then 'stored' else 'malformed' end, $4)
        on conflict do nothing
        returning i.id into id;
      if found then
        duplicate := false;
        wake := $4 is null;
        return;
      end if;
      select * into strict there from rowgate_webhooks.inbox i
        where i.provider = $1 and i.event_key = $2 for update;
      id := there.id;
      -- What this version can read is no repeat of what an earlier one could not.
      duplicate := there.state <> 'malformed' or $4 is not null;
      wake := $4 is null and there.state in ('malformed', 'failed');
      if wake then
        update rowgate_webhooks.inbox i
          set state = 'stored', note = null, settled_at = null, payload = said, body = $3
          where i.id = there.id;
      end if;
    end
  $$;
comment on function rowgate_webhooks.take_in(text, text, bytea, text) is
  'Stores a callback, or what is wrong with it; tells its id, whether it was there before, and whether a job is to be sent for it.';

create function rowgate_webhooks.take_in_logs(body bytea, event_keys text[], problems text[])
  returns table (id uuid, duplicate boolean, wake boolean)
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      log record;
    begin
      for log in
        -- In one order for all, so that two who bring the same logs wait for each other and not both.
        select convert_to(e.value::text, 'UTF8') as body, k.problem,
            coalesce(k.event_key, encode(sha256(convert_to(e.value::text, 'UTF8')), 'hex')) as event_key
          from json_array_elements(convert_from($1, 'UTF8')::json) with ordinality e(value, place)
          join unnest($2, $3) with ordinality k(event_key, problem, place) using (place)
          order by 3
      loop
        return query select t.* from rowgate_webhooks.take_in('identity', log.event_key, log.body, log.problem) t;
      end loop;
    end
  $$;
comment on function rowgate_webhooks.take_in_logs(bytea, text[], text[]) is
  'Stores each log of a list of the log stream, by its key, with what is wrong with it, if anything.';

create function rowgate_webhooks.claim_callback(id uuid) returns text
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$ select i.provider from rowgate_webhooks.inbox i where i.id = $1 and i.state = 'stored' for update $$;
comment on function rowgate_webhooks.claim_callback(uuid) is
  'Whose callback it is, which nobody else processes until the transaction ends; null where nothing is left to do.';

create function rowgate_webhooks.settle_callback(id uuid, state text, note text) returns void
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    update rowgate_webhooks.inbox i set state = $2, note = $3, settled_at = now() where i.id = $1 and i.state = 'stored';
  $$;
comment on function rowgate_webhooks.settle_callback(uuid, text, text) is 'Stores what became of a callback.';

create function rowgate_webhooks.note_failure(id uuid, note text) returns void
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$ update rowgate_webhooks.inbox i set note = $2 where i.id = $1 and i.state = 'stored' $$;
comment on function rowgate_webhooks.note_failure(uuid, text) is 'Stores why a callback could not be processed this time.';

create function rowgate_webhooks.give_up_callback(id uuid) returns text
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    update rowgate_webhooks.inbox i
      set state = 'failed', note = coalesce(i.note, 'whoever processed it came to an end'), settled_at = now()
      where i.id = $1 and i.state = 'stored'
      returning i.note;
  $$;
comment on function rowgate_webhooks.give_up_callback(uuid) is
  'Stores that a callback is not tried again, and returns why; null where it was settled before.';

create function rowgate_webhooks.clean_inbox(keep interval default interval '90 days') returns bigint
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      removed bigint;
    begin
      delete from rowgate_webhooks.inbox i where i.received_at < now() - $1 and i.state <> 'stored';
      get diagnostics removed = row_count;
      return removed;
    end
  $$;
comment on function rowgate_webhooks.clean_inbox(interval) is 'Removes callbacks that were settled and came in longer ago than this; how many.';

create function rowgate_webhooks.moment(written text) returns timestamptz
  language sql stable
  set search_path = pg_catalog, pg_temp
  set timezone = 'UTC'
  as $$ select $1::timestamptz $$;
comment on function rowgate_webhooks.moment(text) is 'A time as providers write it: in UTC where it names no zone.';

create function rowgate_webhooks.is_newest(subject text, row_id uuid, said_at timestamptz) returns boolean
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    with heard as (
      insert into rowgate_webhooks.last_heard as h (subject, row_id, said_at) values ($1, $2, $3)
        on conflict (subject, row_id) do update set said_at = excluded.said_at where h.said_at <= excluded.said_at
        returning true)
    select exists (select from heard);
  $$;
comment on function rowgate_webhooks.is_newest(text, uuid, timestamptz) is
  'Whether nothing newer was said about the row; notes the time then.';

create function rowgate_webhooks.refuse_move(table_name text, row_id uuid, statuses text[], event_id text, reason text)
  returns void
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    insert into rowgate_webhooks.refused_move (table_name, row_id, from_status, to_status, event_id, reason)
      values ($1, $2, $3[1], $3[2], $4, $5);
  $$;
comment on function rowgate_webhooks.refuse_move(text, uuid, text[], text, text) is
  'Records a move, from one status to another, that a provider may not make though the table allows it.';

create function rowgate_webhooks.decimal_text(amount numeric) returns text
  language sql immutable
  set search_path = pg_catalog, pg_temp
  as $$ select trim_scale($1)::text $$;
comment on function rowgate_webhooks.decimal_text(numeric) is 'A number for people, without zeros at its end.';

revoke all on all functions in schema rowgate_webhooks from public;
revoke all on type rowgate_webhooks.outcome from public;
