-- What schedules did, and what they do with the platform's tables. Only the sidecar's login may use this schema, and asks
-- its functions.
create schema rowgate_jobs;
revoke all on schema rowgate_jobs from public;
