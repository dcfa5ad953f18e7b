create table org (id integer primary key, name text not null);
create table thing (id integer primary key, org_id integer not null references org, label text, secret text);
insert into org values (1, 'one');
insert into thing values (1, 1, 'a', 's');
