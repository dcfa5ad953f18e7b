create schema billing;
create schema "Odd.schema";
create type "Odd.schema"."State" as enum ('on', 'off');
create domain billing.cents as integer;
create table billing.invoice (id integer primary key, org integer not null, total billing.cents);
create table "Odd.schema"."Odd.table" (
  "Id" integer primary key, "State" "Odd.schema"."State", invoice_id integer references billing.invoice
);
create table invoice (id integer primary key, state "Odd.schema"."State");
insert into billing.invoice values (1, 1, 100), (2, 2, 200);
insert into "Odd.schema"."Odd.table" values (1, 'on', 1), (2, 'on', 2), (3, 'off', 1);
insert into invoice values (7, 'on');
