create table thing (id integer primary key, label text, owner integer);
