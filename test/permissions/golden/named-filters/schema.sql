create table org (id integer primary key, closed boolean not null);
create table thing (id integer primary key, org_id integer references org, state text);
insert into org values (1, false), (2, true);
insert into thing values (1, 1, 'draft'), (2, 1, 'done'), (3, 2, 'draft'), (4, null, 'draft');
