-- The admin role deletes people over GraphQL, and a rule may let another role do so. Neither may read this schema.
alter function rowgate_auth.remember_departure() security definer;
comment on function rowgate_auth.remember_departure() is 'Ends the sessions of a person who is being deleted, and remembers that tokens from before do not count.';
revoke all on function rowgate_auth.remember_departure() from public;
