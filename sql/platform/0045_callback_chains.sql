-- A callback that waits for something else once it was tried again must not end the chain of those after it.

drop function rowgate_webhooks.next_unmatched(uuid);
create function rowgate_webhooks.next_unmatched(id uuid, awaits text) returns uuid
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select n.id from rowgate_webhooks.inbox i
      join rowgate_webhooks.inbox n on n.awaits = $2 and n.state = 'unmatched' and n.arrival > i.arrival
      where i.id = $1 order by n.arrival limit 1;
  $$;
comment on function rowgate_webhooks.next_unmatched(uuid, text) is
  'The unmatched callback that came in next after this one and waits for this wallet, card, transfer or person.';

drop function rowgate_webhooks.take_linked();
create function rowgate_webhooks.take_linked() returns table (id uuid, awaits text)
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      taken text[];
    begin
      with removed as (
        delete from rowgate_webhooks.linked l
          where l.id in (select n.id from rowgate_webhooks.linked n order by n.id limit 10000 for update skip locked)
          returning l.reference)
      select array_agg(distinct r.reference) into taken from removed r;
      -- A statement of its own: it sees what was unmatched before the link could be seen.
      return query
        select distinct on (i.awaits) i.id, i.awaits from rowgate_webhooks.inbox i
          where i.state = 'unmatched' and i.awaits = any (taken)
          order by i.awaits, i.arrival;
    end
  $$;
comment on function rowgate_webhooks.take_linked() is
  'The first unmatched callback of each wallet, card, transfer and person that was linked since; next_unmatched returns the others.';

revoke all on all functions in schema rowgate_webhooks from public;
