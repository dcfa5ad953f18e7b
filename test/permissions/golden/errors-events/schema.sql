create table thing (id int generated always as identity primary key, label text, made text generated always as (label || '!') stored);
create table other (id int primary key);
create view shown as select * from thing;
