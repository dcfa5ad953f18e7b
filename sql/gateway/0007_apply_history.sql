-- Every apply, so that people can see who changed permissions, what it meant, and return to an earlier version.
create table rowgate.apply_history (
  id bigint generated always as identity primary key,
  ended_at timestamptz not null default pg_catalog.clock_timestamp(),
  login text not null default session_user,
  actor text,
  revision text,
  program_version text not null,
  files_hash text,
  words text[] not null default '{}',
  plan text[] not null default '{}',
  error text,
  source bytea
);
alter table rowgate.apply_history enable row level security;
comment on table rowgate.apply_history is 'Every apply that changed something or failed.';
comment on column rowgate.apply_history.login is 'The login that ran apply.';
comment on column rowgate.apply_history.actor is 'The person or program that ran apply, as it named itself.';
comment on column rowgate.apply_history.revision is 'The git commit of the metadata folder, with -dirty if files differ from it.';
comment on column rowgate.apply_history.files_hash is 'SHA-256 of the metadata files.';
comment on column rowgate.apply_history.words is 'What changed for whom, in words, compared with the apply before.';
comment on column rowgate.apply_history.plan is 'The changes of database objects.';
comment on column rowgate.apply_history.error is 'Why the apply failed; null for one that succeeded.';
comment on column rowgate.apply_history.source is 'The metadata files and the tables that they were applied to: JSON, compressed with gzip. The authentication section of rowgate.yaml is left out, because it may contain keys. Null for a failed apply, and for old ones.';
