create table thing (
  id integer generated always as identity primary key, label text, org integer,
  made text generated always as (label || '!') stored
);
