create table owner (id integer primary key);
create table thing (id integer primary key, owner_id integer references owner);
