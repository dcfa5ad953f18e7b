create table invoice (id integer primary key, number text not null);
create function twice(n integer) returns setof invoice language sql stable as 'select * from public.invoice where id = 2 * n';
