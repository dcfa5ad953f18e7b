-- What is longer than a key of an index can be is the id of nothing here, so that no callback waits for it.

create or replace function rowgate_webhooks.unmatched(event_id uuid, awaits text, note text) returns rowgate_webhooks.outcome
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    begin
      if octet_length($2) > 2000 then return rowgate_webhooks.became('ignored', $3); end if;
      update rowgate_webhooks.inbox i set awaits = $2 where i.id = $1;
      return rowgate_webhooks.became('unmatched', $3);
    end
  $$;

revoke all on all functions in schema rowgate_webhooks from public;
