-- Calls of asynchronous actions. A call stays for some time after the handler's response. Only the owner and the
-- worker's login read this table.
create table rowgate_events.action_request (
  id uuid primary key default pg_catalog.gen_random_uuid(),
  created_at timestamptz not null default pg_catalog.now(),
  action text not null,
  role text not null,
  session_variables jsonb not null,
  input json not null,
  client_headers jsonb not null,
  lease_seconds integer not null,
  status text not null default 'created' check (status in ('created', 'processing', 'completed', 'error')),
  tries integer not null default 0,
  due_at timestamptz not null default pg_catalog.now(),
  output json,
  errors json,
  ended_at timestamptz,
  check ((ended_at is not null) = (status in ('completed', 'error')))
);
comment on table rowgate_events.action_request is 'Calls of asynchronous actions.';
comment on column rowgate_events.action_request.session_variables is 'Role and session variables of the caller. Only this caller may query the result.';
comment on column rowgate_events.action_request.client_headers is 'The client''s headers that are forwarded to the handler. They are deleted when the call has ended.';
comment on column rowgate_events.action_request.lease_seconds is 'Maximum duration of one attempt, in seconds. Afterwards another worker takes the call.';
comment on column rowgate_events.action_request.tries is 'Number of attempts to call the handler.';
comment on column rowgate_events.action_request.due_at is 'Earliest time of the next attempt.';
comment on column rowgate_events.action_request.output is 'Response of the handler. Its type is the action''s return type at the time of the call.';
comment on column rowgate_events.action_request.errors is 'GraphQL errors of a failed call.';
create index action_request_due_idx on rowgate_events.action_request (due_at) where ended_at is null;
create index action_request_ended_idx on rowgate_events.action_request (ended_at) where ended_at is not null;
revoke all on rowgate_events.action_request from public;
