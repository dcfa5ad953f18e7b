-- Event triggers whose deliveries an operator has paused. `apply` does not change this table.
create table rowgate_events.paused_trigger (
  trigger text primary key,
  paused_at timestamptz not null default pg_catalog.now(),
  actor text
);
comment on table rowgate_events.paused_trigger is 'Event triggers whose events are recorded, but not delivered until an operator resumes them.';
comment on column rowgate_events.paused_trigger.actor is 'The person or program that paused it, as it named itself. Nothing verifies the name.';
comment on column rowgate_events.event.relayed_at is 'Time at which the event was handed to the queue. Null until then. Infinity: held back, because its trigger is paused.';

alter table rowgate.admin_use add column subject text;
comment on column rowgate.admin_use.subject is 'The event, event trigger, schedule or mail that was asked about, as the request named it.';
