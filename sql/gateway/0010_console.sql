-- Sessions of the console that ended before their time. A session needs no other record, because its cookie is signed.
create table rowgate.console_sign_out (
  session_id uuid primary key,
  ends_at timestamptz not null
);
alter table rowgate.console_sign_out enable row level security;
comment on table rowgate.console_sign_out is 'Sessions of the console that a sign-out has ended.';
comment on column rowgate.console_sign_out.ends_at is 'The time at which the session would have ended. A later sign-out deletes the record after this time.';
