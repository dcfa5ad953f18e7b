create table page (id integer primary key, path ltree, title citext, token uuid, body jsonb);
insert into page values
  (1, 'Top.Art', 'Art', '00000000-0000-4000-8000-00000000000a', '{"a": "B"}'),
  (2, 'Top.Art.Modern', 'modern art', '00000000-0000-4000-8000-00000000000b', '12'),
  (3, 'Top.Science', 'Science', null, '"text"'),
  (4, null, null, null, null);
