-- Calls of asynchronous actions: kept from the request until some time after the handler's answer. Nobody but the owner
-- and the worker's login reads them.
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
comment on table rowgate_events.action_request is 'Each call of an asynchronous action.';
comment on column rowgate_events.action_request.session_variables is 'The role and the session variables of the caller, who alone may ask for the outcome.';
comment on column rowgate_events.action_request.client_headers is 'Headers of the client that the handler gets; emptied as soon as the call has ended.';
comment on column rowgate_events.action_request.lease_seconds is 'How long a worker may be busy with one try; after that another one takes the call.';
comment on column rowgate_events.action_request.tries is 'How often a worker has begun to call the handler.';
comment on column rowgate_events.action_request.due_at is 'When a worker may take the call, for the first time or again.';
comment on column rowgate_events.action_request.output is 'The answer of the handler, of the type that the action returned at that time.';
comment on column rowgate_events.action_request.errors is 'Why there is no output, as GraphQL lists errors.';
create index action_request_due_idx on rowgate_events.action_request (due_at) where ended_at is null;
create index action_request_ended_idx on rowgate_events.action_request (ended_at) where ended_at is not null;
revoke all on rowgate_events.action_request from public;
