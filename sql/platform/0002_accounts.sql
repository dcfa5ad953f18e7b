-- Sessions, keys and tokens for the REST endpoints. Only the sidecar's login may use this schema. That login has no
-- right on any table of the platform and calls the functions below.

create schema rowgate_auth;
revoke all on schema rowgate_auth from public;

-- The library connect-pg-simple expects these columns.
create table rowgate_auth.session (
  sid text primary key,
  sess json not null,
  expire timestamptz(6) not null,
  user_id text generated always as (sess ->> 'userId') stored
);
comment on table rowgate_auth.session is 'Browser sessions. The cookie contains the id with a signature, so the id alone gives no access.';
create index session_expire_idx on rowgate_auth.session (expire);
create index session_user_id_idx on rowgate_auth.session (user_id);

-- The library rate-limiter-flexible expects these columns.
create table rowgate_auth.rate_limit (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
comment on table rowgate_auth.rate_limit is 'Numbers of recent attempts, counted over all instances.';
create index rate_limit_expire_idx on rowgate_auth.rate_limit (expire);

create table rowgate_auth.signing_key (
  kid text primary key,
  public_jwk jsonb not null,
  sealed_private_jwk bytea not null,
  created_at timestamptz not null default pg_catalog.now(),
  retired_at timestamptz
);
comment on table rowgate_auth.signing_key is 'Keys that sign the tokens of the platform. The private part is encrypted.';
comment on column rowgate_auth.signing_key.retired_at is 'Time since which the key signs nothing. It still verifies until the last token signed with it has expired.';
create unique index signing_key_current_key on rowgate_auth.signing_key ((true)) where retired_at is null;

create table rowgate_auth.revoked_token (
  digest bytea primary key,
  expires_at timestamptz not null
);
comment on table rowgate_auth.revoked_token is 'SHA-256 digests of bearer tokens that were revoked before they expired.';
create index revoked_token_expires_at_idx on rowgate_auth.revoked_token (expires_at);

create table rowgate_auth.api_key (
  id text primary key,
  name text not null check (name <> ''),
  digest bytea not null,
  scopes text[] not null check (scopes <@ array['sdk:workflow', 'sdk:kyc', 'case:read', 'admin'] and scopes <> '{}'),
  role text,
  organization_id uuid references public.organization on delete cascade,
  created_at timestamptz not null default pg_catalog.now(),
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz
);
comment on table rowgate_auth.api_key is 'API keys of programs. Only the SHA-256 digest of a key is stored.';
comment on column rowgate_auth.api_key.role is 'Role with which the key reads the platform''s tables.';
comment on column rowgate_auth.api_key.organization_id is 'The only organization that the key may access. Null: all organizations.';
comment on column rowgate_auth.api_key.last_used_at is 'Time of the last use, updated at most once a minute.';
create index api_key_organization_id_idx on rowgate_auth.api_key (organization_id);

create table rowgate_auth.sdk_token (
  digest bytea primary key,
  kind text not null check (kind in ('workflow', 'kyc')),
  user_id text not null references public."user" on update cascade on delete cascade,
  organization_id uuid not null references public.organization on delete cascade,
  api_key_id text not null references rowgate_auth.api_key on delete cascade,
  expires_at timestamptz not null
);
comment on table rowgate_auth.sdk_token is 'SHA-256 digests of short-lived tokens for SDKs. A token ends with the API key that requested it.';
create index sdk_token_user_id_idx on rowgate_auth.sdk_token (user_id);
create index sdk_token_organization_id_idx on rowgate_auth.sdk_token (organization_id);
create index sdk_token_api_key_id_idx on rowgate_auth.sdk_token (api_key_id);
create index sdk_token_expires_at_idx on rowgate_auth.sdk_token (expires_at);

create table rowgate_auth.departed_user (
  id text primary key,
  departed_at timestamptz not null default pg_catalog.now()
);
comment on table rowgate_auth.departed_user is 'Deleted users. Tokens issued before the deletion do not create the user again.';

-- The function runs with the rights of its owner, because roles that may delete users have no right in this schema.
create function rowgate_auth.remember_departure() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
  as $$
    begin
      insert into rowgate_auth.departed_user (id) values (old.id)
        on conflict (id) do update set departed_at = excluded.departed_at;
      delete from rowgate_auth.session s where s.user_id = old.id;
      return old;
    end
  $$;
comment on function rowgate_auth.remember_departure() is 'Ends the sessions of a deleted user and records the deletion, so that earlier tokens have no effect.';

create trigger remember_departure after delete on public."user"
  for each row execute function rowgate_auth.remember_departure();

create function rowgate_auth.find_user(user_id text, begun_at timestamptz default null, token_digest bytea default null)
  returns table (
    id text, email text, organization_id uuid, is_platform_admin boolean,
    roles text[], allowed_funds text[], token_is_revoked boolean
  )
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    begin
      return query
        select u.id, u.email, u.organization_id, u.platform_admin,
          array(select r.role from public.user_role r where r.user_id = u.id order by r.role collate "C"),
          array(select a.fund_id::text from public.fund_access a where a.user_id = u.id order by a.fund_id),
          exists (select from rowgate_auth.revoked_token t where t.digest = $3)
        from public."user" u
        where u.id = $1 and u.status = 'active'
          and not exists (select from rowgate_auth.departed_user d where d.id = $1 and d.departed_at >= $2);
    end
  $$;
comment on function rowgate_auth.find_user(text, timestamptz, bytea) is 'Returns a user with roles and funds. Returns no row if the user is missing or disabled, or was deleted after the session or token was issued.';

create function rowgate_auth.provision_user(
  subject text, email text, email_is_verified boolean, full_name text, issued_at timestamptz, may_found boolean
) returns text
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      invitations text[];
      founded uuid;
    begin
      if exists (select from public."user" u where u.id = $1) then return 'known'; end if;
      if exists (select from rowgate_auth.departed_user d where d.id = $1 and d.departed_at >= $5) then
        return 'departed';
      end if;
      if $2 is null then return 'without_email'; end if;
      if $3 then
        -- A user with a role is no open invitation, even if the e-mail address matches.
        invitations := array(
          select u.id from public."user" u
          -- Only ASCII letters are compared without case: lower-casing other letters could produce the e-mail address
          -- of another user.
          where pg_catalog.lower(u.email collate "C") = pg_catalog.lower($2 collate "C")
            and u.id like 'local|%' and u.status = 'active'
            and not exists (select from public.user_role r where r.user_id = u.id)
          for update);
        if pg_catalog.cardinality(invitations) > 1 then return 'ambiguous'; end if;
      end if;
      if pg_catalog.cardinality(invitations) = 1 then
        update public."user" u set id = $1, full_name = coalesce(u.full_name, $4) where u.id = invitations[1];
      elsif exists (select from public."user" u where u.id = $1) then
        -- Another request of the same person accepted the invitation while this statement waited for its lock.
        return 'known';
      elsif $6 then
        insert into public.organization (name) values (coalesce($4, $2)) returning organization.id into founded;
        insert into public."user" (id, organization_id, email, full_name) values ($1, founded, $2, $4);
      else
        return 'uninvited';
      end if;
      insert into public.user_role (user_id, role) values ($1, 'user');
      return case when founded is null then 'invited' else 'founded' end;
    exception when unique_violation then
      -- A concurrent request created the same user.
      return 'known';
    end
  $$;
comment on function rowgate_auth.provision_user(text, text, boolean, text, timestamptz, boolean) is
  'Creates the user at sign-in if necessary. Returns known, invited (entered before with the same verified e-mail address), founded (with a new organization), or the reason of a refusal: departed, without_email, ambiguous, uninvited.';

create function rowgate_auth.find_sdk_token(token_digest bytea)
  returns table (kind text, user_id text, organization_id uuid)
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    begin
      return query
        select t.kind, t.user_id, t.organization_id
        from rowgate_auth.sdk_token t
        join public."user" u on u.id = t.user_id and u.organization_id = t.organization_id
        join rowgate_auth.api_key k on k.id = t.api_key_id
        where t.digest = $1 and t.expires_at > pg_catalog.now() and u.status = 'active'
          and k.revoked_at is null and coalesce(k.expires_at > pg_catalog.now(), true);
    end
  $$;
comment on function rowgate_auth.find_sdk_token(bytea) is 'Returns the user for whom an SDK token was issued. Returns no row for an unknown, expired or revoked token.';

revoke all on all functions in schema rowgate_auth from public;
