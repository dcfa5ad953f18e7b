-- The moves that rows may make from one status to another, what webhooks have done, and what they were refused.
create schema rowgate_webhooks;
revoke all on schema rowgate_webhooks from public;

create table rowgate_webhooks.done (
  event_id text not null,
  effect text not null,
  done_at timestamptz not null default pg_catalog.now(),
  primary key (event_id, effect)
);
comment on table rowgate_webhooks.done is 'Which effect was done for which event, so that none is done twice.';
create index done_done_at_idx on rowgate_webhooks.done (done_at);

create function rowgate_webhooks.begin_effect(event_id text, effect text) returns boolean
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    with begun as (
      insert into rowgate_webhooks.done (event_id, effect) values ($1, $2) on conflict do nothing returning true)
    select exists (select from begun);
  $$;
comment on function rowgate_webhooks.begin_effect(text, text) is
  'Whether an effect is still to be done, in the transaction that does it; another one that does it at this moment is waited for.';

revoke all on all functions in schema rowgate_webhooks from public;
