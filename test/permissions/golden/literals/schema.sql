create table thing (id integer primary key, t text, big numeric, f float8, doc jsonb, list text[], d date);
insert into thing values
  (1, $$it's "quoted" \ and $1; drop table thing --$$, 12345678901234567890.123456789, '-0', '{"n": 12345678901234567890}', array['a,b', '{}', '"', '\', 'NULL'], '2025-02-28'),
  (2, 'żółć ☃ 💩', 1e30, '1e308', '{"n": 9007199254740993}', array[null, '']::text[], '2024-02-29'),
  (3, 'line
break	tab', 0, 'NaN', '{"t": "it''s"}', '{}', 'infinity'),
  (4, 'X-Hasura-User-Id', null, null, null, array['a', 'X-Gql-User-Id'], null),
  (5, 'X-Gql-User-Id', null, null, '{"t": "X-Gql-User-Id"}', null, null);
