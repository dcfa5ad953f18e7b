create table thing (id integer primary key, org integer not null, label text, status text not null default 'draft');
insert into thing values (1, 1, 'a', 'draft'), (2, 1, 'b', 'locked'), (3, 2, 'c', 'draft');
