create table thing (id integer primary key, org integer not null, label text, status text not null default 'draft');
create table made (id integer primary key, org text not null, org_key text generated always as (lower(org)) stored);
insert into made values (1, 'a'), (2, 'b');
insert into thing values (1, 1, 'a', 'draft'), (2, 1, 'b', 'locked'), (3, 2, 'c', 'draft');
