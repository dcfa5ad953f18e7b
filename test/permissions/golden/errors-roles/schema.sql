create table org (id integer primary key, name text not null);
create table thing (id integer primary key, org_id integer references org, label text, doc jsonb, tags text[], seen timestamptz);
