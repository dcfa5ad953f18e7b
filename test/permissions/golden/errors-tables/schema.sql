create table thing (id integer primary key);
create view looking as select 1 as id;
create materialized view kept as select 1 as id;
