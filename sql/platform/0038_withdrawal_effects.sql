-- How a withdrawal goes its way: set aside when it is approved, taken off when the bank has paid, let go otherwise.

create function rowgate_webhooks.tell_of_withdrawal(request public.fiat_withdrawal_request) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      title text := case $1.status
        when 'submitted' then 'Your withdrawal was received'
        when 'processing' then 'Your withdrawal is being paid out'
        when 'completed' then 'Your withdrawal was paid out'
        when 'failed' then 'Your withdrawal could not be paid out'
        when 'rejected' then 'Your withdrawal was turned down'
        when 'cancelled' then 'Your withdrawal was cancelled' end;
      body text := format('%s %s, reference %s', $1.amount, $1.currency, $1.bank_reference);
    begin
      if title is null then return; end if;
      perform rowgate_webhooks.notify_owner($1.organization_id, coalesce($1.user_id, $1.created_by), 'transaction', title, body, null);
      if $1.status = 'submitted' and $1.fund_id is null then
        perform rowgate_webhooks.notify_role(null, 'accounting', 'transaction', 'A withdrawal waits for approval', body, null);
      elsif $1.status = 'submitted' then
        perform rowgate_webhooks.notify_fund($1.fund_id, 'fund_signatory', 'transaction',
          'A withdrawal waits for approval', body, null);
      elsif $1.status in ('processing', 'failed') then
        perform rowgate_webhooks.notify_role(null, 'accounting', 'transaction',
          case $1.status when 'failed' then 'A withdrawal failed' else 'A withdrawal is to be paid out' end, body, null);
      end if;
    end
  $$;
comment on function rowgate_webhooks.tell_of_withdrawal(public.fiat_withdrawal_request) is
  'Tells whose withdrawal it is, and those who are to act next, of its status.';

-- Tells of the end of a move once, whether the move's own event comes or the one that led to it.
create function rowgate_webhooks.tell_of_withdrawal_once(request public.fiat_withdrawal_request) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    begin
      if rowgate_webhooks.begin_effect(
        'fiat_withdrawal_request/' || $1.id || '/' || coalesce($1.reviewed_at::text, ''), $1.status)
      then
        perform rowgate_webhooks.tell_of_withdrawal($1);
      end if;
    end
  $$;
comment on function rowgate_webhooks.tell_of_withdrawal_once(public.fiat_withdrawal_request) is
  'Tells of a status once for each time that the withdrawal was decided on.';

create function rowgate_webhooks.on_fiat_withdrawal_request_update(
  event_id text, request_id uuid, from_status text, to_status text
) returns jsonb
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      request public.fiat_withdrawal_request;
      reservation text;
      booked boolean;
    begin
      select * into request from public.fiat_withdrawal_request r where r.id = $2 for no key update;
      if not found then return jsonb_build_object('outcome', 'gone'); end if;
      -- A draft, or history: what is over as it is entered leads to nothing.
      if $3 is null and request.status not in ('submitted', 'approved', 'processing') then
        return jsonb_build_object('outcome', request.status);
      end if;
      if rowgate_webhooks.hold_request('fiat_withdrawal_request', request.id, $1) then
        return jsonb_build_object('outcome', 'locked');
      end if;
      if request.status in ('approved', 'processing') then
        reservation := rowgate_webhooks.reserve_withdrawal(request);
        if request.status = 'processing' and reservation <> 'reserved' then
          perform rowgate_webhooks.try_move('fiat_withdrawal_request', request.id, 'failed', $1, reservation);
        elsif request.status = 'approved' then
          perform rowgate_webhooks.try_move('fiat_withdrawal_request', request.id,
            case reservation when 'reserved' then 'processing' else 'rejected' end, $1, nullif(reservation, 'reserved'));
        end if;
      elsif request.status = 'completed' then
        -- The bank has paid, whatever came before.
        if $3 is distinct from $4 and rowgate_webhooks.reserve_withdrawal(request) <> 'reserved' then
          perform rowgate_webhooks.notify_role(null, 'accounting', 'transaction', 'A withdrawal was paid out without cover',
            format('%s %s, reference %s', request.amount, request.currency, request.bank_reference), null);
        end if;
        booked := rowgate_webhooks.close_booking(request.id, 'confirmed', $1);
        update public.fiat_withdrawal_request r set completed_at = now()
          where r.id = request.id and r.completed_at is null;
      elsif request.status in ('failed', 'rejected', 'cancelled', 'locked', 'submitted') then
        booked := rowgate_webhooks.close_booking(request.id, 'failed', $1);
      end if;
      select * into request from public.fiat_withdrawal_request r where r.id = $2;
      if reservation is not null or ($3 is distinct from $4 and request.status = $4) then
        perform rowgate_webhooks.tell_of_withdrawal_once(request);
      end if;
      return jsonb_strip_nulls(jsonb_build_object('outcome', request.status, 'reservation', reservation, 'booked', booked,
        'letter', case when request.status in ('completed', 'failed') then rowgate_webhooks.letter_of_request(
          request.id, request.organization_id, request.user_id, request.created_by, request.amount, request.fee, request.currency,
          request.bank_reference) end));
    end
  $$;
comment on function rowgate_webhooks.on_fiat_withdrawal_request_update(text, uuid, text, text) is
  'What a change of a withdrawal leads to: the money is set aside and the payment begun, or the request rejected; taken off when it is completed, let go otherwise; people are told.';

revoke all on all functions in schema rowgate_webhooks from public;
