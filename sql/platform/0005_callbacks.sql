-- Callbacks of providers, stored until they have been processed. The content identifies a callback, not its bytes:
-- repetitions of an event are recognized in any spelling. A callback about an unknown wallet, card, transfer or user is
-- unmatched. It is processed when the provider's id is linked to a row.

create table rowgate_webhooks.inbox (
  id uuid primary key default pg_catalog.gen_random_uuid(),
  provider text not null check (provider in ('custody', 'card', 'kyc', 'identity')),
  event_key text not null check (event_key <> ''),
  received_at timestamptz not null default pg_catalog.now(),
  body bytea not null,
  payload jsonb,
  state text not null default 'stored'
    check (state in ('stored', 'done', 'ignored', 'unmatched', 'failed', 'malformed')),
  note text,
  settled_at timestamptz,
  arrival bigint not null generated always as identity,
  awaits text,
  unique (provider, event_key),
  check (payload is not null or state = 'malformed'),
  constraint inbox_awaits_check check (awaits is not null or state <> 'unmatched')
);
comment on table rowgate_webhooks.inbox is 'Callbacks of providers, one row per event.';
comment on column rowgate_webhooks.inbox.event_key is
  'Identifies the event: log_id for the log stream, otherwise a digest of the distinguishing fields. For a malformed body, the SHA-256 of the body.';
comment on column rowgate_webhooks.inbox.body is 'The body as received, byte for byte. For a list of logs, the part of this log.';
comment on column rowgate_webhooks.inbox.payload is 'The parsed body. Null if it is malformed.';
comment on column rowgate_webhooks.inbox.state is
  'stored → done, ignored (no effect), unmatched (its wallet, card, transfer or user is not known yet) or failed (given up). malformed is an initial state. Ignored, unmatched and failed callbacks are processed again when they are sent again. Unmatched ones are also processed when the awaited id is linked.';
comment on column rowgate_webhooks.inbox.note is 'The reason why the callback is ignored, unmatched, failed or malformed, or a remark about its effect.';
comment on column rowgate_webhooks.inbox.arrival is 'Position in the order of arrival.';
comment on column rowgate_webhooks.inbox.awaits is
  'Reference that an unmatched callback waits for, e.g. wallet/cw-1. It stays after the match.';
create index inbox_received_at_idx on rowgate_webhooks.inbox (received_at);
create index inbox_waiting_idx on rowgate_webhooks.inbox (state, received_at) where state in ('stored', 'failed', 'malformed');
create index inbox_unmatched_idx on rowgate_webhooks.inbox (awaits, arrival) where state = 'unmatched';

create table rowgate_webhooks.last_heard (
  subject text not null,
  row_id uuid not null,
  said_at timestamptz not null,
  arrival bigint not null default 0,
  primary key (subject, row_id)
);
comment on table rowgate_webhooks.last_heard is
  'Time of the latest message of a provider about a row, by the provider''s clock. Older messages are ignored.';
comment on column rowgate_webhooks.last_heard.arrival is 'Order of arrival of the latest callback. It decides between two callbacks of the same time. 0 means that any later callback replaces it.';

create table rowgate_webhooks.told_balance (
  wallet_id text not null,
  coin text not null,
  callback uuid references rowgate_webhooks.inbox,
  balance numeric,
  reported_at timestamptz,
  effective_at timestamptz,
  primary key (wallet_id, coin)
);
comment on table rowgate_webhooks.told_balance is
  'The last balance that the custody provider reported for each of its wallets. A callback with the same balance is a repetition.';
comment on column rowgate_webhooks.told_balance.reported_at is 'Timestamp of the callback. Null if it has none.';
comment on column rowgate_webhooks.told_balance.effective_at is 'The earlier of the callback''s timestamp and its time of arrival. Without a timestamp, the time of arrival.';
create index told_balance_callback_idx on rowgate_webhooks.told_balance (callback);

create table rowgate_webhooks.linked (
  id bigint primary key generated always as identity,
  reference text not null
);
comment on table rowgate_webhooks.linked is
  'References that are now linked and that unmatched callbacks may have waited for. A worker searches for such callbacks and removes the row.';

create type rowgate_webhooks.outcome as (state text, note text, letter jsonb);
comment on type rowgate_webhooks.outcome is
  'Result of processing a callback: its new state, a note, and the data of a mail to write, if any.';
revoke all on type rowgate_webhooks.outcome from public;

create function rowgate_webhooks.became(state text, note text, letter jsonb default null) returns rowgate_webhooks.outcome
  language sql immutable
  set search_path = pg_catalog, pg_temp
  as $$ select $1, $2, $3 $$;
comment on function rowgate_webhooks.became(text, text, jsonb) is 'Creates an outcome from its parts.';

create function rowgate_webhooks.moment(written text) returns timestamptz
  language sql stable
  set search_path = pg_catalog, pg_temp
  set timezone = 'UTC'
  as $$ select $1::timestamptz $$;
comment on function rowgate_webhooks.moment(text) is 'Parses a time of a provider. A time without a time zone is in UTC.';

create function rowgate_webhooks.custody_type(said jsonb) returns text
  language sql immutable
  set search_path = pg_catalog, pg_temp
  as $$ select regexp_replace(lower($1 ->> 'type'), '[^a-z]', '', 'g') $$;
comment on function rowgate_webhooks.custody_type(jsonb) is 'Returns the type of a custody callback, reduced to lower-case letters.';

create function rowgate_webhooks.tells_balance(said jsonb) returns boolean
  language sql immutable
  set search_path = pg_catalog, pg_temp
  as $$ select rowgate_webhooks.custody_type($1) in ('balance', 'walletbalance') and $1 ->> 'balance' is not null $$;
comment on function rowgate_webhooks.tells_balance(jsonb) is 'Returns true if a custody callback reports the balance of a wallet.';

create function rowgate_webhooks.digest_of(kind text, fields jsonb) returns text
  language sql immutable
  set search_path = pg_catalog, pg_temp
  as $$ select $1 || ':' || encode(sha256(convert_to($2::text, 'UTF8')), 'hex') $$;
comment on function rowgate_webhooks.digest_of(text, jsonb) is 'Returns an event key for the given fields. jsonb has one text form for values that JSON can write in several ways.';

create function rowgate_webhooks.said_amount(said jsonb, field text) returns text
  language sql immutable
  set search_path = pg_catalog, pg_temp
  as $$ select trim_scale(($1 ->> $2)::numeric)::text $$;
comment on function rowgate_webhooks.said_amount(jsonb, text) is 'Returns an amount of a callback in one text form: 25.5 for 25.50 and "25.5".';

create function rowgate_webhooks.said_time(said jsonb, field text) returns text
  language sql stable
  set search_path = pg_catalog, pg_temp
  as $$ select trim_scale(extract(epoch from rowgate_webhooks.moment($1 ->> $2))::numeric)::text $$;
comment on function rowgate_webhooks.said_time(jsonb, text) is 'Returns a time of a callback in one text form: seconds since 1970.';

create function rowgate_webhooks.custody_key(said jsonb) returns text
  language sql stable
  set search_path = pg_catalog, pg_temp
  as $$
    select case
      when rowgate_webhooks.tells_balance($1) then
        rowgate_webhooks.digest_of('balance', jsonb_build_array($1 ->> 'walletId', upper($1 ->> 'coin'),
          rowgate_webhooks.said_amount($1, 'balance'), rowgate_webhooks.said_time($1, 'timestamp')))
      when coalesce(nullif($1 ->> 'transfer', ''), nullif($1 ->> 'hash', '')) is null then
        rowgate_webhooks.digest_of('custody', $1)
      else
        rowgate_webhooks.digest_of('transfer', jsonb_build_array($1 ->> 'walletId', upper($1 ->> 'coin'), $1 ->> 'transfer',
          $1 ->> 'hash', rowgate_webhooks.custody_type($1), regexp_replace(lower($1 ->> 'state'), '[^a-z]', '', 'g'),
          rowgate_webhooks.said_amount($1, 'amount'), rowgate_webhooks.said_amount($1, 'fee'),
          $1 ->> 'direction', $1 ->> 'address'))
      end;
  $$;
comment on function rowgate_webhooks.custody_key(jsonb) is
  'Returns the key of a custody callback, which has no id of its own. A transaction is identified by wallet, transfer, hash, state and amounts; a balance by wallet, value and time.';

create function rowgate_webhooks.has_event_id(said jsonb) returns boolean
  language sql immutable
  set search_path = pg_catalog, pg_temp
  as $$ select coalesce(jsonb_typeof($1 -> 'eventId') in ('string', 'number') and $1 ->> 'eventId' <> '', false) $$;
comment on function rowgate_webhooks.has_event_id(jsonb) is 'Returns true if a callback has an event id that is not empty.';

create function rowgate_webhooks.card_key(said jsonb) returns text
  language sql stable
  set search_path = pg_catalog, pg_temp
  as $$
    select case
      when rowgate_webhooks.has_event_id($1) then
        rowgate_webhooks.digest_of('event', jsonb_build_array($1 ->> 'eventId', upper($1 ->> 'eventType')))
      when $1 ->> 'transactionId' <> '' then
        rowgate_webhooks.digest_of('payment', jsonb_build_array($1 ->> 'transactionId', $1 ->> 'cardId',
          upper($1 ->> 'eventType'), rowgate_webhooks.said_time($1, 'timestamp'), rowgate_webhooks.said_amount($1, 'amount'),
          rowgate_webhooks.said_amount($1, 'billingAmount'), $1 ->> 'currency'))
      else
        rowgate_webhooks.digest_of('card', $1 || jsonb_build_object('eventType', upper($1 ->> 'eventType'),
          'timestamp', rowgate_webhooks.said_time($1, 'timestamp'), 'amount', rowgate_webhooks.said_amount($1, 'amount'),
          'billingAmount', rowgate_webhooks.said_amount($1, 'billingAmount')))
      end;
  $$;
comment on function rowgate_webhooks.card_key(jsonb) is
  'Returns the key of a card callback: its eventId, else its transactionId with type, time and amounts, else its whole content. All events of a payment share the transactionId.';

create function rowgate_webhooks.kyc_key(said jsonb) returns text
  language sql stable
  set search_path = pg_catalog, pg_temp
  as $$
    select case
      when rowgate_webhooks.has_event_id($1) then
        rowgate_webhooks.digest_of('event', jsonb_build_array($1 ->> 'eventId', lower($1 ->> 'type')))
      else
        rowgate_webhooks.digest_of('kyc', $1 || jsonb_build_object('createdAt', rowgate_webhooks.said_time($1, 'createdAt')))
      end;
  $$;
comment on function rowgate_webhooks.kyc_key(jsonb) is 'Returns the key of a KYC callback: its eventId, else its whole content.';

create function rowgate_webhooks.event_key(provider text, said jsonb, given text) returns text
  language sql stable
  set search_path = pg_catalog, pg_temp
  as $$
    select case $1
      when 'custody' then rowgate_webhooks.custody_key($2)
      when 'card' then rowgate_webhooks.card_key($2)
      when 'kyc' then rowgate_webhooks.kyc_key($2)
      else $3 end;
  $$;
comment on function rowgate_webhooks.event_key(text, jsonb, text) is
  'Returns the key of a provider''s event. Returns the given key if the provider has ids of its own.';

create function rowgate_webhooks.take_again(id uuid, body bytea, said jsonb, out duplicate boolean, out wake boolean)
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      stored rowgate_webhooks.inbox;
    begin
      select * into strict stored from rowgate_webhooks.inbox i where i.id = $1 for update;
      -- A body that this version can read is new if an earlier version could not read it.
      duplicate := stored.state <> 'malformed' or said is null;
      wake := said is not null
        -- Log streams repeat whole batches, and most records of them are ignored.
        and stored.state = any (case stored.provider
          when 'identity' then array['malformed', 'failed', 'unmatched']
          else array['malformed', 'failed', 'unmatched', 'ignored'] end);
      if wake then
        update rowgate_webhooks.inbox i
          set state = 'stored', note = null, settled_at = null, payload = said, body = $2
          where i.id = $1;
      end if;
    end
  $$;
comment on function rowgate_webhooks.take_again(uuid, bytea, jsonb) is
  'Handles a repeated callback. One without an effect so far is processed again.';

create function rowgate_webhooks.take_balance_in(
  event_key text, body bytea, said jsonb, out id uuid, out duplicate boolean, out wake boolean
)
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      last rowgate_webhooks.told_balance;
      amount numeric := (said ->> 'balance')::numeric;
      reported timestamptz := rowgate_webhooks.moment(said ->> 'timestamp');
      arrived timestamptz;
      effective timestamptz;
    begin
      insert into rowgate_webhooks.told_balance (wallet_id, coin) values (said ->> 'walletId', upper(said ->> 'coin'))
        on conflict do nothing;
      -- The row lock processes the callbacks of a wallet one at a time, so that their order of arrival is defined.
      select * into strict last from rowgate_webhooks.told_balance b
        where b.wallet_id = said ->> 'walletId' and b.coin = upper(said ->> 'coin') for update;
      arrived := greatest(clock_timestamp(), last.effective_at);
      effective := least(coalesce(reported, arrived), arrived);
      if last.balance = amount and (reported is null or reported = last.reported_at) then
        id := last.callback;
      -- This compares reported_at. If the provider's clock is ahead, effective_at is only the time of arrival.
      elsif reported is not null and reported is distinct from last.reported_at then
        select i.id into id from rowgate_webhooks.inbox i where i.provider = 'custody' and i.event_key = $1;
      end if;
      if id is not null then
        select t.duplicate, t.wake into duplicate, wake from rowgate_webhooks.take_again(id, $2, said) t;
        return;
      end if;
      insert into rowgate_webhooks.inbox as i (provider, event_key, received_at, body, payload)
        values ('custody',
          case when exists (select from rowgate_webhooks.inbox o where o.provider = 'custody' and o.event_key = $1)
            then $1 || '/' || gen_random_uuid() else $1 end,
          arrived, $2, said)
        returning i.id into id;
      if last.effective_at is null or effective >= last.effective_at then
        update rowgate_webhooks.told_balance b
          set callback = id, balance = amount, reported_at = reported, effective_at = effective
          where b.wallet_id = last.wallet_id and b.coin = last.coin;
      end if;
      duplicate := false;
      wake := true;
    end
  $$;
comment on function rowgate_webhooks.take_balance_in(text, bytea, jsonb) is
  'Stores a balance callback. It is a duplicate if it repeats the last one, or if its time differs from that of the last one and the same callback was stored before.';

create function rowgate_webhooks.take_in(
  provider text, event_key text, body bytea, problem text,
  out id uuid, out duplicate boolean, out wake boolean
)
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      callback jsonb := case when $4 is null then convert_from($3, 'UTF8')::jsonb end;
      key text := case when $4 is null then rowgate_webhooks.event_key($1, callback, $2) else $2 end;
    begin
      if $1 = 'custody' and $4 is null and rowgate_webhooks.tells_balance(callback) then
        select t.id, t.duplicate, t.wake into id, duplicate, wake from rowgate_webhooks.take_balance_in(key, $3, callback) t;
        return;
      end if;
      insert into rowgate_webhooks.inbox as i (provider, event_key, body, payload, state, note)
        values ($1, key, $3, callback, case when $4 is null then 'stored' else 'malformed' end, $4)
        on conflict do nothing
        returning i.id into id;
      if found then
        duplicate := false;
        wake := $4 is null;
        return;
      end if;
      select i.id into strict id from rowgate_webhooks.inbox i where i.provider = $1 and i.event_key = key;
      select t.duplicate, t.wake into duplicate, wake from rowgate_webhooks.take_again(id, $3, callback) t;
    end
  $$;
comment on function rowgate_webhooks.take_in(text, text, bytea, text) is
  'Stores a callback, or the problem with it. Returns its id, whether it is a duplicate, and whether a job must process it.';

create function rowgate_webhooks.take_in_logs(body bytea, event_keys text[], problems text[])
  returns table (id uuid, duplicate boolean, wake boolean)
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      log record;
    begin
      for log in
        -- A fixed order keeps two concurrent calls with the same logs from a deadlock.
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
  'Stores each log of a list of the log stream by its key, with the problem of a malformed log.';

create function rowgate_webhooks.claim_callback(id uuid) returns text
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select i.provider from rowgate_webhooks.inbox i where i.id = $1 and i.state in ('stored', 'unmatched') for update;
  $$;
comment on function rowgate_webhooks.claim_callback(uuid) is
  'Locks a callback until the end of the transaction and returns its provider. Returns null if the callback needs no more processing.';

create function rowgate_webhooks.settle_callback(id uuid, state text, note text) returns void
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    update rowgate_webhooks.inbox i set state = $2, note = $3, settled_at = now()
      where i.id = $1 and i.state in ('stored', 'unmatched');
  $$;
comment on function rowgate_webhooks.settle_callback(uuid, text, text) is 'Stores the final state of a callback.';

create function rowgate_webhooks.note_failure(id uuid, note text) returns void
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$ update rowgate_webhooks.inbox i set note = $2 where i.id = $1 and i.state in ('stored', 'unmatched') $$;
comment on function rowgate_webhooks.note_failure(uuid, text) is 'Stores the error of an attempt to process a callback.';

create function rowgate_webhooks.give_up_callback(id uuid) returns text
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    update rowgate_webhooks.inbox i
      set state = 'failed', note = coalesce(i.note, 'the worker that processed it ended'), settled_at = now()
      where i.id = $1 and i.state in ('stored', 'unmatched')
      returning i.note;
  $$;
comment on function rowgate_webhooks.give_up_callback(uuid) is
  'Marks a callback as failed and returns the reason. Returns null if the callback was already settled.';

create function rowgate_webhooks.clean_inbox(keep interval default interval '90 days') returns bigint
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      removed bigint;
    begin
      -- The last balance of a wallet that never became known is deleted, too.
      delete from rowgate_webhooks.told_balance b using rowgate_webhooks.inbox i
        where i.id = b.callback and i.state = 'unmatched' and i.received_at < now() - 4 * $1;
      delete from rowgate_webhooks.inbox i
        where i.state <> 'stored'
          and i.received_at < now() - case
            when i.state in ('unmatched', 'failed') and i.provider <> 'identity' then 4 * $1 else $1 end
          -- The last balance of a wallet stays, because the next one is compared with it.
          and not exists (select from rowgate_webhooks.told_balance b where b.callback = i.id);
      get diagnostics removed = row_count;
      return removed;
    end
  $$;
comment on function rowgate_webhooks.clean_inbox(interval) is
  'Deletes settled callbacks older than the given interval. Unmatched and failed callbacks, except those of the log stream, stay four times as long. Returns how many were deleted.';

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
  'Returns true, and stores the time, if no later message about the row was processed.';

create function rowgate_webhooks.is_newest(subject text, row_id uuid, said_at timestamptz, arrival bigint) returns boolean
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    with heard as (
      insert into rowgate_webhooks.last_heard as h (subject, row_id, said_at, arrival) values ($1, $2, $3, $4)
        on conflict (subject, row_id) do update set said_at = excluded.said_at, arrival = excluded.arrival
          where (h.said_at, h.arrival) <= (excluded.said_at, excluded.arrival)
        returning true)
    select exists (select from heard);
  $$;
comment on function rowgate_webhooks.is_newest(text, uuid, timestamptz, bigint) is
  'Returns true, and stores time and arrival, if no message about the row with a later time was processed, and none of the same time that arrived later.';

create function rowgate_webhooks.refuse_move(table_name text, row_id uuid, statuses text[], event_id text, reason text)
  returns void
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    insert into rowgate_webhooks.refused_move (table_name, row_id, from_status, to_status, event_id, reason)
      values ($1, $2, $3[1], $3[2], $4, $5);
  $$;
comment on function rowgate_webhooks.refuse_move(text, uuid, text[], text, text) is
  'Records a change of status that the table allows but the provider may not make.';

create function rowgate_webhooks.decimal_text(amount numeric) returns text
  language sql immutable
  set search_path = pg_catalog, pg_temp
  as $$ select trim_scale($1)::text $$;
comment on function rowgate_webhooks.decimal_text(numeric) is 'Formats a number without trailing zeros.';

create function rowgate_webhooks.note_link() returns trigger
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    begin
      -- The trigger does not search for callbacks: it would miss one that another transaction processes at this moment.
      insert into rowgate_webhooks.linked (reference) values (tg_argv[0] || '/' || (to_jsonb(new) ->> tg_argv[1]));
      return null;
    end
  $$;
comment on function rowgate_webhooks.note_link() is
  'Records that a wallet, card, transfer or user is now known. The trigger''s arguments are the kind and the column with the provider''s id.';

create trigger note_link after insert or update of id on public."user"
  for each row execute function rowgate_webhooks.note_link('user', 'id');

create function rowgate_webhooks.take_linked() returns table (id uuid, awaits text)
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      taken text[];
    begin
      with removed as (
        delete from rowgate_webhooks.linked l
          where l.id in (select n.id from rowgate_webhooks.linked n order by n.id limit 10000 for update skip locked)
          returning l.reference)
      select array_agg(distinct r.reference) into taken from removed r;
      -- This must be a separate statement, so that it sees callbacks that became unmatched before the link was visible.
      return query
        select distinct on (i.awaits) i.id, i.awaits from rowgate_webhooks.inbox i
          where i.state = 'unmatched' and i.awaits = any (taken)
          order by i.awaits, i.arrival;
    end
  $$;
comment on function rowgate_webhooks.take_linked() is
  'Returns the first unmatched callback of each wallet, card, transfer and user linked since the last call. next_unmatched returns the others.';

create function rowgate_webhooks.next_unmatched(id uuid, awaits text) returns uuid
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select n.id from rowgate_webhooks.inbox i
      join rowgate_webhooks.inbox n on n.awaits = $2 and n.state = 'unmatched' and n.arrival > i.arrival
      where i.id = $1 order by n.arrival limit 1;
  $$;
comment on function rowgate_webhooks.next_unmatched(uuid, text) is
  'Returns the next unmatched callback by order of arrival that waits for the same reference.';

create function rowgate_webhooks.unmatched(event_id uuid, awaits text, note text) returns rowgate_webhooks.outcome
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    begin
      if octet_length($2) > 2000 then return rowgate_webhooks.became('ignored', $3); end if;
      update rowgate_webhooks.inbox i set awaits = $2 where i.id = $1;
      return rowgate_webhooks.became('unmatched', $3);
    end
  $$;
comment on function rowgate_webhooks.unmatched(uuid, text, text) is 'Returns the outcome of a callback that must wait, and stores the reference that it waits for.';

revoke all on all functions in schema rowgate_webhooks from public;
