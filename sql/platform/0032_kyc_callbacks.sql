-- What the KYC provider's callbacks do: the state of a person's verification, and what was found of each document.

create function rowgate_webhooks.find_applicant(event_id uuid, out profile public.kyc_profile, out problem text)
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      said jsonb;
    begin
      select i.payload into strict said from rowgate_webhooks.inbox i where i.id = $1;
      if exists (
        select from public.kyc_profile p
        where p.applicant_id = said ->> 'applicantId' and p.user_id <> said ->> 'externalUserId')
      then
        problem := 'the applicant is another person';
        return;
      end if;
      insert into public.kyc_profile (organization_id, user_id)
        select u.organization_id, u.id from public."user" u where u.id = said ->> 'externalUserId'
        on conflict (organization_id, user_id) do nothing;
      select * into profile from public.kyc_profile p where p.user_id = said ->> 'externalUserId' for no key update;
      if not found then
        problem := 'nobody has this externalUserId';
      elsif profile.applicant_id <> said ->> 'applicantId'
        and not (lower(said ->> 'type') = 'applicantcreated' and profile.status in ('not_started', 'pending', 'rejected', 'expired'))
      then
        problem := 'the person is another applicant at the provider';
      end if;
    end
  $$;
comment on function rowgate_webhooks.find_applicant(uuid) is
  'The profile that a callback is about, which is made where the person has none; or what speaks against it.';

create function rowgate_webhooks.take_documents(event_id uuid, profile public.kyc_profile) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      said jsonb;
      document jsonb;
      answer text;
      known uuid;
    begin
      select i.payload into strict said from rowgate_webhooks.inbox i where i.id = $1;
      for document in
        select e.value from jsonb_array_elements(coalesce(said -> 'documents', '[]')) e order by e.value ->> 'documentId'
      loop
        insert into public.kyc_document as d (
            organization_id, kyc_profile_id, inspection_id, provider_document_id, document_type, country)
          values (
            profile.organization_id, profile.id, said ->> 'inspectionId', document ->> 'documentId',
            case when lower(document ->> 'documentType') in (
                'passport', 'id_card', 'driving_licence', 'residence_permit', 'selfie', 'proof_of_address', 'source_of_funds')
              then lower(document ->> 'documentType') else 'other' end,
            substring(document ->> 'country' from '^[A-Z]{2}$'))
          on conflict (organization_id, inspection_id, provider_document_id) do nothing;
        select d.id into known from public.kyc_document d
          where d.organization_id = profile.organization_id and d.kyc_profile_id = profile.id
            and d.inspection_id = said ->> 'inspectionId' and d.provider_document_id = document ->> 'documentId'
          for no key update;
        answer := case upper(document ->> 'reviewAnswer') when 'GREEN' then 'approved' when 'RED' then 'rejected' end;
        if known is not null and answer is not null
          and rowgate_webhooks.try_move('kyc_document', known, answer, $1::text, 'the KYC provider said so') = 'moved'
        then
          update public.kyc_document d set rejection_reason = case answer when 'rejected' then document ->> 'reason' end
            where d.id = known;
        end if;
      end loop;
      -- Who is verified without a word on each document was verified by all of them.
      if not said ? 'documents' and upper(said -> 'reviewResult' ->> 'reviewAnswer') = 'GREEN' then
        update public.kyc_document d set status = 'approved'
          where d.organization_id = profile.organization_id and d.kyc_profile_id = profile.id
            and d.inspection_id = said ->> 'inspectionId' and d.status = 'pending';
      end if;
    end
  $$;
comment on function rowgate_webhooks.take_documents(uuid, public.kyc_profile) is
  'Stores what a callback says of the documents of an inspection.';

create function rowgate_webhooks.kyc_status(said jsonb) returns text
  language sql immutable
  set search_path = pg_catalog, pg_temp
  as $$
    select case lower($1 ->> 'type')
      when 'applicantcreated' then 'pending'
      when 'applicantreset' then 'pending'
      when 'applicantpending' then 'in_review'
      when 'applicantonhold' then 'in_review'
      when 'applicantawaitinguser' then 'pending'
      when 'applicantreviewed' then
        case upper($1 -> 'reviewResult' ->> 'reviewAnswer') when 'GREEN' then 'approved' when 'RED' then 'rejected' end
      end;
  $$;
comment on function rowgate_webhooks.kyc_status(jsonb) is
  'The status of a profile that a callback tells of; null for types and answers that are not known.';

create function rowgate_webhooks.move_profile(event_id uuid, profile public.kyc_profile, status text, reason text)
  returns text
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      step text;
      moved text;
      -- A decision of the provider implies the steps before it.
      steps text[] := case
        when profile.status = $3 then '{}'
        when profile.status in ('not_started', 'rejected', 'expired') then '{pending}'
        when profile.status = 'approved' then '{in_review}'
        else '{}' end;
    begin
      if profile.status <> $3 and (profile.status = 'locked' or $3 = 'approved' and (
        profile.is_sanctioned or profile.status = 'rejected' and profile.reviewed_by is not null))
      then
        perform rowgate_webhooks.refuse_move('kyc_profile', profile.id, array[profile.status, $3], $1::text, $4);
        perform rowgate_webhooks.notify_role(null, 'compliance', 'kyc', case profile.status
            when 'locked' then 'A locked profile was reviewed by the provider'
            else 'A profile that compliance has decided on was reviewed by the provider' end,
          format('The provider''s answer would have made it %s.', $3), null);
        return 'refused';
      end if;
      if $3 in ('approved', 'rejected') and profile.status <> $3 then steps := steps || 'in_review'::text; end if;
      foreach step in array steps || $3 loop
        moved := rowgate_webhooks.try_move('kyc_profile', profile.id, step, $1::text, $4);
      end loop;
      return case when moved = 'same' and profile.status <> $3 then 'moved' else moved end;
    end
  $$;
comment on function rowgate_webhooks.move_profile(uuid, public.kyc_profile, text, text) is
  'Brings a profile to a status by the steps that lead there; one that compliance holds stays, as does the decision of compliance against one that the provider approves, and nobody who is sanctioned is approved: compliance is told.';

create function rowgate_webhooks.apply_kyc(event_id uuid) returns rowgate_webhooks.outcome
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      event rowgate_webhooks.inbox;
      said jsonb;
      result jsonb;
      found_applicant record;
      profile public.kyc_profile;
      said_at timestamptz;
      wanted text;
      reason text;
      moved text;
    begin
      select * into strict event from rowgate_webhooks.inbox i where i.id = $1;
      said := event.payload;
      result := said -> 'reviewResult';
      wanted := rowgate_webhooks.kyc_status(said);
      if wanted is null then return rowgate_webhooks.became('ignored', 'the type or the answer is not known'); end if;
      found_applicant := rowgate_webhooks.find_applicant($1);
      if found_applicant.problem is not null then return rowgate_webhooks.became('ignored', found_applicant.problem); end if;
      profile := found_applicant.profile;
      said_at := least(rowgate_webhooks.moment(said ->> 'createdAt'), event.received_at);
      if not rowgate_webhooks.is_newest('kyc', profile.id, said_at) then
        return rowgate_webhooks.became('done', 'came late: the provider has said something newer');
      end if;
      -- For staff, who may see from it whether another try makes sense.
      reason := nullif(concat_ws('; ', nullif(result ->> 'reviewRejectType', ''), nullif(result ->> 'moderationComment', ''), nullif(result ->> 'clientComment', ''),
        case when jsonb_typeof(result -> 'rejectLabels') = 'array'
          then (select nullif(string_agg(l.value, ', '), '') from jsonb_array_elements_text(result -> 'rejectLabels') l(value)) end), '');
      if profile.status <> 'locked' then
        update public.kyc_profile p
          set applicant_id = said ->> 'applicantId', inspection_id = coalesce(nullif(said ->> 'inspectionId', ''), p.inspection_id),
            review_answer = case when wanted in ('approved', 'rejected') then upper(result ->> 'reviewAnswer') else p.review_answer end,
            review_reason = case wanted when 'approved' then null when 'rejected' then reason else p.review_reason end
          where p.id = profile.id;
        if said ->> 'inspectionId' <> '' then perform rowgate_webhooks.take_documents($1, profile); end if;
      end if;
      moved := rowgate_webhooks.move_profile($1, profile, wanted, 'the KYC provider said ' || (said ->> 'type'));
      if moved = 'refused' then
        return rowgate_webhooks.became('done', format('refused: a profile that is %s cannot become %s', profile.status, wanted));
      end if;
      if moved = 'moved' and wanted in ('approved', 'rejected') then
        -- After the move, which notes the time of this transaction.
        update public.kyc_profile p set reviewed_at = said_at, reviewed_by = null where p.id = profile.id;
      end if;
      -- The person is told by the event of the change.
      return rowgate_webhooks.became('done', null);
    end
  $$;
comment on function rowgate_webhooks.apply_kyc(uuid) is 'Does what a callback of the KYC provider says.';

revoke all on all functions in schema rowgate_webhooks from public;
