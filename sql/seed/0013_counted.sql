-- The balances of the demo wallets have been reckoned with the transactions that are confirmed.
update public.asset_transaction t set counted_at = t.confirmed_at
  where t.status = 'confirmed' and t.counted_at is null;
