create table org (id integer primary key, name text not null);
create table fund (id integer primary key, org integer not null references org, owner text, top text, unique (org, id));
create table note (
  id integer primary key,
  org integer not null references org,
  fund_id integer references fund,
  parent_id integer references note,
  label text
);
create table line (
  id integer primary key,
  org integer not null default 1,
  fund_id integer,
  label text,
  foreign key (org, fund_id) references fund (org, id)
);
create table share (id integer primary key, fund_id integer not null references fund, holder text not null);
insert into org values (1, 'a'), (2, 'b');
insert into fund values (10, 1, 'x', 'x'), (11, 1, 'y', 'x'), (20, 2, 'x', 'x');
insert into note values (1, 1, 10, null, 'mine'), (2, 2, 20, null, 'theirs'), (3, 1, 20, null, 'astray');
insert into line values (1, 1, 10, 'mine');
insert into share values (1, 10, 'x'), (2, 20, 'x');
