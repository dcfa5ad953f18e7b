create table thing (id integer primary key);
create table quiet (id integer primary key);
create table untold (id integer primary key);
grant select on thing, quiet to public;
insert into thing values (1);
insert into quiet values (1);
