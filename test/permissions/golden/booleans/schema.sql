create table thing (id integer primary key, a integer, b integer);
insert into thing values (1, 1, 1), (2, 1, 2), (3, 2, 2), (4, null, 2), (5, 2, null);
