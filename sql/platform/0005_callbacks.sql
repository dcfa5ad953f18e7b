-- Callbacks of providers, kept until they have had their effect. Their content identifies them, not their bytes:
-- real repeats count, and other spellings of one event do not. A callback about an unknown wallet, card, transfer or
-- person is unmatched; it is processed once that is linked.

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
  'Identifies the event: log_id for the log stream, a digest of the fields that tell events apart for the others, the sha256 of the body where that cannot be used.';
comment on column rowgate_webhooks.inbox.body is 'As it came, byte for byte; of a list of logs, the part of this one.';
comment on column rowgate_webhooks.inbox.payload is 'What the body says; absent where that cannot be used.';
comment on column rowgate_webhooks.inbox.state is
  'stored → done, ignored (no effect), unmatched (no effect yet: its wallet, card, transfer or person is not known) or failed (given up); malformed from the start. Ignored, unmatched and failed callbacks are processed again when they are sent again, unmatched ones also when what they await is linked.';
comment on column rowgate_webhooks.inbox.note is 'Why it is ignored, unmatched, failed or malformed, or a remark about its effect.';
comment on column rowgate_webhooks.inbox.arrival is 'The order in which callbacks came in.';
comment on column rowgate_webhooks.inbox.awaits is
  'What an unmatched callback waits for, e.g. wallet/cw-1; stays when it is matched.';
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
  'When a provider last said something about a row, by the provider''s clock, so that what comes late is not taken for news.';
comment on column rowgate_webhooks.last_heard.arrival is 'The callback that said it, by its order of arrival: decides between two of the same time; 0 where any later word counts.';

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
  'The last balance that the custody provider reported of each of its wallets: a balance counts where it differs from that.';
comment on column rowgate_webhooks.told_balance.reported_at is 'The timestamp of the callback; null where it has none.';
comment on column rowgate_webhooks.told_balance.effective_at is 'That timestamp, or when the callback came in if that is earlier or there is no timestamp.';
create index told_balance_callback_idx on rowgate_webhooks.told_balance (callback);

create table rowgate_webhooks.linked (
  id bigint primary key generated always as identity,
  reference text not null
);
comment on table rowgate_webhooks.linked is
  'What unmatched callbacks may have waited for, and is there now; a worker looks for such callbacks and removes the row.';

create type rowgate_webhooks.outcome as (state text, note text, letter jsonb);
comment on type rowgate_webhooks.outcome is
  'What became of a callback: done or ignored, why, and what a mail is to be written about, if any.';
revoke all on type rowgate_webhooks.outcome from public;

create function rowgate_webhooks.became(state text, note text, letter jsonb default null) returns rowgate_webhooks.outcome
  language sql immutable
  set search_path = pg_catalog, pg_temp
  as $$ select $1, $2, $3 $$;
comment on function rowgate_webhooks.became(text, text, jsonb) is 'An outcome of its parts.';

create function rowgate_webhooks.moment(written text) returns timestamptz
  language sql stable
  set search_path = pg_catalog, pg_temp
  set timezone = 'UTC'
  as $$ select $1::timestamptz $$;
comment on function rowgate_webhooks.moment(text) is 'A time as providers write it: in UTC where it names no zone.';

create function rowgate_webhooks.custody_type(said jsonb) returns text
  language sql immutable
  set search_path = pg_catalog, pg_temp
  as $$ select regexp_replace(lower($1 ->> 'type'), '[^a-z]', '', 'g') $$;
comment on function rowgate_webhooks.custody_type(jsonb) is 'The type of a custody callback in lower-case letters alone.';

create function rowgate_webhooks.tells_balance(said jsonb) returns boolean
  language sql immutable
  set search_path = pg_catalog, pg_temp
  as $$ select rowgate_webhooks.custody_type($1) in ('balance', 'walletbalance') and $1 ->> 'balance' is not null $$;
comment on function rowgate_webhooks.tells_balance(jsonb) is 'Whether a custody callback reports the balance of a wallet.';

create function rowgate_webhooks.digest_of(kind text, fields jsonb) returns text
  language sql immutable
  set search_path = pg_catalog, pg_temp
  as $$ select $1 || ':' || encode(sha256(convert_to($2::text, 'UTF8')), 'hex') $$;
comment on function rowgate_webhooks.digest_of(text, jsonb) is 'An event key made of fields; jsonb has one spelling for what JSON can write in many.';

create function rowgate_webhooks.said_amount(said jsonb, field text) returns text
  language sql immutable
  set search_path = pg_catalog, pg_temp
  as $$ select trim_scale(($1 ->> $2)::numeric)::text $$;
comment on function rowgate_webhooks.said_amount(jsonb, text) is 'An amount of a callback in one spelling: 25.5 for 25.50 and "25.5".';

create function rowgate_webhooks.said_time(said jsonb, field text) returns text
  language sql stable
  set search_path = pg_catalog, pg_temp
  as $$ select trim_scale(extract(epoch from rowgate_webhooks.moment($1 ->> $2))::numeric)::text $$;
comment on function rowgate_webhooks.said_time(jsonb, text) is 'A time of a callback in one spelling: seconds since 1970.';

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
  'Identifies a custody callback, which has no id: a transaction by wallet, transfer, hash, state and amounts, whatever else it says; a balance by wallet, value and time.';

create function rowgate_webhooks.has_event_id(said jsonb) returns boolean
  language sql immutable
  set search_path = pg_catalog, pg_temp
  as $$ select coalesce(jsonb_typeof($1 -> 'eventId') in ('string', 'number') and $1 ->> 'eventId' <> '', false) $$;
comment on function rowgate_webhooks.has_event_id(jsonb) is 'Whether a callback names its event; what is empty names none.';

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
  'Identifies a card callback: by its eventId, else by its transactionId with type, time and amounts (all events of a payment share the transactionId), else by all that it says.';

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
comment on function rowgate_webhooks.kyc_key(jsonb) is 'Identifies a KYC callback: by its eventId, else by all that it says.';

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
  'Identifies an event of a provider; the given key where the provider''s own id is the key already.';

create function rowgate_webhooks.take_again(id uuid, body bytea, said jsonb, out duplicate boolean, out wake boolean)
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      there rowgate_webhooks.inbox;
    begin
      select * into strict there from rowgate_webhooks.inbox i where i.id = $1 for update;
      -- A body that this version can read does not repeat one that an earlier version could not.
      duplicate := there.state <> 'malformed' or said is null;
      wake := said is not null
        -- Log streams repeat whole batches, most of whose records are ignored.
        and there.state = any (case there.provider
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
  'Takes in another copy of a callback: one that had no effect is processed again.';

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
      -- One at a time for each wallet, so that the order of arrival is the same for all that follows.
      select * into strict last from rowgate_webhooks.told_balance b
        where b.wallet_id = said ->> 'walletId' and b.coin = upper(said ->> 'coin') for update;
      arrived := greatest(clock_timestamp(), last.effective_at);
      effective := least(coalesce(reported, arrived), arrived);
      if last.balance = amount and (reported is null or reported = last.reported_at) then
        id := last.callback;
      -- Not by effective_at: where the provider's clock is ahead, that is when the last one came in.
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
  'Stores a balance callback. It repeats another where it is the last one again; or where its time is another than that of the last one, and it was here before.';

create function rowgate_webhooks.take_in(
  provider text, event_key text, body bytea, problem text,
  out id uuid, out duplicate boolean, out wake boolean
)
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      said jsonb := case when $4 is null then convert_from($3, 'UTF8')::jsonb end;
      key text := case when $4 is null then rowgate_webhooks.event_key($1, said, $2) else $2 end;
    begin
      if $1 = 'custody' and $4 is null and rowgate_webhooks.tells_balance(said) then
        select t.id, t.duplicate, t.wake into id, duplicate, wake from rowgate_webhooks.take_balance_in(key, $3, said) t;
        return;
      end if;
      insert into rowgate_webhooks.inbox as i (provider, event_key, body, payload, state, note)
        values ($1, key, $3, said, case when $4 is null then 'stored' else 'malformed' end, $4)
        on conflict do nothing
        returning i.id into id;
      if found then
        duplicate := false;
        wake := $4 is null;
        return;
      end if;
      select i.id into strict id from rowgate_webhooks.inbox i where i.provider = $1 and i.event_key = key;
      select t.duplicate, t.wake into duplicate, wake from rowgate_webhooks.take_again(id, $3, said) t;
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
  as $$
    select i.provider from rowgate_webhooks.inbox i where i.id = $1 and i.state in ('stored', 'unmatched') for update;
  $$;
comment on function rowgate_webhooks.claim_callback(uuid) is
  'Whose callback it is, which nobody else processes until the transaction ends; null where nothing is left to do.';

create function rowgate_webhooks.settle_callback(id uuid, state text, note text) returns void
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    update rowgate_webhooks.inbox i set state = $2, note = $3, settled_at = now()
      where i.id = $1 and i.state in ('stored', 'unmatched');
  $$;
comment on function rowgate_webhooks.settle_callback(uuid, text, text) is 'Stores what became of a callback.';

create function rowgate_webhooks.note_failure(id uuid, note text) returns void
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$ update rowgate_webhooks.inbox i set note = $2 where i.id = $1 and i.state in ('stored', 'unmatched') $$;
comment on function rowgate_webhooks.note_failure(uuid, text) is 'Stores why a callback could not be processed this time.';

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
  'Stores that a callback is not tried again, and returns why; null where it was settled before.';

create function rowgate_webhooks.clean_inbox(keep interval default interval '90 days') returns bigint
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      removed bigint;
    begin
      -- Of a wallet that was never known, nothing stays for comparison.
      delete from rowgate_webhooks.told_balance b using rowgate_webhooks.inbox i
        where i.id = b.callback and i.state = 'unmatched' and i.received_at < now() - 4 * $1;
      delete from rowgate_webhooks.inbox i
        where i.state <> 'stored'
          and i.received_at < now() - case
            when i.state in ('unmatched', 'failed') and i.provider <> 'identity' then 4 * $1 else $1 end
          -- The last balance of a wallet stays: the next one is compared with it.
          and not exists (select from rowgate_webhooks.told_balance b where b.callback = i.id);
      get diagnostics removed = row_count;
      return removed;
    end
  $$;
comment on function rowgate_webhooks.clean_inbox(interval) is
  'Removes callbacks that were settled and came in longer ago than this, unmatched and failed ones after four times as long except log records; how many.';

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
  'Whether nothing newer was said about the row, nor of the same time by a callback that came in later; notes both then.';

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

create function rowgate_webhooks.note_link() returns trigger
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    begin
      -- No look for callbacks here: one may be processed at this moment, and would be missed.
      insert into rowgate_webhooks.linked (reference) values (tg_argv[0] || '/' || (to_jsonb(new) ->> tg_argv[1]));
      return null;
    end
  $$;
comment on function rowgate_webhooks.note_link() is
  'Notes that a wallet, card, transfer or person is known by now; its arguments are the kind and the column of the provider''s id.';

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
      -- A statement of its own: it sees what was unmatched before the link could be seen.
      return query
        select distinct on (i.awaits) i.id, i.awaits from rowgate_webhooks.inbox i
          where i.state = 'unmatched' and i.awaits = any (taken)
          order by i.awaits, i.arrival;
    end
  $$;
comment on function rowgate_webhooks.take_linked() is
  'The first unmatched callback of each wallet, card, transfer and person that was linked since; next_unmatched returns the others.';

create function rowgate_webhooks.next_unmatched(id uuid, awaits text) returns uuid
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select n.id from rowgate_webhooks.inbox i
      join rowgate_webhooks.inbox n on n.awaits = $2 and n.state = 'unmatched' and n.arrival > i.arrival
      where i.id = $1 order by n.arrival limit 1;
  $$;
comment on function rowgate_webhooks.next_unmatched(uuid, text) is
  'The unmatched callback that came in next after this one and waits for this wallet, card, transfer or person.';

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
comment on function rowgate_webhooks.unmatched(uuid, text, text) is 'The outcome of a callback that has to wait, and what for.';

revoke all on all functions in schema rowgate_webhooks from public;
