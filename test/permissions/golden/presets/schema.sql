create type kind as enum ('plain', 'odd');
create table thing (
  id integer primary key, label text, org integer default 0, author text default 'nobody',
  kind kind default 'odd', tags text[], changed_by text, doc jsonb
);
insert into thing values (1, 'one', 1, 'ann');
