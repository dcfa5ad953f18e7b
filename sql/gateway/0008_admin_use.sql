-- Every use of the endpoints below /admin, so that operators can see who looked at which rules and rows.
create table rowgate.admin_use (
  id bigint generated always as identity primary key,
  began_at timestamptz not null default pg_catalog.clock_timestamp(),
  actor text not null,
  endpoint text not null,
  role text,
  relation text,
  operation text,
  columns text[] not null default '{}',
  variables text[] not null default '{}',
  request_id text not null,
  status int
);
alter table rowgate.admin_use enable row level security;
comment on table rowgate.admin_use is 'Every use of the endpoints below /admin with the admin secret.';
comment on column rowgate.admin_use.actor is 'The person or program, as it named itself. Nothing verifies the name.';
comment on column rowgate.admin_use.role is 'The role that was asked about, as the request named it.';
comment on column rowgate.admin_use.relation is 'The table that was asked about, as the request named it.';
comment on column rowgate.admin_use.columns is 'Names of the key columns, and of the columns to read or write. Values are not recorded.';
comment on column rowgate.admin_use.variables is 'Names of the session variables. Values are not recorded.';
comment on column rowgate.admin_use.request_id is 'The id of the request in the log.';
comment on column rowgate.admin_use.status is 'The HTTP status of the answer; null if the use did not end, for example because the client disconnected.';
