create domain strict as integer not null;
create domain stricter as strict check (value > 0);
create domain lenient as strict default 1;
create table thing (
  id integer generated always as identity primary key, label text, org integer,
  made text generated always as (label || '!') stored,
  a strict, b stricter, c strict default 1, d lenient
);
