-- Callbacks are identified by what they say, not by their bytes: real repeats count, and other spellings of one event do not.

alter table rowgate_webhooks.inbox add column arrival bigint, add column awaits text;
update rowgate_webhooks.inbox i set arrival = n.place
  from (select o.id, pg_catalog.row_number() over (order by o.received_at, o.id) as place from rowgate_webhooks.inbox o) n
  where n.id = i.id;
alter table rowgate_webhooks.inbox
  alter column arrival set not null,
  alter column arrival add generated always as identity,
  drop constraint inbox_state_check,
  add constraint inbox_state_check
    check (state in ('stored', 'done', 'ignored', 'unmatched', 'failed', 'malformed')),
  add constraint inbox_awaits_check check (awaits is not null or state <> 'unmatched');
select pg_catalog.setval(
  pg_catalog.pg_get_serial_sequence('rowgate_webhooks.inbox', 'arrival'), coalesce(max(i.arrival), 0) + 1, false)
  from rowgate_webhooks.inbox i;

comment on table rowgate_webhooks.inbox is 'Callbacks of providers, one row per event.';
comment on column rowgate_webhooks.inbox.event_key is
  'Identifies the event: log_id for the log stream, a digest of the fields that tell events apart for the others, the sha256 of the body where that cannot be used.';
comment on column rowgate_webhooks.inbox.state is
  'stored → done, ignored (no effect), unmatched (no effect yet: its wallet, card, transfer or person is not known) or failed (given up); malformed from the start. Ignored, unmatched and failed callbacks are processed again when they are sent again, unmatched ones also when what they await is linked.';
comment on column rowgate_webhooks.inbox.note is 'Why it is ignored, unmatched, failed or malformed, or a remark about its effect.';
comment on column rowgate_webhooks.inbox.arrival is 'The order in which callbacks came in.';
comment on column rowgate_webhooks.inbox.awaits is
  'What an unmatched callback waits for, e.g. wallet/cw-1; stays when it is matched.';
create index inbox_unmatched_idx on rowgate_webhooks.inbox (awaits, arrival) where state = 'unmatched';

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

create or replace function rowgate_webhooks.take_in(
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

create or replace function rowgate_webhooks.claim_callback(id uuid) returns text
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select i.provider from rowgate_webhooks.inbox i where i.id = $1 and i.state in ('stored', 'unmatched') for update;
  $$;

create or replace function rowgate_webhooks.settle_callback(id uuid, state text, note text) returns void
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    update rowgate_webhooks.inbox i set state = $2, note = $3, settled_at = now()
      where i.id = $1 and i.state in ('stored', 'unmatched');
  $$;

create or replace function rowgate_webhooks.note_failure(id uuid, note text) returns void
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$ update rowgate_webhooks.inbox i set note = $2 where i.id = $1 and i.state in ('stored', 'unmatched') $$;

create or replace function rowgate_webhooks.give_up_callback(id uuid) returns text
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    update rowgate_webhooks.inbox i
      set state = 'failed', note = coalesce(i.note, 'the worker that processed it ended'), settled_at = now()
      where i.id = $1 and i.state in ('stored', 'unmatched')
      returning i.note;
  $$;

create or replace function rowgate_webhooks.clean_inbox(keep interval default interval '90 days') returns bigint
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

create function rowgate_webhooks.upgraded_key(provider text, said jsonb) returns text
  language plpgsql stable
  set search_path = pg_catalog, pg_temp
  as $$
    begin
      return rowgate_webhooks.event_key($1, $2, null);
    exception when data_exception then
      -- An amount or a time that Postgres cannot take in.
      return null;
    end
  $$;

-- The keys of callbacks that came in before: where several turn out to be one event, the first of them has its key.
-- Those that cannot have one keep the digest of the body.
update rowgate_webhooks.inbox i set event_key = k.key
  from (
    select o.id, o.key, pg_catalog.row_number() over (partition by o.provider, o.key order by o.arrival) as place
    from (
      select n.id, n.provider, n.arrival, rowgate_webhooks.upgraded_key(n.provider, n.payload) as key
      from rowgate_webhooks.inbox n where n.payload is not null and n.provider <> 'identity'
    ) o
  ) k
  where k.id = i.id and k.place = 1 and k.key is not null;

insert into rowgate_webhooks.told_balance (wallet_id, coin, callback, balance, reported_at, effective_at)
  select distinct on (b.wallet_id, b.coin) b.wallet_id, b.coin, b.id, b.balance, b.reported_at, b.effective_at
  from (
    select i.payload ->> 'walletId' as wallet_id, pg_catalog.upper(i.payload ->> 'coin') as coin, i.id, i.arrival,
      (i.payload ->> 'balance')::numeric as balance, rowgate_webhooks.moment(i.payload ->> 'timestamp') as reported_at,
      least(coalesce(rowgate_webhooks.moment(i.payload ->> 'timestamp'), i.received_at), i.received_at) as effective_at
    from rowgate_webhooks.inbox i
    where i.provider = 'custody' and i.payload is not null and rowgate_webhooks.tells_balance(i.payload)
      and rowgate_webhooks.upgraded_key(i.provider, i.payload) is not null
  ) b
  order by b.wallet_id, b.coin, b.effective_at desc, b.arrival desc;

drop function rowgate_webhooks.upgraded_key(text, jsonb);

-- Callbacks about a wallet, card or person that was not known are unmatched, as they would be from now on.
update rowgate_webhooks.inbox i set state = 'unmatched', awaits = n.kind || (i.payload ->> n.field)
  from (values
    ('custody', 'no wallet has this walletId', 'wallet/', 'walletId'),
    ('card', 'no card has this cardId', 'card/', 'cardId'),
    ('kyc', 'nobody has this externalUserId', 'user/', 'externalUserId'),
    ('kyc', 'the person is another applicant at the provider', 'applicant/', 'applicantId')
  ) n(provider, note, kind, field)
  where i.state = 'ignored' and i.provider = n.provider and i.note = n.note;

revoke all on all functions in schema rowgate_webhooks from public;
