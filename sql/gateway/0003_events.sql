-- Events: what event triggers saw, kept in the transaction that changed the rows until it is delivered. Capture triggers
-- write with the owner's rights; only the worker's login reads.
create schema rowgate_events;
revoke all on schema rowgate_events from public;

create table rowgate_events.event (
  id uuid not null default pg_catalog.gen_random_uuid(),
  -- The order of events that concern the same row.
  place bigint not null generated always as identity,
  created_at timestamptz not null default pg_catalog.now(),
  trigger text not null,
  table_schema text not null,
  table_name text not null,
  op text not null check (op in ('INSERT', 'UPDATE', 'DELETE', 'MANUAL')),
  data jsonb not null,
  session_variables jsonb,
  order_key text,
  relayed_at timestamptz,
  primary key (created_at, id)
) partition by range (created_at);
comment on table rowgate_events.event is 'Each row change that an event trigger asks for, by the day of its transaction.';
comment on column rowgate_events.event.data is 'The row as old and new: {"old": …, "new": …}.';
comment on column rowgate_events.event.session_variables is 'The role and the variables of the session that changed the row, by the names of their headers in lower case.';
comment on column rowgate_events.event.order_key is 'Events of one trigger with the same key are delivered one after the other; absent: in any order.';
comment on column rowgate_events.event.relayed_at is 'When the event was handed to the queue; absent until then.';
create index event_place_idx on rowgate_events.event (place) where relayed_at is null;

-- For days that have no partition of their own yet: capturing never fails for want of one.
create table rowgate_events.event_default partition of rowgate_events.event default;
