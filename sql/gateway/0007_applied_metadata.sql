-- The metadata of the last apply, so that plan and apply can say what a change means for whom.
create table rowgate.applied_metadata (
  singleton boolean primary key default true check (singleton),
  source bytea not null
);
alter table rowgate.applied_metadata enable row level security;
comment on table rowgate.applied_metadata is 'The metadata files of the last apply and the tables that they were applied to.';
comment on column rowgate.applied_metadata.source is 'JSON, compressed with gzip. The authentication section of rowgate.yaml is left out, because it may contain keys.';
