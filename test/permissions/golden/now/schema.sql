create table offer (id integer primary key, until timestamptz, day date, changed_at timestamp, note text);
insert into offer values (1, now() - interval '1 day', now() - interval '2 days', null, 'now'), (2, now() + interval '1 day', now() + interval '2 days', null, 'later');
