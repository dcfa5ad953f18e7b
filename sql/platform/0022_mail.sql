-- Mail on its way. Only the sidecar's login may use this schema, and asks its functions.
create schema rowgate_mail;
revoke all on schema rowgate_mail from public;
