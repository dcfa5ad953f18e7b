-- What apply has made, as one digest: while it stands, every difference was made by somebody else.
alter table rowgate.installation add column state text;
comment on column rowgate.installation.state is 'Digest of everything that the last apply asked of this database.';
