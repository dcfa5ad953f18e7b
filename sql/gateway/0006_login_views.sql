-- The schemas of views that `rowgate login create --views` made, by role of the metadata. Apply keeps these views.
alter table rowgate.installation add column view_schemas jsonb not null default '{}';
comment on column rowgate.installation.view_schemas is 'Names of the schemas that hold views for direct logins, by role of the metadata.';
