-- Who decided something and when, what the holder of a card may do with it alone, whose a wallet may be, and how staff finds
-- its rows.

-- A role that may decide may not say when it did. Where the platform stores a decision of others, it names the time.
create function public.stamp_review() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $$
    begin
      if new.status <> old.status
        and (new.status in ('approved', 'rejected') or old.status = 'pending_approval')
        and new.reviewed_at is not distinct from old.reviewed_at
      then
        new.reviewed_at := now();
      end if;
      return new;
    end
  $$;
comment on function public.stamp_review() is 'Keeps reviewed_at: the time of the transaction that approved or rejected the row.';
revoke all on function public.stamp_review() from public;

alter table public.fund_subscription
  add column reviewed_by text references public."user" on delete set null,
  add column reviewed_at timestamptz;
comment on column public.fund_subscription.reviewed_by is 'Who approved it.';
comment on column public.fund_subscription.reviewed_at is 'When it was approved.';
create index fund_subscription_reviewed_by_idx on public.fund_subscription (reviewed_by);

alter table public.asset_transaction
  add column reviewed_by text references public."user" on delete set null,
  add column reviewed_at timestamptz;
comment on column public.asset_transaction.reviewed_by is 'Who approved or rejected it; absent where the custody provider asked nobody.';
comment on column public.asset_transaction.reviewed_at is 'When it was approved or rejected.';
create index asset_transaction_reviewed_by_idx on public.asset_transaction (reviewed_by);

create trigger stamp_review before update of status on public.asset_transaction
  for each row execute function public.stamp_review();
create trigger stamp_review before update of status on public.fund_subscription
  for each row execute function public.stamp_review();
create trigger stamp_review before update of status on public.trade_request
  for each row execute function public.stamp_review();
create trigger stamp_review before update of status on public.fiat_deposit_request
  for each row execute function public.stamp_review();
create trigger stamp_review before update of status on public.fiat_withdrawal_request
  for each row execute function public.stamp_review();
create trigger stamp_review before update of status on public.kyc_profile
  for each row execute function public.stamp_review();

-- What the platform locked, the holder must not unlock: so the holder's own stop is a state of its own.
alter table public.card
  drop constraint card_status_check,
  add constraint card_status_check
    check (status in ('draft', 'active', 'frozen', 'locked', 'expired', 'cancelled'));
comment on column public.card.status is 'draft (ordered, not issued) → active ⇄ frozen, by its holder; locked by the platform or the issuer; expired or cancelled for good.';

-- Staff opens wallets for every organization, so the database itself holds a wallet to the people of its own.
alter table public.digital_wallet
  add constraint digital_wallet_organization_id_user_id_fkey
    foreign key (organization_id, user_id) references public."user" (organization_id, id);
create index digital_wallet_organization_id_user_id_idx on public.digital_wallet (organization_id, user_id);

-- Staff that works for all organizations finds its rows by what they are.
create index asset_transaction_kind_idx on public.asset_transaction (kind);
create index case_kind_idx on public."case" (kind);
create index report_kind_idx on public.report (kind);
create index trade_request_status_idx on public.trade_request (status);
create index fiat_deposit_request_status_idx on public.fiat_deposit_request (status);
create index fiat_withdrawal_request_status_idx on public.fiat_withdrawal_request (status);
create index uploaded_file_purpose_idx on public.uploaded_file (purpose);
