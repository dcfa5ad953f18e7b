-- Callbacks about wallets that are never known are kept for a time only, like all others.

create or replace function rowgate_webhooks.clean_inbox(keep interval default interval '90 days') returns bigint
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      removed bigint;
    begin
      -- Of a wallet that was never known, nothing stays for comparison.
      delete from rowgate_webhooks.told_balance b using rowgate_webhooks.inbox i
        where i.id = b.callback and i.state = 'unmatched' and i.received_at < now() - 4 * $1;
      delete from rowgate_webhooks.inbox i
        where i.state <> 'stored'
          and i.received_at < now() - case
            when i.state in ('unmatched', 'failed') and i.provider <> 'identity' then 4 * $1 else $1 end
          -- The last balance of a wallet stays: the next one is compared with it.
          and not exists (select from rowgate_webhooks.told_balance b where b.callback = i.id);
      get diagnostics removed = row_count;
      return removed;
    end
  $$;

revoke all on all functions in schema rowgate_webhooks from public;
