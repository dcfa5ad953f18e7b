set check_function_bodies = off;
create schema school;
create table school.mark (
  id integer primary key, name text not null, maths integer, physics integer, tutor integer not null,
  mark text
);
create table school.remark (id integer primary key, mark_id integer not null references school.mark, words text not null, author integer not null);
create function school.total(mark school.mark) returns integer language sql stable as
  $$ select coalesce(mark.maths, 0) + coalesce(mark.physics, 0) $$;
create function school.offset_total(by_default integer default 0, session json default '{}', mark_row school.mark default null)
  returns integer language sql stable set search_path = pg_catalog, pg_temp as
  $$ select mark_row.maths + mark_row.physics - (session ->> 'x-gql-offset')::int + by_default $$;
-- Names within the function's own schema, whatever the caller's search_path is.
create function school.remarks(school.mark) returns setof school.remark language sql stable as
  $$ select r.* from remark r where r.mark_id = $1.id $$;
create function school.asked(mark school.mark, session jsonb) returns text language sql immutable
  begin atomic select concat_ws(' ', session ->> 'x-gql-role', session ->> 'x-gql-user-id', session -> 'x-gql-tutor'); end;
-- Its own table, beyond the rule that calls it.
create function school.siblings(mark school.mark) returns bigint language sql stable as
  $$ select count(*) from school.mark m where m.tutor = $1.tutor $$;
revoke execute on all functions in schema school from public;
insert into school.mark values (1, 'ann', 40, 50, 7, 'a'), (2, 'bob', 20, 10, 7, 'b'), (3, 'cat', null, 99, 8, null);
insert into school.remark values (1, 1, 'well done', 7), (2, 2, 'do more', 7), (3, 3, 'well, well', 8);
