-- What the identity provider's log stream does: who signed in, who failed to, and who is told of it.

create table rowgate_webhooks.login_warning (
  user_id text primary key,
  warned_at timestamptz not null
);
comment on table rowgate_webhooks.login_warning is 'When a person was last warned of failed attempts to sign in.';

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
  'The kind of a login event that a type of the provider''s log stands for; null for types that are none.';

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
comment on function rowgate_webhooks.address_of(text) is 'An address as the provider writes it; null where it is none.';

create function rowgate_webhooks.warn_of_failures(user_id text, failed_at timestamptz) returns jsonb
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      person public."user";
      failures bigint;
    begin
      select * into strict person from public."user" u where u.id = $1;
      -- The most that lie within a quarter of an hour together with this one.
      select max(w.failures) into failures from (
        select count(*) over (order by e.occurred_at range between interval '15 minutes' preceding and current row) as failures
        from public.login_event e
        where e.user_id = $1 and e.kind = 'login_failed'
          and e.occurred_at between $2 - interval '15 minutes' and $2 + interval '15 minutes') w;
      if failures < 5 then return null; end if;
      -- One word an hour, by the clock of this database.
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
  'Warns a person, and who looks after the people of the organization, of five failed attempts within 15 minutes, once an hour; what the mail is about, or null.';

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
      -- One after the other for each person, so that each sees the failures before it.
      select * into person from public."user" u where u.id = data ->> 'user_id' for no key update;
      if not found then return rowgate_webhooks.became('ignored', 'nobody here has this user_id'); end if;
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
comment on function rowgate_webhooks.apply_identity(uuid) is 'Does what a log of the identity provider says.';

revoke all on all functions in schema rowgate_webhooks from public;
