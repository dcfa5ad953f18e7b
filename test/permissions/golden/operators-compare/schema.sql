create table thing (id integer primary key, n integer);
insert into thing values (1, 1), (2, 2), (3, 3), (4, null);
