-- Changes of live tables, for subscriptions. A trigger adds one row per statement. The tables are unlogged: after a crash,
-- and on a promoted standby, they are empty. Gateways notice that by the missing epoch, and fetch everything again.
create unlogged table rowgate.live_change (
  xid xid8 not null default pg_catalog.pg_current_xact_id(),
  table_key text not null,
  keys text[],
  rows json
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);
create index live_change_xid_idx on rowgate.live_change (xid);
alter table rowgate.live_change enable row level security;
comment on table rowgate.live_change is 'Statements that changed rows of live tables. A gateway deletes them after a minute.';
comment on column rowgate.live_change.xid is 'The transaction, also for statements inside savepoints.';
comment on column rowgate.live_change.keys is 'Old and new values of the key columns, as column=value. column* stands for too many values. Null: any row.';
comment on column rowgate.live_change.rows is 'Rows for streams: the primary key, and the cursor columns that changed, or null for a new row. Null: too many rows.';

create unlogged table rowgate.live_ledger (
  singleton boolean primary key default true check (singleton),
  epoch uuid not null default pg_catalog.gen_random_uuid(),
  floor xid8 not null
) with (fillfactor = 10);
alter table rowgate.live_ledger enable row level security;
comment on table rowgate.live_ledger is 'One row about rowgate.live_change.';
comment on column rowgate.live_ledger.epoch is 'Changes when recorded changes may have been lost.';
comment on column rowgate.live_ledger.floor is 'Changes of older transactions may have been deleted.';
