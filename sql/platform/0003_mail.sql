-- The outbox for mail. Only the sidecar's login may use this schema, through its functions.

create schema rowgate_mail;
revoke all on schema rowgate_mail from public;

-- Keys outlive their mails, which are deleted much earlier. Otherwise a message could be sent again after its mails are
-- deleted.
create table rowgate_mail.letter (
  key text primary key check (key <> ''),
  posted_at timestamptz not null default pg_catalog.now()
);
comment on table rowgate_mail.letter is 'Keys of messages, so that no message is written twice.';
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
comment on table rowgate_mail.outbox is 'Mails with one recipient each, so that recipients do not see each other.';
comment on column rowgate_mail.outbox.message_id is 'Message-ID header of the mail. It is the same for every attempt.';
comment on column rowgate_mail.outbox.state is 'waiting until a mail server accepts the mail. failed if a mail server refuses it permanently, or none accepts it for days.';
comment on column rowgate_mail.outbox.last_error is 'Error of the last attempt.';
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
      -- A fixed order keeps two concurrent calls with the same messages from a deadlock.
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
  'Stores messages with a new key: [{key, subject, text, html, domain, recipients: [{address, problem?}]}]. Returns the ids of the mails to send. Mails to an address with a problem are stored as failed.';

create function rowgate_mail.waiting_mail(mail_id uuid)
  returns table (recipient text, subject text, text text, html text, message_id text)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select o.recipient, o.subject, o.text, o.html, o.message_id
    from rowgate_mail.outbox o where o.id = $1 and o.state = 'waiting';
  $$;
comment on function rowgate_mail.waiting_mail(uuid) is 'Returns a mail that waits to be sent, or no row.';

create function rowgate_mail.note_sent(id uuid) returns void
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    update rowgate_mail.outbox o
      set state = 'sent', attempts = o.attempts + 1, last_error = null, sent_at = pg_catalog.now()
      where o.id = $1;
  $$;
comment on function rowgate_mail.note_sent(uuid) is 'Records that a mail server accepted the mail.';

create function rowgate_mail.note_failure(id uuid, error text, final boolean) returns void
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    update rowgate_mail.outbox o
      set state = case when $3 then 'failed' else o.state end, attempts = o.attempts + 1, last_error = $2
      where o.id = $1 and o.state = 'waiting';
  $$;
comment on function rowgate_mail.note_failure(uuid, text, boolean) is 'Records a failed attempt. If it is final, the mail is not tried again.';

create function rowgate_mail.waiting() returns setof uuid
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select o.id from rowgate_mail.outbox o where o.state = 'waiting' order by o.created_at;
  $$;
comment on function rowgate_mail.waiting() is 'Returns the ids of all waiting mails, oldest first.';

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
  'Sets a failed mail back to waiting. Returns its previous state, or null if the mail does not exist.';

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
comment on function rowgate_mail.list(text, integer) is 'Returns the newest mails of one state, or of all states if the state is null.';

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
comment on function rowgate_mail.find(uuid) is 'Returns one mail with all its columns.';

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
  'Deletes mails sent more than 30 days ago and failed mails older than 90 days. Their keys stay for two years. Returns how many mails were deleted.';

revoke all on all functions in schema rowgate_mail from public;
