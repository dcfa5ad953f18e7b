-- A balance that is sent again is a repeat too where the provider's clock is ahead of this one.

create or replace function rowgate_webhooks.take_balance_in(
  event_key text, body bytea, said jsonb, out id uuid, out duplicate boolean, out wake boolean
)
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      last rowgate_webhooks.told_balance;
      amount numeric := (said ->> 'balance')::numeric;
      told timestamptz := rowgate_webhooks.moment(said ->> 'timestamp');
      received timestamptz;
      since timestamptz;
    begin
      insert into rowgate_webhooks.told_balance (wallet_id, coin) values (said ->> 'walletId', upper(said ->> 'coin'))
        on conflict do nothing;
      -- One at a time for each wallet, so that the order of arrival is the same for all that follows.
      select * into strict last from rowgate_webhooks.told_balance b
        where b.wallet_id = said ->> 'walletId' and b.coin = upper(said ->> 'coin') for update;
      received := greatest(clock_timestamp(), last.said_at);
      since := least(coalesce(told, received), received);
      if last.balance = amount and (told is null or told = last.told_at) then
        id := last.callback;
      -- Not by said_at: where the provider's clock is ahead, that is when the last one came in.
      elsif told is not null and told is distinct from last.told_at then
        select i.id into id from rowgate_webhooks.inbox i where i.provider = 'custody' and i.event_key = $1;
      end if;
      if id is not null then
        select t.duplicate, t.wake into duplicate, wake from rowgate_webhooks.take_again(id, $2, said) t;
        return;
      end if;
      insert into rowgate_webhooks.inbox as i (provider, event_key, received_at, body, payload)
        values ('custody',
          case when exists (select from rowgate_webhooks.inbox o where o.provider = 'custody' and o.event_key = $1)
            then $1 || '/' || gen_random_uuid() else $1 end,
          received, $2, said)
        returning i.id into id;
      if last.said_at is null or since >= last.said_at then
        update rowgate_webhooks.told_balance b set callback = id, balance = amount, told_at = told, said_at = since
          where b.wallet_id = last.wallet_id and b.coin = last.coin;
      end if;
      duplicate := false;
      wake := true;
    end
  $$;
comment on function rowgate_webhooks.take_balance_in(text, bytea, jsonb) is
  'Stores a balance callback. It repeats another where it is the last one again; or where its time is another than that of the last one, and it was here before.';

revoke all on all functions in schema rowgate_webhooks from public;
