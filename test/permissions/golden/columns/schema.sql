create table thing (
  id integer primary key, a text, b text, "Odd ""name""" text,
  made text generated always as (a || '!') stored
);
insert into thing (id, a, b) values (1, 'x', 'y'), (2, 'z', null);
