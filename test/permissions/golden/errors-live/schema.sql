create collation folded (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
create table thing (id int primary key, price numeric, name text collate folded, made_at timestamptz, spot point);
create table keyless (id int not null, made_at timestamptz not null);
create view shown as select * from thing;
