-- Tables and functions of Rowgate itself. Only the owner may use schema rowgate. Schema rowgate_policy contains views
-- that only row policies read. All roles may use schema rowgate_api.
create schema rowgate_api;
create schema rowgate_policy;
revoke all on schema rowgate, rowgate_api, rowgate_policy from public;

create table rowgate.installation (
  singleton boolean primary key default true check (singleton),
  id uuid not null default pg_catalog.gen_random_uuid(),
  gateway_role name,
  fingerprint text,
  applied_at timestamptz
);
alter table rowgate.installation enable row level security;
comment on table rowgate.installation is 'One row with the id of this installation, the gateway role and the fingerprint of the metadata that was applied last.';
insert into rowgate.installation default values;

create table rowgate.login_variable (
  login regrole not null,
  name text not null check (name ~ '^[a-z_][a-z0-9_]*$'),
  value text not null,
  primary key (login, name)
);
alter table rowgate.login_variable enable row level security;
comment on table rowgate.login_variable is 'Session variables of direct logins. Settings that such a session makes itself have no effect.';

create table rowgate.row_security (relation regclass primary key);
alter table rowgate.row_security enable row level security;
comment on table rowgate.row_security is 'Tables on which Rowgate enabled row-level security. An uninstall disables it again.';

create function rowgate_api.login_variable(name text) returns text
  language sql stable parallel safe security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select v.value
    from rowgate.login_variable v
    where v.login = (select r.oid from pg_catalog.pg_roles r where r.rolname = session_user)::regrole
      and v.name = $1
  $$;
comment on function rowgate_api.login_variable(text) is 'Returns a session variable of the login that opened this connection.';

create function rowgate_api.session_variable(name text) returns text
  language sql stable parallel safe security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select case
      when (select pg_has_role(session_user, i.gateway_role, 'MEMBER') from rowgate.installation i)
        then nullif(current_setting('gql.' || $1, true), '')
      else rowgate_api.login_variable($1)
    end
  $$;
comment on function rowgate_api.session_variable(text) is 'Returns a session variable by its lower-case name, or null if it is missing or empty. Column defaults call this function.';

create function rowgate_api.applied_fingerprint() returns text
  language sql stable parallel safe security definer
  set search_path = pg_catalog, pg_temp
  as $$ select i.fingerprint from rowgate.installation i $$;
comment on function rowgate_api.applied_fingerprint() is 'Returns the fingerprint of the metadata that was applied last.';

revoke all on function rowgate_api.login_variable(text), rowgate_api.session_variable(text),
  rowgate_api.applied_fingerprint() from public;
