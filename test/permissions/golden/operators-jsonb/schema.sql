create table thing (id integer primary key, doc jsonb);
insert into thing values (1, '{"a": 1}'), (2, '{"a": 1, "b": [1, 2]}'), (3, '{}'), (4, null);
