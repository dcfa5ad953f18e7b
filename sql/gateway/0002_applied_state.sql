-- What apply has made, as a whole and thing by thing: what differs from it was changed by somebody else.
alter table rowgate.installation add column state text;
comment on column rowgate.installation.state is 'Digest of everything that the last apply asked of this database.';

create table rowgate.applied_object (
  id text primary key,
  definition text not null
);
alter table rowgate.applied_object enable row level security;
comment on table rowgate.applied_object is 'Each thing that the last apply asked of this database: a policy, a grant, a role.';
comment on column rowgate.applied_object.id is 'Digest of what the thing is.';
comment on column rowgate.applied_object.definition is 'Digest of all that matters about it.';
