-- What changes of people, verifications, wallets and transactions lead to. As with trades, each function reads the row anew,
-- and people are told of a status only while the row is in it.

create function rowgate_webhooks.on_user_insert(
  event_id text, user_id text, organization_id uuid, email text, coins text[]
) returns jsonb
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      person public."user";
      made integer;
    begin
      -- Whoever signs in between the two has another id by now.
      select * into person from public."user" u
        where u.id = $2 or (u.organization_id = $3 and lower(u.email) = lower($4))
        order by u.id = $2 desc limit 1 for no key update;
      if not found then return jsonb_build_object('outcome', 'gone'); end if;
      if person.status <> 'active' then return jsonb_build_object('outcome', 'disabled'); end if;
      insert into public.digital_wallet (organization_id, user_id, label, coin, wallet_type, status)
        select person.organization_id, person.id, c.coin || ' wallet', c.coin, 'custodial', 'active'
        from unnest($5) with ordinality c(coin, place)
        where not exists (
          select from public.digital_wallet w where w.user_id = person.id and w.coin = c.coin)
        order by c.place;
      get diagnostics made = row_count;
      return jsonb_build_object('outcome', 'welcomed', 'wallets', made, 'letter', jsonb_build_object(
        'userId', person.id, 'email', person.email, 'fullName', person.full_name,
        'organization', (select o.name from public.organization o where o.id = person.organization_id)));
    end
  $$;
comment on function rowgate_webhooks.on_user_insert(text, text, uuid, text, text[]) is
  'Opens a custodial wallet of each coin that a new person has none of. The person is found by id, or by organization and e-mail address. Returns whom to welcome.';

-- When the person is gone, nobody knows any more which wallets were theirs. Without a foreign key, as all tables here that
-- name rows of the platform: what a role deletes must not reach where it has no rule.
create table rowgate_webhooks.left_wallet (
  user_id text not null,
  digital_wallet_id uuid not null,
  email text not null,
  left_at timestamptz not null default pg_catalog.now(),
  primary key (user_id, digital_wallet_id)
);
comment on table rowgate_webhooks.left_wallet is 'Wallets that a person who was deleted left behind, until somebody has seen to them.';

create function rowgate_webhooks.remember_wallets() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
    begin
      insert into rowgate_webhooks.left_wallet (user_id, digital_wallet_id, email)
        select old.id, w.id, old.email from public.digital_wallet w where w.user_id = old.id
        on conflict do nothing;
      return old;
    end
  $$;
comment on function rowgate_webhooks.remember_wallets() is 'Remembers whose the wallets of a person were who is being deleted.';
create trigger remember_wallets before delete on public."user"
  for each row execute function rowgate_webhooks.remember_wallets();

create function rowgate_webhooks.cancel_requests(digital_wallet_id uuid, event_id text, reason text) returns integer
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select pg_catalog.count(*)::integer
    from (
      select 'trade_request' as kind, t.id, t.status from public.trade_request t where t.digital_wallet_id = $1
      union all
      select 'fiat_withdrawal_request', w.id, w.status from public.fiat_withdrawal_request w where w.digital_wallet_id = $1
      union all
      select 'fiat_deposit_request', d.id, d.status from public.fiat_deposit_request d where d.digital_wallet_id = $1) r
    where r.status in ('draft', 'submitted', 'approved')
      and rowgate_webhooks.try_move(r.kind, r.id, 'cancelled', $2, $3) = 'moved';
  $$;
comment on function rowgate_webhooks.cancel_requests(uuid, text, text) is
  'Cancels what is asked for of a wallet and not begun. Returns how many requests that were.';

create function rowgate_webhooks.on_user_delete(event_id text, user_id text, email text) returns jsonb
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      wallet record;
      archived integer := 0;
      kept integer := 0;
      cancelled integer := 0;
      withdrawn integer;
    begin
      for wallet in
        select w.* from rowgate_webhooks.left_wallet l join public.digital_wallet w on w.id = l.digital_wallet_id
        where l.user_id = $2 order by w.id
      loop
        delete from rowgate_webhooks.left_wallet l where l.user_id = $2 and l.digital_wallet_id = wallet.id;
        -- Somebody else's by now, or another event's.
        continue when not found or wallet.user_id is not null;
        cancelled := cancelled + rowgate_webhooks.cancel_requests(wallet.id, $1, 'The wallet''s owner was deleted');
        if wallet.balance = 0 and wallet.status <> 'locked' then
          perform rowgate_webhooks.try_move('digital_wallet', wallet.id, 'archived', $1, null);
          archived := archived + 1;
        else
          perform rowgate_webhooks.notify_role(wallet.organization_id, 'organization_admin', 'system',
            'A wallet has no owner any more',
            format('%s holds %s %s', wallet.label, rowgate_webhooks.plain(wallet.balance), wallet.coin), null);
          kept := kept + 1;
        end if;
      end loop;
      delete from rowgate_auth.session s
        where s.user_id = $2 and not exists (select from public."user" u where u.id = $2);
      delete from rowgate_mail.outbox o
        where o.state = 'waiting' and lower(o.recipient) = lower($3)
          and not exists (select from public."user" u where lower(u.email) = lower($3));
      get diagnostics withdrawn = row_count;
      return jsonb_build_object('outcome', 'cleaned', 'archivedWallets', archived, 'keptWallets', kept,
        'cancelledRequests', cancelled, 'withdrawnMails', withdrawn);
    end
  $$;
comment on function rowgate_webhooks.on_user_delete(text, text, text) is
  'Sees to what a person left behind that no foreign key takes along: empty wallets are archived, others reported to the administrators, requests on them cancelled, mail that was not sent yet is withdrawn.';

-- What is held for this is let go again for this alone.
create function rowgate_webhooks.hold_requests(user_id text, event_id text, reason text) returns integer
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select pg_catalog.count(*)::integer
    from (
      select 'trade_request' as kind, t.id, t.status from public.trade_request t where t.user_id = $1
      union all
      select 'fiat_withdrawal_request', w.id, w.status from public.fiat_withdrawal_request w where w.user_id = $1) r
    where r.status in ('submitted', 'approved')
      and rowgate_webhooks.try_move(r.kind, r.id, 'locked', $2, $3) = 'moved';
  $$;
comment on function rowgate_webhooks.hold_requests(text, text, text) is
  'Holds the open trade and withdrawal requests of a person. Returns how many that were.';

create function rowgate_webhooks.hold_request(table_name text, request_id uuid, event_id text) returns boolean
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      reason text;
    begin
      select coalesce((
            select 'The wallet is locked' from public.digital_wallet w
            where w.id = r.digital_wallet_id and w.status = 'locked' and $1 = 'trade_request'), (
            select 'Verification ' || p.status from public.kyc_profile p
            where p.user_id = r.user_id and p.status in ('rejected', 'expired', 'locked')))
        into reason
        from (
          select t.id, t.status, t.digital_wallet_id, t.user_id from public.trade_request t where $1 = 'trade_request'
          union all
          select w.id, w.status, w.digital_wallet_id, w.user_id
          from public.fiat_withdrawal_request w where $1 = 'fiat_withdrawal_request') r
        where r.id = $2 and r.status in ('submitted', 'approved');
      return reason is not null and rowgate_webhooks.try_move($1, $2, 'locked', $3, reason) = 'moved';
    end
  $$;
comment on function rowgate_webhooks.hold_request(text, uuid, text) is
  'Holds a trade or withdrawal request that was handed in after its person''s verification came to nothing, and a trade whose wallet is locked; a withdrawal is rejected then. Returns whether it did so now.';

create function rowgate_webhooks.release_requests(user_id text, event_id text, reason_pattern text) returns integer
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select pg_catalog.count(*)::integer
    from (
      select 'trade_request' as kind, t.id, t.status, t.status_reason as reason from public.trade_request t where t.user_id = $1
      union all
      select 'fiat_withdrawal_request', w.id, w.status, w.status_reason
      from public.fiat_withdrawal_request w where w.user_id = $1) r
    where r.status = 'locked' and r.reason ~ $3
      and rowgate_webhooks.try_move(r.kind, r.id, 'submitted', $2, 'Let go to be approved anew') = 'moved';
  $$;
comment on function rowgate_webhooks.release_requests(text, text, text) is
  'Lets requests of a person go that were held for a reason like the pattern. Returns how many that were.';

create function rowgate_webhooks.open_risk_case(profile public.kyc_profile) returns uuid
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      risks text := concat_ws('-', case when $1.risk_level = 'high' then 'HIGH' end,
        case when $1.is_pep then 'PEP' end, case when $1.is_sanctioned then 'SANCTIONED' end);
      case_id uuid;
    begin
      if risks = '' then return null; end if;
      insert into public."case"
          (organization_id, user_id, case_number, title, kind, status, priority, summary, opened_at)
        values ($1.organization_id, $1.user_id, 'KYC-' || $1.id || '-' || risks,
          'Verification that needs a closer look', case when $1.is_sanctioned then 'aml_alert' else 'kyc_review' end,
          'open', case when $1.is_sanctioned then 'urgent' else 'high' end,
          'The verification says: ' || concat_ws(', ', case when $1.risk_level = 'high' then 'high risk' end,
            case when $1.is_pep then 'politically exposed' end,
            case when $1.is_sanctioned then 'on a sanctions list' end), now())
        on conflict (organization_id, case_number) do nothing
        returning id into case_id;
      if case_id is not null then
        perform rowgate_webhooks.notify_role(null, 'compliance', 'case', 'A verification needs a closer look',
          'KYC-' || $1.id || '-' || risks, null);
      end if;
      return case_id;
    end
  $$;
comment on function rowgate_webhooks.open_risk_case(public.kyc_profile) is
  'Opens a case for compliance where a person is of high risk, politically exposed or sanctioned: once for each such finding. Returns its id if it did so now.';

create function rowgate_webhooks.sync_kyc_documents(profile public.kyc_profile, event_id text) returns integer
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select pg_catalog.count(*)::integer
    from public.kyc_document d
    cross join lateral (
      select case
        when d.status = 'pending' and $1.status in ('approved', 'rejected') then $1.status
        when d.status = 'approved' and $1.status = 'expired' and d.expires_on <= pg_catalog.now()::date then 'expired' end) n(status)
    where d.kyc_profile_id = $1.id and n.status is not null
      and rowgate_webhooks.try_move('kyc_document', d.id, n.status, $2, null) = 'moved';
  $$;
comment on function rowgate_webhooks.sync_kyc_documents(public.kyc_profile, text) is
  'Decides on a profile''s pending documents as on the profile, and ends those that have run out with it. Returns how many.';

create function rowgate_webhooks.tell_of_verification(profile public.kyc_profile) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      title text := case $1.status
        when 'in_review' then 'Your documents are being checked'
        when 'approved' then 'You are verified'
        when 'rejected' then 'Your verification could not be completed'
        when 'expired' then 'Your verification has expired' end;
      fund uuid;
    begin
      if title is null then return; end if;
      perform rowgate_webhooks.notify($1.user_id, 'kyc', title, case
        when $1.status in ('rejected', 'expired') then 'Please hand in your documents again.' else '' end, null);
      if $1.status <> 'approved' then return; end if;
      if exists (select from public.card c where c.user_id = $1.user_id and c.status = 'draft') then
        perform rowgate_webhooks.notify_role($1.organization_id, 'organization_admin', 'card',
          'A card can be issued', 'Its holder is verified.', null);
      end if;
      for fund in
        select distinct s.fund_id from public.fund_subscription s
        where s.user_id = $1.user_id and s.status in ('submitted', 'approved') order by 1
      loop
        perform rowgate_webhooks.notify_fund(fund, 'fund_manager', 'system', 'A subscription can go on',
          'The person who subscribes is verified.', null);
      end loop;
    end
  $$;
comment on function rowgate_webhooks.tell_of_verification(public.kyc_profile) is
  'Tells the person how the verification stands, and those who waited for it. Nobody is told that compliance holds it.';

create function rowgate_webhooks.on_kyc_profile_update(event_id text, profile_id uuid, from_status text, to_status text)
  returns jsonb
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      profile public.kyc_profile;
      case_id uuid;
      documents integer;
      held integer := 0;
      released integer := 0;
    begin
      select * into profile from public.kyc_profile p where p.id = $2 for no key update;
      if not found then return jsonb_build_object('outcome', 'gone'); end if;
      case_id := rowgate_webhooks.open_risk_case(profile);
      documents := rowgate_webhooks.sync_kyc_documents(profile, $1);
      if profile.status in ('rejected', 'expired', 'locked') then
        held := rowgate_webhooks.hold_requests(profile.user_id, $1, 'Verification ' || profile.status);
      elsif profile.status = 'approved' then
        released := rowgate_webhooks.release_requests(profile.user_id, $1, '^Verification (rejected|expired|locked)$');
      end if;
      if $3 is distinct from $4 and profile.status = $4 then
        perform rowgate_webhooks.tell_of_verification(profile);
      end if;
      return jsonb_strip_nulls(jsonb_build_object('outcome', profile.status, 'caseId', case_id, 'documents', documents,
        'heldRequests', held, 'releasedRequests', released));
    end
  $$;
comment on function rowgate_webhooks.on_kyc_profile_update(text, uuid, text, text) is
  'What a change of a verification leads to: documents follow it, findings open a case, requests are held or let go, people are told.';

revoke all on all functions in schema rowgate_webhooks from public;
