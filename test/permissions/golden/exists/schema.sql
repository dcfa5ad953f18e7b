create table member (org integer, person text, primary key (org, person));
create table feature (name text primary key, enabled boolean not null);
create table thing (id integer primary key, org integer not null, owner text not null);
insert into member values (1, 'ann'), (2, 'bo');
insert into feature values ('beta', true), ('gamma', false);
insert into thing values (1, 1, 'ann'), (2, 2, 'bo'), (3, 2, 'ann');
