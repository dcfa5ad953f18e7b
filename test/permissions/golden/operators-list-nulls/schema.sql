create table thing (id integer primary key, n uuid);
insert into thing values
  (1, '00000000-0000-4000-8000-000000000001'), (2, '00000000-0000-4000-8000-000000000002'), (3, null);
