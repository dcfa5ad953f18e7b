-- The outbox of mails. Only the sidecar's login may use this schema, through its functions.

create schema rowgate_mail;
revoke all on schema rowgate_mail from public;

-- Apart from the mails, which are deleted long before: a letter must not be sent again when its mails are forgotten.
create table rowgate_mail.letter (
  key text primary key check (key <> ''),
  posted_at timestamptz not null default pg_catalog.now()
);
comment on table rowgate_mail.letter is 'What was written to people, by what tells it from others; none is written twice.';
create index letter_posted_at_idx on rowgate_mail.letter (posted_at);

create table rowgate_mail.outbox (
  id uuid primary key default pg_catalog.gen_random_uuid(),
  key text not null references rowgate_mail.letter,
  recipient text not null,
  subject text not null,
  text text not null,
  html text not null,
  message_id text not null,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed')),
  attempts integer not null default 0,
  last_error text,
  created_at timestamptz not null default pg_catalog.now(),
  sent_at timestamptz,
  unique (key, recipient)
);
comment on table rowgate_mail.outbox is 'Mails, each to one address: nobody sees who else was written to.';
comment on column rowgate_mail.outbox.message_id is 'What the mail itself carries: the same each time that it is sent.';
comment on column rowgate_mail.outbox.state is 'waiting until a mail server takes it; failed where one refused it for good, or none took it for days.';
comment on column rowgate_mail.outbox.last_error is 'Why the last attempt failed.';
create index outbox_created_at_idx on rowgate_mail.outbox (created_at);
create index outbox_waiting_idx on rowgate_mail.outbox (created_at) where state = 'waiting';

create function rowgate_mail.post(letters jsonb) returns setof uuid
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    with given as (
      select distinct on (l.letter ->> 'key') l.letter, l.place
      from pg_catalog.jsonb_array_elements($1) with ordinality l (letter, place)
      order by l.letter ->> 'key', l.place
    ), posted as (
      -- In one order for all, so that two who post the same letters never wait for each other.
      insert into rowgate_mail.letter (key)
        select g.letter ->> 'key' from given g order by 1
        on conflict do nothing
        returning key
    ), written as (
      insert into rowgate_mail.outbox (id, key, recipient, subject, text, html, message_id, state, last_error)
        select m.id, p.key, m.recipient, g.letter ->> 'subject', g.letter ->> 'text', g.letter ->> 'html',
          '<' || m.id || '@' || (g.letter ->> 'domain') || '>', case when m.problem is null then 'waiting' else 'failed' end, m.problem
        from posted p
        join given g on g.letter ->> 'key' = p.key
        cross join lateral (
          select pg_catalog.gen_random_uuid(), r.to ->> 'address', r.to ->> 'problem'
          from pg_catalog.jsonb_array_elements(g.letter -> 'recipients') r ("to")
        ) m (id, recipient, problem)
        order by g.place
        on conflict do nothing
        returning id, state
    )
    select w.id from written w where w.state = 'waiting';
  $$;
comment on function rowgate_mail.post(jsonb) is
  'Keeps letters whose key was never there before: [{key, subject, text, html, domain, recipients: [{address, problem?}]}]. Returns the mails that are to be sent; those to an address with a problem are kept as failed.';

create function rowgate_mail.waiting_mail(mail_id uuid)
  returns table (recipient text, subject text, text text, html text, message_id text)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select o.recipient, o.subject, o.text, o.html, o.message_id
    from rowgate_mail.outbox o where o.id = $1 and o.state = 'waiting';
  $$;
comment on function rowgate_mail.waiting_mail(uuid) is 'A mail that is still to be sent; no row for any other.';

create function rowgate_mail.note_sent(id uuid) returns void
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    update rowgate_mail.outbox o
      set state = 'sent', attempts = o.attempts + 1, last_error = null, sent_at = pg_catalog.now()
      where o.id = $1;
  $$;
comment on function rowgate_mail.note_sent(uuid) is 'A mail server has taken the mail.';

create function rowgate_mail.note_failure(id uuid, error text, final boolean) returns void
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    update rowgate_mail.outbox o
      set state = case when $3 then 'failed' else o.state end, attempts = o.attempts + 1, last_error = $2
      where o.id = $1 and o.state = 'waiting';
  $$;
comment on function rowgate_mail.note_failure(uuid, text, boolean) is 'An attempt failed; the last one where it is final.';

create function rowgate_mail.waiting() returns setof uuid
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select o.id from rowgate_mail.outbox o where o.state = 'waiting' order by o.created_at;
  $$;
comment on function rowgate_mail.waiting() is 'All mails that are still to be sent, the oldest first.';

create function rowgate_mail.wait_again(id uuid) returns text
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    with found as (
      select o.state from rowgate_mail.outbox o where o.id = $1 for update
    ), changed as (
      update rowgate_mail.outbox o set state = 'waiting' from found f where o.id = $1 and f.state = 'failed'
    )
    select f.state from found f;
  $$;
comment on function rowgate_mail.wait_again(uuid) is
  'Puts a mail that failed back among the waiting. Returns the state that it was in; null where there is no such mail.';

create function rowgate_mail.list(state text, most integer)
  returns table (
    id uuid, key text, recipient text, subject text, state text, attempts integer, last_error text,
    created_at timestamptz, sent_at timestamptz
  )
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select o.id, o.key, o.recipient, o.subject, o.state, o.attempts, o.last_error, o.created_at, o.sent_at
    from rowgate_mail.outbox o
    where $1 is null or o.state = $1
    order by o.created_at desc, o.id
    limit $2;
  $$;
comment on function rowgate_mail.list(text, integer) is 'The newest mails, of one state or of any.';

create function rowgate_mail.find(mail_id uuid)
  returns table (
    id uuid, key text, recipient text, subject text, text text, html text, message_id text, state text,
    attempts integer, last_error text, created_at timestamptz, sent_at timestamptz
  )
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select o.id, o.key, o.recipient, o.subject, o.text, o.html, o.message_id, o.state,
      o.attempts, o.last_error, o.created_at, o.sent_at
    from rowgate_mail.outbox o where o.id = $1;
  $$;
comment on function rowgate_mail.find(uuid) is 'One mail with everything that is kept of it.';

create function rowgate_mail.clean() returns integer
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      deleted integer;
    begin
      delete from rowgate_mail.outbox o
        where (o.state = 'sent' and o.sent_at < pg_catalog.now() - interval '30 days')
          or (o.state = 'failed' and o.created_at < pg_catalog.now() - interval '90 days');
      get diagnostics deleted = row_count;
      delete from rowgate_mail.letter l
        where l.posted_at < pg_catalog.now() - interval '2 years'
          and not exists (select from rowgate_mail.outbox o where o.key = l.key);
      return deleted;
    end
  $$;
comment on function rowgate_mail.clean() is
  'Deletes mails that were sent 30 days ago and those that failed and are 90 days old; their keys are kept for two years. Returns how many mails it deleted.';

revoke all on all functions in schema rowgate_mail from public;
