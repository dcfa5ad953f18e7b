-- Effects of created and deleted users, and the log stream of the identity provider.

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
      -- The user may have signed in since the event, which changes the id. The e-mail address finds the user then.
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
  'Creates a custodial wallet for each given coin that a new user has no wallet of. Finds the user by id, or by organization and e-mail address. Returns the data of the welcome mail.';

-- After the deletion of a user, only this table records which wallets the user owned. The tables here have no foreign
-- keys to rows of the platform: a role's deletion must not cascade to tables for which it has no rule.
create table rowgate_webhooks.left_wallet (
  user_id text not null,
  digital_wallet_id uuid not null,
  email text not null,
  left_at timestamptz not null default pg_catalog.now(),
  primary key (user_id, digital_wallet_id)
);
comment on table rowgate_webhooks.left_wallet is 'Wallets of deleted users, until on_user_delete has processed them.';

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
comment on function rowgate_webhooks.remember_wallets() is 'Records the wallets of a user before the deletion.';

create trigger remember_wallets before delete on public."user"
  for each row execute function rowgate_webhooks.remember_wallets();

create function rowgate_webhooks.on_user_delete(event_id text, user_id text, email text) returns jsonb
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      wallet record;
      archived integer := 0;
      reported integer := 0;
      cancelled integer := 0;
      withdrawn integer;
    begin
      for wallet in
        select w.* from rowgate_webhooks.left_wallet l join public.digital_wallet w on w.id = l.digital_wallet_id
        where l.user_id = $2 order by w.id
      loop
        delete from rowgate_webhooks.left_wallet l where l.user_id = $2 and l.digital_wallet_id = wallet.id;
        -- The wallet has a new owner, or another event has already processed it.
        continue when not found or wallet.user_id is not null;
        cancelled := cancelled + rowgate_webhooks.cancel_requests(wallet.id, $1, 'The wallet''s owner was deleted');
        if wallet.balance = 0 and wallet.status <> 'locked' then
          perform rowgate_webhooks.try_move('digital_wallet', wallet.id, 'archived', $1, null);
          archived := archived + 1;
        else
          perform rowgate_webhooks.notify_role(wallet.organization_id, 'organization_admin', 'system',
            'A wallet has no owner any more',
            format('%s holds %s %s', wallet.label, rowgate_webhooks.plain(wallet.balance), wallet.coin), null);
          reported := reported + 1;
        end if;
      end loop;
      delete from rowgate_auth.session s
        where s.user_id = $2 and not exists (select from public."user" u where u.id = $2);
      delete from rowgate_mail.outbox o
        where o.state = 'waiting' and lower(o.recipient) = lower($3)
          and not exists (select from public."user" u where lower(u.email) = lower($3));
      get diagnostics withdrawn = row_count;
      return jsonb_build_object('outcome', 'cleaned', 'archivedWallets', archived, 'keptWallets', reported,
        'cancelledRequests', cancelled, 'withdrawnMails', withdrawn);
    end
  $$;
comment on function rowgate_webhooks.on_user_delete(text, text, text) is
  'Handles a deleted user: archives empty wallets, reports the others to the administrators, cancels their requests, and deletes mail that was not sent. Foreign keys do not cover these rows.';

create table rowgate_webhooks.login_warning (
  user_id text primary key,
  warned_at timestamptz not null
);
comment on table rowgate_webhooks.login_warning is 'Time of the last warning of failed sign-ins, by user.';

create function rowgate_webhooks.login_kind(type text) returns text
  language sql immutable
  set search_path = pg_catalog, pg_temp
  as $$
    select case
      when $1 = 's' then 'login'
      when $1 in ('f', 'fp', 'fu', 'fc') then 'login_failed'
      when $1 = 'slo' then 'logout'
      when $1 = 'scp' then 'password_changed'
      when $1 = 'gd_enrollment_complete' then 'mfa_enrolled'
      when $1 in ('gd_auth_succeed', 'gd_recovery_succeed') then 'mfa_passed'
      when $1 in ('gd_auth_failed', 'gd_auth_rejected', 'gd_recovery_failed') then 'mfa_failed'
      when $1 in ('limit_wc', 'limit_mu', 'limit_ui', 'limit_sul', 'pwd_leak') then 'blocked'
      end;
  $$;
comment on function rowgate_webhooks.login_kind(text) is
  'Returns the kind of sign-in event for a log type of the provider, or null for other types.';

create function rowgate_webhooks.address_of(written text) returns inet
  language plpgsql immutable
  set search_path = pg_catalog, pg_temp
  as $$
    begin
      return nullif($1, '')::inet;
    exception when invalid_text_representation then
      return null;
    end
  $$;
comment on function rowgate_webhooks.address_of(text) is 'Parses an IP address of the provider. Returns null if it is invalid.';

create function rowgate_webhooks.warn_of_failures(user_id text, failed_at timestamptz) returns jsonb
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      person public."user";
      failures bigint;
    begin
      select * into strict person from public."user" u where u.id = $1;
      -- The largest number of failures within 15 minutes that include this one.
      select max(w.failures) into failures from (
        select count(*) over (order by e.occurred_at range between interval '15 minutes' preceding and current row) as failures
        from public.login_event e
        where e.user_id = $1 and e.kind = 'login_failed'
          and e.occurred_at between $2 - interval '15 minutes' and $2 + interval '15 minutes') w;
      if failures < 5 then return null; end if;
      -- At most one warning per hour, by the clock of this database.
      insert into rowgate_webhooks.login_warning as w (user_id, warned_at) values ($1, now())
        on conflict on constraint login_warning_pkey do update set warned_at = now() where w.warned_at <= now() - interval '1 hour';
      if not found then return null; end if;
      perform rowgate_webhooks.notify(person.id, 'security', 'Several attempts to sign in as you failed',
        'If it was not you, change your password.', null);
      perform rowgate_webhooks.notify_role(person.organization_id, 'client_user_admin', 'security',
        'Several attempts to sign in as one of your people failed', coalesce(person.full_name, person.email), null);
      if person.status <> 'active' then return null; end if;
      return jsonb_build_object('userId', person.id, 'email', person.email, 'name', person.full_name,
        'failures', failures, 'lastAt', to_char($2 at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'));
    end
  $$;
comment on function rowgate_webhooks.warn_of_failures(text, timestamptz) is
  'Warns a user and the organization''s user administrators of five failed sign-ins within 15 minutes, at most once an hour. Returns the data of the mail, or null.';

create function rowgate_webhooks.apply_identity(event_id uuid) returns rowgate_webhooks.outcome
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
      -- The row lock processes the events of a user one after the other, so that each sees the earlier failures.
      select * into person from public."user" u where u.id = data ->> 'user_id' for no key update;
      if not found and coalesce(data ->> 'user_id', '') = '' then
        return rowgate_webhooks.became('ignored', 'it names no user_id');
      elsif not found then
        return rowgate_webhooks.unmatched($1, 'user/' || (data ->> 'user_id'), 'no user has this user_id');
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
comment on function rowgate_webhooks.apply_identity(uuid) is 'Processes a log of the identity provider.';

revoke all on all functions in schema rowgate_webhooks from public;
