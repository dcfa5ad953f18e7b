create table thing (id integer primary key, t text);
insert into thing values (1, 'Apple'), (2, 'apricot'), (3, 'banana'), (4, null);
