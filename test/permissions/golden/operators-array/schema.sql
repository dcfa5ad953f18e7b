create table thing (id integer primary key, tags text[]);
insert into thing values (1, '{red,green}'), (2, '{red}'), (3, '{}'), (4, null), (5, '{red,null}');
