create domain code as varchar(8) check (value <> '');
create schema billing;
create table billing.unit (id integer primary key, org integer not null, closed boolean not null, unique (org, id));
create table part (
  unit_id integer not null references billing.unit, code code not null, org integer not null,
  label text, locked boolean not null default false,
  primary key (unit_id, code)
);
create table note (id integer primary key, owner integer not null, body text);
create table journal (at timestamptz not null, line text not null unique);
insert into billing.unit values (1, 5, false), (2, 5, true), (3, 6, false);
insert into part values (1, 'a', 5, 'one', false), (1, 'b', 5, 'two', true), (2, 'a', 5, 'three', false), (3, 'a', 6, 'four', false);
insert into note values (1, 7, 'mine'), (2, 8, 'theirs');
