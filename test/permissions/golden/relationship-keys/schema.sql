create table region (country text, code text, open boolean not null, primary key (country, code));
create table shop (
  id integer primary key, country text, region text,
  foreign key (country, region) references region (country, code)
);
create table stock (id integer primary key, shop_id integer, sku text);
create table product (sku text, lang text, banned boolean not null, primary key (sku, lang));
insert into region values ('de', 'by', true), ('de', 'be', false), ('at', 'be', true);
insert into shop values (1, 'de', 'by'), (2, 'de', 'be'), (3, 'at', 'be'), (4, 'de', null), (5, null, null);
insert into stock values (10, 1, 'a'), (11, 2, 'b'), (12, null, 'c'), (13, 3, null);
insert into product values ('a', 'en', false), ('b', 'en', true), ('b', 'de', false), ('c', 'en', true);
create table bag (id integer primary key, tags text[]);
create table kit (tags text[], closed boolean not null);
insert into bag values (1, '{a,b}'), (2, '{a}'), (3, '{}'), (4, null);
insert into kit values ('{a,b}', true), ('{a}', false), ('{}', true), (null, true);
