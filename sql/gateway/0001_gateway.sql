-- What Rowgate itself keeps in the database. No role but the owner may use schema rowgate;
-- rowgate_policy holds views that only row policies read; rowgate_api is for everybody.
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
comment on table rowgate.installation is 'One row: who this installation is, and what metadata was applied last.';
insert into rowgate.installation default values;

create table rowgate.login_variable (
  login regrole not null,
  name text not null check (name ~ '^[a-z_][a-z0-9_]*$'),
  value text not null,
  primary key (login, name)
);
alter table rowgate.login_variable enable row level security;
comment on table rowgate.login_variable is 'Session variables of people who log in to Postgres directly; what they set themselves does not count.';

create table rowgate.row_security (relation regclass primary key);
alter table rowgate.row_security enable row level security;
comment on table rowgate.row_security is 'Tables whose row security was off until Rowgate turned it on; an uninstall turns it off again.';

create function rowgate_api.login_variable(name text) returns text
  language sql stable parallel safe security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select v.value
    from rowgate.login_variable v
    where v.login = (select r.oid from pg_catalog.pg_roles r where r.rolname = session_user)::regrole
      and v.name = $1
  $$;
comment on function rowgate_api.login_variable(text) is 'A session variable of the login that this connection was opened with.';

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
comment on function rowgate_api.session_variable(text) is 'A session variable by its lower-case name; null where it is missing or empty. For column defaults.';

create function rowgate_api.applied_fingerprint() returns text
  language sql stable parallel safe security definer
  set search_path = pg_catalog, pg_temp
  as $$ select i.fingerprint from rowgate.installation i $$;
comment on function rowgate_api.applied_fingerprint() is 'The fingerprint of the metadata that was applied last.';

revoke all on function rowgate_api.login_variable(text), rowgate_api.session_variable(text),
  rowgate_api.applied_fingerprint() from public;
