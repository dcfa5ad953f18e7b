-- The state that the last apply created, as one digest and as one digest per object. A difference means that another
-- program changed the database.
alter table rowgate.installation add column state text;
comment on column rowgate.installation.state is 'Digest of all objects that the last apply requested in this database.';

create table rowgate.applied_object (
  id text primary key,
  definition text not null
);
alter table rowgate.applied_object enable row level security;
comment on table rowgate.applied_object is 'The objects that the last apply requested in this database, such as policies, grants and roles.';
comment on column rowgate.applied_object.id is 'Digest of the object''s identity.';
comment on column rowgate.applied_object.definition is 'Digest of the object''s definition.';
