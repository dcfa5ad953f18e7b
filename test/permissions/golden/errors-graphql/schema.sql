create schema a;
create table thing (id integer primary key, "x-y" text, "x y" text);
create table thing_aggregate (id integer primary key);
create table a.b (id integer primary key, thing_id integer references thing);
create table a_b (id integer primary key);
create table pair (id integer primary key, thing_id integer references thing);
create table "String" (id integer primary key);
create table order_by (id integer primary key);
create table pair_order_by (id integer primary key);
