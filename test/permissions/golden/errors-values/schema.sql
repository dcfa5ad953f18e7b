create type mood as enum ('sad', 'ok');
create table org (id integer primary key, name text not null);
create table thing (
  id integer primary key, org_id integer references org, label text, doc jsonb, tags text[], seen timestamptz,
  mood mood, price numeric, flag boolean, token uuid,
  day date, slot tstzrange[]
);
