create table mark (id integer primary key, name text not null, maths integer, physics integer, tutor integer not null);
create table page (book integer, number integer, secret text, primary key (book, number));
create function total(mark mark) returns integer language sql stable as $$ select mark.maths + mark.physics $$;
create function length_of(page) returns integer language sql stable as $$ select pg_catalog.length($1.secret) $$;
create function owner_of(page, session jsonb) returns text language sql stable as $$ select session ->> 'x-gql-user-id' $$;
create function book_of(page) returns text language sql stable security definer set search_path = public, pg_temp as
  $$ select string_agg(p.secret, ',' order by p.number) from page p where p.book = $1.book $$;
create function asked_by(page, session jsonb) returns text language sql stable security definer set search_path = public, pg_temp as
  $$ select session ->> 'x-gql-user-id' $$;
create function longer(page, extra integer default 1) returns integer language sql stable as $$ select pg_catalog.length($1.secret) + $2 $$;
revoke execute on function book_of(page), asked_by(page, jsonb) from public;
insert into mark values (1, 'ann', 40, 50, 7), (2, 'bob', 20, 10, 7), (3, 'cat', null, 99, 8);
insert into page values (1, 1, 'abc'), (1, 2, 'abcd'), (2, 1, 'ab');
