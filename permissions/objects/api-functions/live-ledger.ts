import { sql } from '../../text/sql-text.ts';

/*
 * Functions through which a gateway reads the changes of live tables. They run with the rights of their owner, because
 * the gateway login has no right on the tables. Compared are always snapshots: transactions commit in another order than
 * that of their numbers.
 */

const text = sql`pg_catalog.text`;
/** More changes are not reported, because they would fill the memory of the gateway: a loop can run millions of statements. */
const maxChanges = sql`50000`;
/** Maximum bytes of the keys and rows of the changes, as Postgres stores them. */
const maxBytes = sql`16777216`;
const definer = sql`security definer
  set search_path = pg_catalog, pg_temp`;

/**
 * Returns the changes that the current snapshot sees and the given one, of an earlier call, did not see. `hasGap` is true if
 * some of them may have been deleted, or if they are too many. Without an earlier snapshot there are no changes. The settings make Postgres use
 * the index, whatever its statistics say about a table whose rows come and go.
 */
export const liveChanges = {
  signature: 'live_changes(text)',
  target: sql`rowgate_api.live_changes(${text})`,
  head: sql`rowgate_api.live_changes(since ${text})`,
  returns: sql`pg_catalog.json`,
  traits: sql`language plpgsql stable ${definer}
  set enable_seqscan = off set enable_bitmapscan = off set plan_cache_mode = force_generic_plan set jit = off`,
  body: sql`
begin
  return (
    with fresh as materialized (
      (select c.table_key, c.keys, c.rows from rowgate.live_change c where c.xid >= pg_snapshot_xmax($1::pg_snapshot)
      union all
      select c.table_key, c.keys, c.rows from rowgate.live_change c
      where c.xid = any (array(select pg_snapshot_xip($1::pg_snapshot))))
      limit ${maxChanges} + 1),
    size as (
      select count(*) > ${maxChanges}
        or coalesce(sum(coalesce(pg_column_size(f.keys), 0) + coalesce(pg_column_size(f.rows), 0)), 0) > ${maxBytes} as is_too_large
      from fresh f)
    select json_build_object(
      'snapshot', pg_current_snapshot()::text,
      'oldest', pg_snapshot_xmin(pg_current_snapshot())::text,
      'epoch', (select l.epoch from rowgate.live_ledger l),
      'hasGap', (select s.is_too_large or l.floor > pg_snapshot_xmin($1::pg_snapshot) from rowgate.live_ledger l, size s),
      'changes', (select coalesce(json_agg(json_build_array(f.table_key, f.keys, f.rows)), '[]')
        from fresh f, size s where not s.is_too_large)));
end`,
  comment: 'The changes of live tables since a snapshot, for gateways.',
};

/**
 * Deletes changes of transactions that are older than the given one, and records that. It changes nothing while another
 * session sweeps. Transactions that may still run are never swept.
 */
export const liveSweep = {
  signature: 'live_sweep(text)',
  target: sql`rowgate_api.live_sweep(${text})`,
  head: sql`rowgate_api.live_sweep(below ${text})`,
  returns: sql`pg_catalog.void`,
  traits: sql`language plpgsql volatile ${definer}
  set enable_seqscan = off`,
  body: sql`
declare
  oldest xid8 := least($1::xid8, pg_snapshot_xmin(pg_current_snapshot()));
begin
  perform from rowgate.live_ledger l where l.floor < oldest for update skip locked;
  if found then
    update rowgate.live_ledger set floor = oldest;
    delete from rowgate.live_change where xid < oldest;
  end if;
end`,
  comment: 'Deletes changes of live tables that every gateway has read.',
};

/**
 * Prepares the tables for reading. After a crash they are empty. A restored dump may bring transaction numbers of another
 * cluster, which lie in the future here. In both cases a new epoch lets every reader fetch everything again.
 */
export const liveStart = {
  signature: 'live_start()',
  target: sql`rowgate_api.live_start()`,
  head: sql`rowgate_api.live_start()`,
  returns: sql`pg_catalog.void`,
  traits: sql`language plpgsql volatile ${definer}
  set enable_seqscan = off`,
  body: sql`
begin
  if exists (select from rowgate.live_ledger l where l.floor <= pg_snapshot_xmax(pg_current_snapshot()))
    and not exists (select from rowgate.live_change c where c.xid >= pg_snapshot_xmax(pg_current_snapshot()))
  then
    return;
  end if;
  delete from rowgate.live_change;
  insert into rowgate.live_ledger (floor) values ('0')
    on conflict (singleton) do update set epoch = excluded.epoch, floor = excluded.floor;
end`,
  comment: 'Prepares the record of changes of live tables, for gateways.',
};
