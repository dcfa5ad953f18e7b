create table author (id integer primary key, name text, born date, buddy_id integer references author);
create table author_many (id integer primary key);
create table author_updates (id integer primary key);
create table article (id integer primary key, author_id integer references author, title text, authors text);
create table tag (id integer primary key, article_id integer references article, label text, rank integer);
create table bigint (id integer primary key);
create table int4_comparison_exp (id integer primary key);
