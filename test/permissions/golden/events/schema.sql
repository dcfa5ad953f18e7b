create table plain (
  id int primary key,
  organization_id int not null,
  status text not null default 'new',
  amount numeric,
  secret text,
  place point,
  twice numeric generated always as (amount * 2) stored
);
create table ledger (id int, region text, note json, primary key (id, region)) partition by list (region);
create table ledger_eu partition of ledger for values in ('eu');
create table ledger_us (region text not null, note json, id int not null);
alter table ledger attach partition ledger_us for values in ('us');
create table keyless ("o" text, "n" text, "whole" text, "place" int, "the ""odd"" one" text);
insert into plain values (1, 1, 'new', 1.0, 'hidden', '(1,2)'), (2, 1, 'new', 2, 'hidden', null), (3, 2, 'new', 3, 'hidden', null);
insert into ledger values (1, 'eu', '{"a":1}'), (2, 'us', '{"a":2}');
insert into keyless values ('a', 'b', 'c', 1, 'd'), ('a', 'b', 'c', 2, 'e');
