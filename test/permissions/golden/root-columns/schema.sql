create table org (id integer primary key, budget integer not null, head text);
create table project (id integer primary key, org_id integer not null references org, cost integer not null, head text);
create table bill (id integer primary key, project_id integer not null references project, amount integer not null, payer text);
create table r1 (id integer primary key, project_id integer references project, amount integer not null);
insert into org values (1, 100, 'ann'), (2, 10, 'bo');
insert into project values (10, 1, 50, 'ann'), (20, 2, 50, 'bo'), (30, 2, 5, null);
insert into bill values (100, 10, 60, 'ann'), (101, 10, 40, 'bo'), (200, 20, 5, 'bo'), (300, 30, 5, null);
insert into r1 values (1, 10, 60), (2, 20, 5), (3, null, 1);
