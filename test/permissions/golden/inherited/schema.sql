create table org (id integer primary key, name text not null);
create table thing (id integer primary key, org_id integer not null references org, owner integer not null, label text, secret text);
insert into org values (1, 'one'), (2, 'two');
insert into thing values (1, 1, 1, 'a', 's1'), (2, 1, 2, 'b', 's2'), (3, 2, 3, 'c', 's3');
