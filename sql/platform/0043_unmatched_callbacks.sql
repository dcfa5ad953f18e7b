-- A callback about a wallet, card, transfer or person that is not known is unmatched: it is processed once that is linked.

create table rowgate_webhooks.linked (
  id bigint primary key generated always as identity,
  reference text not null
);
comment on table rowgate_webhooks.linked is
  'What unmatched callbacks may have waited for, and is there now; a worker looks for such callbacks and removes the row.';

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

create trigger note_link after insert or update of custody_wallet_id, coin on public.digital_wallet
  for each row when (new.custody_wallet_id is not null)
  execute function rowgate_webhooks.note_link('wallet', 'custody_wallet_id');
create trigger note_link after insert or update of custody_transfer_id on public.asset_transaction
  for each row when (new.custody_transfer_id is not null)
  execute function rowgate_webhooks.note_link('transfer', 'custody_transfer_id');
create trigger note_link after insert or update of provider_card_id on public.card
  for each row when (new.provider_card_id is not null)
  execute function rowgate_webhooks.note_link('card', 'provider_card_id');
create trigger note_link after insert or update of id on public."user"
  for each row execute function rowgate_webhooks.note_link('user', 'id');
create trigger note_link after insert or update of applicant_id on public.kyc_profile
  for each row when (new.applicant_id is not null)
  execute function rowgate_webhooks.note_link('applicant', 'applicant_id');

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

alter table rowgate_webhooks.last_heard add column arrival bigint not null default 0;
comment on column rowgate_webhooks.last_heard.arrival is 'The callback that said it, by its order of arrival: decides between two of the same time; 0 where any later word counts.';

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

drop function rowgate_webhooks.take_balance(public.digital_wallet, numeric, timestamptz);
create function rowgate_webhooks.take_balance(wallet public.digital_wallet, balance numeric, said_at timestamptz, arrival bigint)
  returns rowgate_webhooks.outcome
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      since numeric;
      total numeric;
    begin
      if balance is null then return rowgate_webhooks.became('ignored', 'it tells no balance'); end if;
      if not rowgate_webhooks.is_newest('balance', wallet.id, $3, $4) then
        return rowgate_webhooks.became('ignored', 'came late: a newer balance was told');
      end if;
      -- Locks transactions before the wallet, in the order in which they are counted.
      perform from public.asset_transaction t
        where t.digital_wallet_id = wallet.id and t.status = 'confirmed' and (t.counted_at is null or t.confirmed_at > $3)
        order by t.id for no key update;
      update public.asset_transaction t set counted_at = now()
        where t.digital_wallet_id = wallet.id and t.status = 'confirmed' and t.counted_at is null and t.confirmed_at <= $3;
      -- Counting a transaction locks the wallet: from here on, all counted transactions are visible.
      perform from public.digital_wallet w where w.id = wallet.id for no key update;
      select coalesce(sum(case t.direction when 'in' then t.amount else -(t.amount + t.fee) end), 0) into since
        from public.asset_transaction t
        where t.digital_wallet_id = wallet.id and t.status = 'confirmed' and t.counted_at is not null and t.confirmed_at > $3;
      total := balance + since;
      update public.digital_wallet w
        set balance = total,
          usd_value = coalesce(rowgate_webhooks.worth(total, w.coin), w.usd_value)
        where w.id = wallet.id;
      return rowgate_webhooks.became('done', null);
    end
  $$;
comment on function rowgate_webhooks.take_balance(public.digital_wallet, numeric, timestamptz, bigint) is
  'Makes the balance of a wallet what the provider reported of a time, plus what was confirmed since; a callback that is older than the last one changes nothing.';

create or replace function rowgate_webhooks.move_transfer(event_id uuid, wallet public.digital_wallet, status text, said_at timestamptz)
  returns rowgate_webhooks.outcome
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      said jsonb;
      known public.asset_transaction;
      entered boolean := rowgate_webhooks.enter_transfer($1, wallet, $3, $4);
      places constant text[] := array['pending_approval', 'pending'];
      moved text := 'moved';
    begin
      select i.payload into strict said from rowgate_webhooks.inbox i where i.id = $1;
      select * into known from public.asset_transaction t
        where t.organization_id = wallet.organization_id and t.custody_transfer_id = said ->> 'transfer'
        for no key update;
      if not found then
        return rowgate_webhooks.unmatched($1, 'transfer/' || (said ->> 'transfer'),
          'the transfer is not known, and without a direction and an amount it cannot be entered');
      elsif known.digital_wallet_id <> wallet.id then
        return rowgate_webhooks.became('ignored', 'the transfer is one of another wallet');
      end if;
      if not entered then
        if coalesce(array_position(places, $3), 3) < coalesce(array_position(places, known.status), 3) then
          return rowgate_webhooks.became('done', format('came late: the transaction is %s', known.status));
        end if;
        update public.asset_transaction t
          set hash = coalesce(nullif(said ->> 'hash', ''), t.hash),
            amount = coalesce(nullif((said ->> 'amount')::numeric, 0), t.amount),
            fee = case when t.counted_at is null then coalesce((said ->> 'fee')::numeric, t.fee) else t.fee end,
            confirmed_at = case when $3 = 'confirmed' then coalesce(t.confirmed_at, greatest(t.occurred_at, $4)) else t.confirmed_at end
          where t.id = known.id and t.status in ('pending_approval', 'pending');
        if known.status = 'pending_approval' and $3 in ('confirmed', 'failed') then
          perform rowgate_webhooks.try_move('asset_transaction', known.id, 'pending', $1::text, null);
        end if;
        moved := rowgate_webhooks.try_move('asset_transaction', known.id, $3, $1::text, 'the custody provider said so');
      end if;
      if moved = 'refused' then
        return rowgate_webhooks.became('done', format('refused: a transaction that is %s cannot become %s', known.status, $3));
      end if;
      if $3 = 'confirmed' then perform rowgate_webhooks.count_transfer(known); end if;
      -- The event trigger of the insertion notifies people of a new transfer.
      if moved = 'moved' and not entered then
        perform rowgate_webhooks.tell_of_transfer(known, wallet, $3);
      end if;
      return rowgate_webhooks.became('done', null);
    end
  $$;

create or replace function rowgate_webhooks.apply_custody(event_id uuid) returns rowgate_webhooks.outcome
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      event rowgate_webhooks.inbox;
      said jsonb;
      wallet public.digital_wallet;
      type text;
      status text;
      said_at timestamptz;
    begin
      select * into strict event from rowgate_webhooks.inbox i where i.id = $1;
      said := event.payload;
      said_at := least(coalesce(rowgate_webhooks.moment(said ->> 'timestamp'), event.received_at), event.received_at);
      begin
        select * into strict wallet from public.digital_wallet w where w.custody_wallet_id = said ->> 'walletId';
      exception when no_data_found then
        return rowgate_webhooks.unmatched($1, 'wallet/' || (said ->> 'walletId'), 'no wallet has this walletId');
      end;
      if wallet.coin <> upper(said ->> 'coin') then
        return rowgate_webhooks.unmatched($1, 'wallet/' || (said ->> 'walletId'),
          format('the wallet holds %s, not %s', wallet.coin, said ->> 'coin'));
      end if;
      type := rowgate_webhooks.custody_type(said);
      if type in ('balance', 'walletbalance') then
        return rowgate_webhooks.take_balance(wallet, (said ->> 'balance')::numeric, said_at, event.arrival);
      elsif type not in ('deposit', 'receive', 'withdrawal', 'send', 'transfer', 'transaction', 'pendingapproval') then
        return rowgate_webhooks.became('ignored', 'the type is not known');
      elsif said ->> 'transfer' = '' then
        return rowgate_webhooks.became('ignored', 'it names no transfer');
      end if;
      status := rowgate_webhooks.custody_status(type, regexp_replace(lower(said ->> 'state'), '[^a-z]', '', 'g'));
      if status is null then return rowgate_webhooks.became('ignored', 'the state is not known'); end if;
      return rowgate_webhooks.move_transfer($1, wallet, status, said_at);
    end
  $$;

create or replace function rowgate_webhooks.apply_card(event_id uuid) returns rowgate_webhooks.outcome
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      event rowgate_webhooks.inbox;
      card public.card;
      said_at timestamptz;
    begin
      select * into strict event from rowgate_webhooks.inbox i where i.id = $1;
      said_at := least(rowgate_webhooks.moment(event.payload ->> 'timestamp'), event.received_at);
      begin
        select * into strict card from public.card c
          where c.provider_card_id = event.payload ->> 'cardId' for no key update;
      exception when no_data_found then
        return rowgate_webhooks.unmatched($1, 'card/' || (event.payload ->> 'cardId'), 'no card has this cardId');
      end;
      if starts_with(upper(event.payload ->> 'eventType'), 'TRANSACTION_') then
        return rowgate_webhooks.apply_payment($1, card, said_at);
      end if;
      return rowgate_webhooks.apply_card_status($1, card, said_at);
    end
  $$;

drop function rowgate_webhooks.find_applicant(uuid);
create function rowgate_webhooks.find_applicant(event_id uuid, out profile public.kyc_profile, out problem text, out awaits text)
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      said jsonb;
    begin
      select i.payload into strict said from rowgate_webhooks.inbox i where i.id = $1;
      if exists (
        select from public.kyc_profile p
        where p.applicant_id = said ->> 'applicantId' and p.user_id <> said ->> 'externalUserId')
      then
        problem := 'the applicant is another person';
        return;
      end if;
      insert into public.kyc_profile (organization_id, user_id)
        select u.organization_id, u.id from public."user" u where u.id = said ->> 'externalUserId'
        on conflict (organization_id, user_id) do nothing;
      select * into profile from public.kyc_profile p where p.user_id = said ->> 'externalUserId' for no key update;
      if not found then
        problem := 'nobody has this externalUserId';
        awaits := 'user/' || (said ->> 'externalUserId');
      elsif profile.applicant_id <> said ->> 'applicantId'
        and not (lower(said ->> 'type') = 'applicantcreated' and profile.status in ('not_started', 'pending', 'rejected', 'expired'))
      then
        problem := 'the person is another applicant at the provider';
        awaits := 'applicant/' || (said ->> 'applicantId');
      end if;
    end
  $$;
comment on function rowgate_webhooks.find_applicant(uuid) is
  'The profile that a callback is about, which is made where the person has none; or the problem, and what the callback awaits if it can be solved.';

create or replace function rowgate_webhooks.apply_kyc(event_id uuid) returns rowgate_webhooks.outcome
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      event rowgate_webhooks.inbox;
      said jsonb;
      result jsonb;
      found_applicant record;
      profile public.kyc_profile;
      said_at timestamptz;
      wanted text;
      reason text;
      moved text;
    begin
      select * into strict event from rowgate_webhooks.inbox i where i.id = $1;
      said := event.payload;
      result := said -> 'reviewResult';
      wanted := rowgate_webhooks.kyc_status(said);
      if wanted is null then return rowgate_webhooks.became('ignored', 'the type or the answer is not known'); end if;
      found_applicant := rowgate_webhooks.find_applicant($1);
      if found_applicant.awaits is not null then
        return rowgate_webhooks.unmatched($1, found_applicant.awaits, found_applicant.problem);
      elsif found_applicant.problem is not null then
        return rowgate_webhooks.became('ignored', found_applicant.problem);
      end if;
      profile := found_applicant.profile;
      said_at := least(rowgate_webhooks.moment(said ->> 'createdAt'), event.received_at);
      if not rowgate_webhooks.is_newest('kyc', profile.id, said_at) then
        return rowgate_webhooks.became('done', 'came late: the provider has said something newer');
      end if;
      -- Shows staff whether another try makes sense.
      reason := nullif(concat_ws('; ', nullif(result ->> 'reviewRejectType', ''), nullif(result ->> 'moderationComment', ''), nullif(result ->> 'clientComment', ''),
        case when jsonb_typeof(result -> 'rejectLabels') = 'array'
          then (select nullif(string_agg(l.value, ', '), '') from jsonb_array_elements_text(result -> 'rejectLabels') l(value)) end), '');
      if profile.status <> 'locked' then
        update public.kyc_profile p
          set applicant_id = said ->> 'applicantId', inspection_id = coalesce(nullif(said ->> 'inspectionId', ''), p.inspection_id),
            review_answer = case when wanted in ('approved', 'rejected') then upper(result ->> 'reviewAnswer') else p.review_answer end,
            review_reason = case wanted when 'approved' then null when 'rejected' then reason else p.review_reason end
          where p.id = profile.id;
        if said ->> 'inspectionId' <> '' then perform rowgate_webhooks.take_documents($1, profile); end if;
      end if;
      moved := rowgate_webhooks.move_profile($1, profile, wanted, 'the KYC provider said ' || (said ->> 'type'));
      if moved = 'refused' then
        return rowgate_webhooks.became('done', format('refused: a profile that is %s cannot become %s', profile.status, wanted));
      end if;
      if moved = 'moved' and wanted in ('approved', 'rejected') then
        -- After the move, which notes the time of this transaction.
        update public.kyc_profile p set reviewed_at = said_at, reviewed_by = null where p.id = profile.id;
      end if;
      -- The event trigger of the change notifies the person.
      return rowgate_webhooks.became('done', null);
    end
  $$;

create or replace function rowgate_webhooks.apply_identity(event_id uuid) returns rowgate_webhooks.outcome
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      event rowgate_webhooks.inbox;
      data jsonb;
      kind text;
      person public."user";
      said_at timestamptz;
    begin
      select * into strict event from rowgate_webhooks.inbox i where i.id = $1;
      data := event.payload -> 'data';
      kind := rowgate_webhooks.login_kind(data ->> 'type');
      if kind is null then return rowgate_webhooks.became('ignored', 'the type is not known'); end if;
      -- One after the other for each person, so that each sees the failures before it.
      select * into person from public."user" u where u.id = data ->> 'user_id' for no key update;
      if not found and coalesce(data ->> 'user_id', '') = '' then
        return rowgate_webhooks.became('ignored', 'it names no user_id');
      elsif not found then
        return rowgate_webhooks.unmatched($1, 'user/' || (data ->> 'user_id'), 'nobody here has this user_id');
      end if;
      said_at := least(coalesce(rowgate_webhooks.moment(data ->> 'date'), event.received_at), event.received_at);
      insert into public.login_event (organization_id, user_id, kind, connection, ip, user_agent, log_id, occurred_at)
        values (person.organization_id, person.id, kind, nullif(data ->> 'connection', ''), rowgate_webhooks.address_of(data ->> 'ip'),
          nullif(data ->> 'user_agent', ''), event.payload ->> 'log_id', said_at)
        on conflict (organization_id, log_id) do nothing;
      if not found then return rowgate_webhooks.became('done', 'the log was known'); end if;
      if kind = 'login_failed' then
        return rowgate_webhooks.became('done', null, rowgate_webhooks.warn_of_failures(person.id, said_at));
      elsif kind = 'password_changed' then
        perform rowgate_webhooks.notify(person.id, 'security', 'Your password was changed',
          'If it was not you, write to us at once.', null);
      elsif kind = 'mfa_enrolled' then
        perform rowgate_webhooks.notify(person.id, 'security', 'A second factor was added to your account',
          'If it was not you, write to us at once.', null);
      elsif kind = 'blocked' then
        perform rowgate_webhooks.notify(person.id, 'security', 'Signing in as you was blocked',
          'The identity provider has seen something suspicious.', null);
      end if;
      return rowgate_webhooks.became('done', null);
    end
  $$;

revoke all on all functions in schema rowgate_webhooks from public;
