create table thing (id integer primary key, seen timestamptz, path ltree);
