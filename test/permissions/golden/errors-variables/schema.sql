create table org (id integer primary key, name text not null);
create table person (
  id integer primary key, org_id integer references org, email text, tags text[], doc jsonb, docs jsonb[],
  token uuid, seen timestamptz
);
create function loud(person) returns text language sql stable set search_path = pg_catalog, pg_temp as 'select upper($1.email)';
