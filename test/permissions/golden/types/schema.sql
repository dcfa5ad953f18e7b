create type mood as enum ('sad', 'ok', 'happy');
create domain positive as integer check (value > 0);
create domain code as varchar(10);
create table thing (
  id integer primary key,
  handle citext, mood mood, size positive, code code, name varchar(20), letter char(3),
  names varchar(20)[], moods mood[], price numeric(10, 2), seen timestamptz, flag boolean, big bigint,
  span int4range, path ltree, raw bytea, nick text
);
insert into thing values
  (1, 'Ann', 'sad', 1, 'a', 'Ann', 'x', '{Ann,Bo}', '{sad}', 1.50, '2025-01-01 00:00+00', true, 9007199254740993, '[1,5)', 'top.left', '\x01', 'Ann'),
  (2, 'BO', 'happy', 2, 'b', 'Bo', 'y', '{Bo}', '{ok,happy}', 2.50, '2025-06-01 00:00+00', false, 9007199254740992, '[5,9)', 'top.right', '\x02', 'bo');
