create type mood as enum ('sad', 'happy-go');
create type complex as (r float8, i float8);
create domain email as citext;
create schema billing;

create table organization (
  id uuid primary key,
  name text not null
);
comment on table organization is 'A tenant';
comment on column organization.name is 'How it is called';

create table author (
  id int primary key,
  organization_id uuid not null references organization,
  name varchar(40) not null,
  email email,
  secret text,
  rank int
);

create table article (
  id int primary key,
  author_id int references author,
  title text not null,
  body text,
  views bigint not null default 0,
  price numeric(12, 2),
  score float8,
  published boolean not null default false,
  published_at timestamptz,
  tags text[],
  meta jsonb,
  raw json,
  mood mood,
  path ltree,
  place point,
  part complex,
  secret_rating int
);
create index on article (author_id);

create table billing.invoice (
  organization_id uuid not null references organization,
  number int,
  total numeric not null,
  primary key (organization_id, number)
);

create table setting (
  name citext primary key,
  owner uuid,
  level int
);

insert into organization values
  ('00000000-0000-4000-8000-000000000001', 'One'),
  ('00000000-0000-4000-8000-000000000002', 'Two');
insert into author values
  (1, '00000000-0000-4000-8000-000000000001', 'Ada', 'Ada@one.example', 'ada-secret', 1),
  (2, '00000000-0000-4000-8000-000000000001', 'Bob', null, 'bob-secret', 2),
  (3, '00000000-0000-4000-8000-000000000002', 'Cy', 'cy@two.example', 'cy-secret', null);
insert into article values
  (1, 1, 'Alpha', 'first', 9007199254740993, 10.50, 0.1, true, '2026-01-02T03:04:05Z', '{a,b}', '{"k": {"n": [1, 2]}, "x y": 3}', '{"a": {"b": 1}}', 'sad', 'Top.Science', '(1,2)', '(1,2)', 5),
  (2, 1, 'Beta', null, 5, 20.25, 0.2, false, null, '{b,c}', '{"k": 1}', null, 'happy-go', 'Top.Art', null, null, 6),
  (3, 2, 'Gamma', 'third', 7, null, null, true, '2026-02-02T00:00:00Z', null, null, null, null, null, null, null, 7),
  (4, 3, 'Delta', 'fourth', 1, 1.00, 1.5, true, null, '{}', '["k"]', null, null, null, null, null, 8),
  (5, null, 'Orphan', null, 0, null, null, false, null, null, null, null, null, null, null, null, null);
insert into billing.invoice values
  ('00000000-0000-4000-8000-000000000001', 1, 100),
  ('00000000-0000-4000-8000-000000000002', 1, 200);
insert into setting values
  ('Theme', '00000000-0000-4000-8000-000000000001', 1),
  ('locale', '00000000-0000-4000-8000-000000000002', 2);
