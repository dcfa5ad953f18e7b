create table thing (id integer primary key);
