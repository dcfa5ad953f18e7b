-- KYC profiles, their documents, and cases; the effects of a verification, and the callbacks of the KYC provider.

create table public.kyc_profile (
  id uuid primary key default pg_catalog.gen_random_uuid(),
  organization_id uuid not null
    default (rowgate_api.session_variable('organization_id'))::uuid
    references public.organization,
  user_id text not null
    default rowgate_api.session_variable('user_id'),
  level_name text not null default 'basic-kyc-level' check (level_name <> ''),
  applicant_id text check (applicant_id <> ''),
  inspection_id text check (inspection_id <> ''),
  status text not null default 'not_started'
    check (status in ('not_started', 'pending', 'in_review', 'approved', 'rejected', 'expired', 'locked')),
  review_answer text check (review_answer ~ '^[A-Z]{1,20}$'),
  review_reason text,
  risk_level text not null default 'low' check (risk_level in ('low', 'medium', 'high')),
  is_pep boolean not null default false,
  is_sanctioned boolean not null default false,
  date_of_birth date check (date_of_birth >= '1900-01-01'),
  nationality text check (nationality ~ '^[A-Z]{2}$'),
  residence_country text check (residence_country ~ '^[A-Z]{2}$'),
  reviewed_by text references public."user" on update cascade on delete set null,
  reviewed_at timestamptz,
  expires_on date,
  created_at timestamptz not null default pg_catalog.now(),
  updated_at timestamptz not null default pg_catalog.now(),
  foreign key (organization_id, user_id)
    references public."user" (organization_id, id) on update cascade,
  unique (organization_id, id),
  unique (organization_id, user_id),
  unique (organization_id, applicant_id)
);
comment on table public.kyc_profile is 'Identity data of a user and the result of the verification.';
comment on column public.kyc_profile.id is 'Id of the profile.';
comment on column public.kyc_profile.organization_id is 'The organization of the user.';
comment on column public.kyc_profile.user_id is 'The user. Each user has one profile.';
comment on column public.kyc_profile.level_name is 'Level of the provider at which the user is verified.';
comment on column public.kyc_profile.applicant_id is 'Id of the user at the provider. Null until the verification starts.';
comment on column public.kyc_profile.inspection_id is 'Id of the latest inspection at the provider.';
comment on column public.kyc_profile.status is 'not_started → pending (waits for documents) ⇄ in_review → approved or rejected. rejected or expired → pending for another attempt. approved → in_review for a new review, or → expired. Compliance moves any status → locked, and locked → pending, in_review or rejected.';
comment on column public.kyc_profile.review_answer is 'Answer of the provider, e.g. GREEN or RED.';
comment on column public.kyc_profile.review_reason is 'Reason of the rejection, for compliance.';
comment on column public.kyc_profile.risk_level is 'low, medium or high.';
comment on column public.kyc_profile.is_pep is 'True if the user is a politically exposed person.';
comment on column public.kyc_profile.is_sanctioned is 'True if the user is on a sanctions list.';
comment on column public.kyc_profile.date_of_birth is 'Date of birth.';
comment on column public.kyc_profile.nationality is 'Nationality, as an ISO 3166-1 two-letter code.';
comment on column public.kyc_profile.residence_country is 'Country of residence, as an ISO 3166-1 two-letter code.';
comment on column public.kyc_profile.reviewed_by is 'User of the platform who decided. Null if the provider decided.';
comment on column public.kyc_profile.reviewed_at is 'Time of the last decision.';
comment on column public.kyc_profile.expires_on is 'Last day on which the approval is valid.';
comment on column public.kyc_profile.created_at is 'Time at which the profile was created.';
comment on column public.kyc_profile.updated_at is 'Time of the last change of the row.';
create index kyc_profile_user_id_idx on public.kyc_profile (user_id);
create index kyc_profile_reviewed_by_idx on public.kyc_profile (reviewed_by);
create index kyc_profile_organization_id_status_idx on public.kyc_profile (organization_id, status);
create index kyc_profile_applicant_id_idx on public.kyc_profile (applicant_id);

create table public.kyc_document (
  id uuid primary key default pg_catalog.gen_random_uuid(),
  organization_id uuid not null
    default (rowgate_api.session_variable('organization_id'))::uuid
    references public.organization,
  kyc_profile_id uuid not null,
  uploaded_file_id uuid,
  document_type text not null default 'other'
    check (document_type in ('passport', 'id_card', 'driving_licence', 'residence_permit', 'selfie', 'proof_of_address', 'source_of_funds', 'other')),
  country text check (country ~ '^[A-Z]{2}$'),
  inspection_id text check (inspection_id <> ''),
  provider_document_id text check (provider_document_id <> ''),
  status text not null default 'pending'
    check (status in ('pending', 'approved', 'rejected', 'expired')),
  rejection_reason text,
  issued_on date,
  expires_on date check (expires_on > issued_on),
  created_at timestamptz not null default pg_catalog.now(),
  updated_at timestamptz not null default pg_catalog.now(),
  foreign key (organization_id, kyc_profile_id)
    references public.kyc_profile (organization_id, id),
  foreign key (organization_id, uploaded_file_id)
    references public.uploaded_file (organization_id, id),
  unique (organization_id, inspection_id, provider_document_id)
);
comment on table public.kyc_document is 'A document used to verify a user.';
comment on column public.kyc_document.id is 'Id of the document.';
comment on column public.kyc_document.organization_id is 'The organization of the user.';
comment on column public.kyc_document.kyc_profile_id is 'The profile of the document.';
comment on column public.kyc_document.uploaded_file_id is 'The stored file. Null if only the provider has the document.';
comment on column public.kyc_document.document_type is 'passport, id_card, driving_licence, residence_permit, selfie, proof_of_address, source_of_funds or other.';
comment on column public.kyc_document.country is 'Issuing country, as an ISO 3166-1 two-letter code.';
comment on column public.kyc_document.inspection_id is 'The inspection at the provider that used the document.';
comment on column public.kyc_document.provider_document_id is 'Id of the document at the provider, unique in an inspection.';
comment on column public.kyc_document.status is 'pending → approved or rejected. approved → expired.';
comment on column public.kyc_document.rejection_reason is 'Reason of the rejection.';
comment on column public.kyc_document.issued_on is 'Date of issue.';
comment on column public.kyc_document.expires_on is 'Last day on which the document is valid.';
comment on column public.kyc_document.created_at is 'Time at which the document was created.';
comment on column public.kyc_document.updated_at is 'Time of the last change of the row.';
create index kyc_document_organization_id_kyc_profile_id_idx on public.kyc_document (organization_id, kyc_profile_id);
create index kyc_document_kyc_profile_id_idx on public.kyc_document (kyc_profile_id);
create index kyc_document_organization_id_uploaded_file_id_idx on public.kyc_document (organization_id, uploaded_file_id);
create index kyc_document_organization_id_status_idx on public.kyc_document (organization_id, status);

create table public."case" (
  id uuid primary key default pg_catalog.gen_random_uuid(),
  organization_id uuid not null
    default (rowgate_api.session_variable('organization_id'))::uuid
    references public.organization,
  user_id text,
  case_number text not null default ('CASE-' || pg_catalog.gen_random_uuid())
    check (case_number <> ''),
  title text not null default 'New case' check (title <> ''),
  kind text not null default 'request'
    check (kind in ('onboarding', 'kyc_review', 'aml_alert', 'dispute', 'complaint', 'agreement', 'request')),
  status text not null default 'draft'
    check (status in ('draft', 'open', 'in_progress', 'waiting', 'resolved', 'closed', 'locked')),
  priority text not null default 'normal' check (priority in ('low', 'normal', 'high', 'urgent')),
  assigned_to text references public."user" on update cascade on delete set null,
  summary text,
  resolution text,
  agreement text,
  due_on date,
  opened_at timestamptz,
  closed_at timestamptz check (closed_at >= opened_at),
  created_by text references public."user" on update cascade on delete set null,
  created_at timestamptz not null default pg_catalog.now(),
  updated_at timestamptz not null default pg_catalog.now(),
  foreign key (organization_id, user_id)
    references public."user" (organization_id, id) on update cascade,
  unique (organization_id, id),
  unique (organization_id, case_number)
);
comment on table public."case" is 'A matter that the platform''s staff investigates for or about an organization.';
comment on column public."case".id is 'Id of the case.';
comment on column public."case".organization_id is 'The organization that the case concerns.';
comment on column public."case".user_id is 'The user that the case concerns. Null if it concerns the organization.';
comment on column public."case".case_number is 'Case number for correspondence, unique in an organization.';
comment on column public."case".title is 'Title of the case, in one line.';
comment on column public."case".kind is 'onboarding, kyc_review, aml_alert, dispute, complaint, agreement or request.';
comment on column public."case".status is 'draft → open → in_progress ⇄ waiting. open, in_progress or waiting → resolved → closed. resolved → in_progress if the case comes up again. Compliance moves any open status → locked, and locked → open or in_progress. A draft may be deleted.';
comment on column public."case".priority is 'low, normal, high or urgent.';
comment on column public."case".assigned_to is 'User who works on the case.';
comment on column public."case".summary is 'Description of the matter.';
comment on column public."case".resolution is 'Result of the case.';
comment on column public."case".agreement is 'Text of the agreement, if the case ends with one. Empty lines separate paragraphs.';
comment on column public."case".due_on is 'Day by which the case must be resolved.';
comment on column public."case".opened_at is 'Time at which the case was opened. Null for a draft.';
comment on column public."case".closed_at is 'Time at which the case was closed.';
comment on column public."case".created_by is 'User who created the case.';
comment on column public."case".created_at is 'Time at which the case was created.';
comment on column public."case".updated_at is 'Time of the last change of the row.';
create index case_organization_id_user_id_idx on public."case" (organization_id, user_id);
create index case_user_id_idx on public."case" (user_id);
create index case_assigned_to_idx on public."case" (assigned_to);
create index case_organization_id_status_idx on public."case" (organization_id, status);
create index case_created_by_idx on public."case" (created_by);
create index case_kind_idx on public."case" (kind);

create table public.case_document (
  id uuid primary key default pg_catalog.gen_random_uuid(),
  organization_id uuid not null
    default (rowgate_api.session_variable('organization_id'))::uuid
    references public.organization,
  case_id uuid not null,
  uploaded_file_id uuid not null,
  kind text not null default 'evidence'
    check (kind in ('evidence', 'correspondence', 'report', 'agreement', 'other')),
  title text check (title <> ''),
  created_by text references public."user" on update cascade on delete set null,
  created_at timestamptz not null default pg_catalog.now(),
  updated_at timestamptz not null default pg_catalog.now(),
  foreign key (organization_id, case_id)
    references public."case" (organization_id, id) on delete cascade,
  foreign key (organization_id, uploaded_file_id)
    references public.uploaded_file (organization_id, id),
  unique (organization_id, case_id, uploaded_file_id)
);
comment on table public.case_document is 'A file of a case.';
comment on column public.case_document.id is 'Id of the document.';
comment on column public.case_document.organization_id is 'The organization that the case concerns.';
comment on column public.case_document.case_id is 'The case of the document.';
comment on column public.case_document.uploaded_file_id is 'The uploaded file.';
comment on column public.case_document.kind is 'evidence, correspondence, report, agreement or other.';
comment on column public.case_document.title is 'Title of the document. If null, the name of the file is used.';
comment on column public.case_document.created_by is 'User who added the file to the case.';
comment on column public.case_document.created_at is 'Time at which the file was added to the case.';
comment on column public.case_document.updated_at is 'Time of the last change of the row.';
create index case_document_case_id_idx on public.case_document (case_id);
create index case_document_organization_id_uploaded_file_id_idx on public.case_document (organization_id, uploaded_file_id);
create index case_document_created_by_idx on public.case_document (created_by);

create trigger touch_updated_at before update on public.kyc_profile
  for each row execute function public.touch_updated_at();
create trigger stamp_review before update of status on public.kyc_profile
  for each row execute function public.stamp_review();
create trigger note_link after insert or update of applicant_id on public.kyc_profile
  for each row when (new.applicant_id is not null)
  execute function rowgate_webhooks.note_link('applicant', 'applicant_id');
create trigger check_move after update on public.kyc_profile for each row
  when (old.status is distinct from new.status) execute function rowgate_webhooks.check_move();
create trigger touch_updated_at before update on public.kyc_document
  for each row execute function public.touch_updated_at();
create trigger check_move after update on public.kyc_document for each row
  when (old.status is distinct from new.status) execute function rowgate_webhooks.check_move();
create trigger touch_updated_at before update on public."case"
  for each row execute function public.touch_updated_at();
create trigger check_move after update on public."case" for each row
  when (old.status is distinct from new.status) execute function rowgate_webhooks.check_move();
create trigger touch_updated_at before update on public.case_document
  for each row execute function public.touch_updated_at();

create function rowgate_documents.find_kyc_source(document_id uuid)
  returns table (inspection_id text, provider_document_id text)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select d.inspection_id, d.provider_document_id from public.kyc_document d where d.id = $1;
  $$;
comment on function rowgate_documents.find_kyc_source(uuid) is
  'Returns the ids under which the provider stores a document. The caller must check first, with the user''s own role, that the user may see it.';

create function rowgate_documents.may_fetch_kyc_file(
  document_id uuid, inspection_id text, provider_document_id text, person_id text, role text
) returns boolean
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select exists (
      select from public.kyc_document d
      join public."user" u on u.id = $4 and u.status = 'active'
      join public.user_role r on r.user_id = u.id and r.role = $5
      where d.id = $1 and d.inspection_id = $2 and d.provider_document_id = $3);
  $$;
comment on function rowgate_documents.may_fetch_kyc_file(uuid, text, text, text, text) is
  'Returns true if the conditions of a token are still met: the document exists with these ids, and the user is active and has the role.';

create function rowgate_auth.begin_kyc(user_id text, level_name text) returns text
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    insert into public.kyc_profile as p (organization_id, user_id, level_name)
      select u.organization_id, u.id, coalesce($2, 'basic-kyc-level') from public."user" u where u.id = $1
      on conflict (organization_id, user_id) do update set level_name = $2
        where p.status in ('not_started', 'pending', 'rejected', 'expired') and p.level_name <> $2;
    -- A finished or running verification is valid only for the level at which it was made, so the level does not change
    -- then.
    select case
        when p.status = 'locked' then 'locked'
        when p.level_name <> $2 then 'other_level'
        else 'begun' end
      from public.kyc_profile p
      join public."user" u on u.organization_id = p.organization_id and u.id = p.user_id
      where u.id = $1;
  $$;
comment on function rowgate_auth.begin_kyc(text, text) is 'Stores the level at which a user is to be verified. A null level keeps that of the profile, or uses basic-kyc-level. Returns begun, locked (compliance holds the profile), or other_level (the profile is approved or in review at another level).';

-- The reason of a lock is stored: release_requests releases only requests that were locked for the same reason.
create function rowgate_webhooks.hold_requests(user_id text, event_id text, reason text) returns integer
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select pg_catalog.count(*)::integer
    from (
      select 'trade_request' as kind, t.id, t.status from public.trade_request t where t.user_id = $1
      union all
      select 'fiat_withdrawal_request', w.id, w.status from public.fiat_withdrawal_request w where w.user_id = $1) r
    where r.status in ('submitted', 'approved')
      and rowgate_webhooks.try_move(r.kind, r.id, 'locked', $2, $3) = 'moved';
  $$;
comment on function rowgate_webhooks.hold_requests(text, text, text) is
  'Locks the open trade and withdrawal requests of a user. Returns how many.';

create function rowgate_webhooks.hold_request(table_name text, request_id uuid, event_id text) returns boolean
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      reason text;
    begin
      select coalesce((
            select 'The wallet is locked' from public.digital_wallet w
            where w.id = r.digital_wallet_id and w.status = 'locked' and $1 = 'trade_request'), (
            select 'Verification ' || p.status from public.kyc_profile p
            where p.user_id = r.user_id and p.status in ('rejected', 'expired', 'locked')))
        into reason
        from (
          select t.id, t.status, t.digital_wallet_id, t.user_id from public.trade_request t where $1 = 'trade_request'
          union all
          select w.id, w.status, w.digital_wallet_id, w.user_id
          from public.fiat_withdrawal_request w where $1 = 'fiat_withdrawal_request') r
        where r.id = $2 and r.status in ('submitted', 'approved');
      return reason is not null and rowgate_webhooks.try_move($1, $2, 'locked', $3, reason) = 'moved';
    end
  $$;
comment on function rowgate_webhooks.hold_request(text, uuid, text) is
  'Locks a request that was submitted after the verification of its user failed. Also locks a trade request of a locked wallet; on_fiat_withdrawal_request_update rejects a withdrawal from such a wallet. Returns true if it locked the request now.';

create function rowgate_webhooks.release_requests(user_id text, event_id text, reason_pattern text) returns integer
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select pg_catalog.count(*)::integer
    from (
      select 'trade_request' as kind, t.id, t.status, t.status_reason as reason from public.trade_request t where t.user_id = $1
      union all
      select 'fiat_withdrawal_request', w.id, w.status, w.status_reason
      from public.fiat_withdrawal_request w where w.user_id = $1) r
    where r.status = 'locked' and r.reason ~ $3
      and rowgate_webhooks.try_move(r.kind, r.id, 'submitted', $2, 'Unlocked for a new approval') = 'moved';
  $$;
comment on function rowgate_webhooks.release_requests(text, text, text) is
  'Unlocks the requests of a user whose reason matches the pattern. Returns how many.';

create function rowgate_webhooks.open_risk_case(profile public.kyc_profile) returns uuid
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      risks text := concat_ws('-', case when $1.risk_level = 'high' then 'HIGH' end,
        case when $1.is_pep then 'PEP' end, case when $1.is_sanctioned then 'SANCTIONED' end);
      case_id uuid;
    begin
      if risks = '' then return null; end if;
      insert into public."case"
          (organization_id, user_id, case_number, title, kind, status, priority, summary, opened_at)
        values ($1.organization_id, $1.user_id, 'KYC-' || $1.id || '-' || risks,
          'Verification that needs a closer look', case when $1.is_sanctioned then 'aml_alert' else 'kyc_review' end,
          'open', case when $1.is_sanctioned then 'urgent' else 'high' end,
          'The verification says: ' || concat_ws(', ', case when $1.risk_level = 'high' then 'high risk' end,
            case when $1.is_pep then 'politically exposed' end,
            case when $1.is_sanctioned then 'on a sanctions list' end), now())
        on conflict (organization_id, case_number) do nothing
        returning id into case_id;
      if case_id is not null then
        perform rowgate_webhooks.notify_role(null, 'compliance', 'case', 'A verification needs a closer look',
          'KYC-' || $1.id || '-' || risks, null);
      end if;
      return case_id;
    end
  $$;
comment on function rowgate_webhooks.open_risk_case(public.kyc_profile) is
  'Opens a compliance case for a high-risk, politically exposed or sanctioned user, once per combination of findings. Returns the case''s id, or null if it opened none.';

create function rowgate_webhooks.sync_kyc_documents(profile public.kyc_profile, event_id text) returns integer
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select pg_catalog.count(*)::integer
    from public.kyc_document d
    cross join lateral (
      select case
        when d.status = 'pending' and $1.status in ('approved', 'rejected') then $1.status
        when d.status = 'approved' and $1.status = 'expired' and d.expires_on <= pg_catalog.now()::date then 'expired' end) n(status)
    where d.kyc_profile_id = $1.id and n.status is not null
      and rowgate_webhooks.try_move('kyc_document', d.id, n.status, $2, null) = 'moved';
  $$;
comment on function rowgate_webhooks.sync_kyc_documents(public.kyc_profile, text) is
  'Applies a profile''s decision to its pending documents, and expires outdated documents with the profile. Returns how many documents changed.';

create function rowgate_webhooks.tell_of_verification(profile public.kyc_profile) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      title text := case $1.status
        when 'in_review' then 'Your documents are being checked'
        when 'approved' then 'You are verified'
        when 'rejected' then 'Your verification could not be completed'
        when 'expired' then 'Your verification has expired' end;
      fund uuid;
    begin
      if title is null then return; end if;
      perform rowgate_webhooks.notify($1.user_id, 'kyc', title, case
        when $1.status in ('rejected', 'expired') then 'Please hand in your documents again.' else '' end, null);
      if $1.status <> 'approved' then return; end if;
      if exists (select from public.card c where c.user_id = $1.user_id and c.status = 'draft') then
        perform rowgate_webhooks.notify_role($1.organization_id, 'organization_admin', 'card',
          'A card can be issued', 'Its holder is verified.', null);
      end if;
      for fund in
        select distinct s.fund_id from public.fund_subscription s
        where s.user_id = $1.user_id and s.status in ('submitted', 'approved') order by 1
      loop
        perform rowgate_webhooks.notify_fund(fund, 'fund_manager', 'system', 'A subscription can go on',
          'The person who subscribes is verified.', null);
      end loop;
    end
  $$;
comment on function rowgate_webhooks.tell_of_verification(public.kyc_profile) is
  'Notifies the user of the status of the verification, and staff who waited for an approval. A lock by compliance is not reported.';

create function rowgate_webhooks.on_kyc_profile_update(event_id text, profile_id uuid, from_status text, to_status text)
  returns jsonb
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      profile public.kyc_profile;
      case_id uuid;
      documents integer;
      held integer := 0;
      released integer := 0;
    begin
      select * into profile from public.kyc_profile p where p.id = $2 for no key update;
      if not found then return jsonb_build_object('outcome', 'gone'); end if;
      case_id := rowgate_webhooks.open_risk_case(profile);
      documents := rowgate_webhooks.sync_kyc_documents(profile, $1);
      if profile.status in ('rejected', 'expired', 'locked') then
        held := rowgate_webhooks.hold_requests(profile.user_id, $1, 'Verification ' || profile.status);
      elsif profile.status = 'approved' then
        released := rowgate_webhooks.release_requests(profile.user_id, $1, '^Verification (rejected|expired|locked)$');
      end if;
      if $3 is distinct from $4 and profile.status = $4 then
        perform rowgate_webhooks.tell_of_verification(profile);
      end if;
      return jsonb_strip_nulls(jsonb_build_object('outcome', profile.status, 'caseId', case_id, 'documents', documents,
        'heldRequests', held, 'releasedRequests', released));
    end
  $$;
comment on function rowgate_webhooks.on_kyc_profile_update(text, uuid, text, text) is
  'Handles a changed verification: updates the documents, opens a case for findings, locks or unlocks requests, and notifies users.';

create function rowgate_webhooks.find_applicant(event_id uuid, out profile public.kyc_profile, out problem text, out awaits text)
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      callback jsonb;
    begin
      select i.payload into strict callback from rowgate_webhooks.inbox i where i.id = $1;
      if exists (
        select from public.kyc_profile p
        where p.applicant_id = callback ->> 'applicantId' and p.user_id <> callback ->> 'externalUserId')
      then
        problem := 'the applicant is another person';
        return;
      end if;
      insert into public.kyc_profile (organization_id, user_id)
        select u.organization_id, u.id from public."user" u where u.id = callback ->> 'externalUserId'
        on conflict (organization_id, user_id) do nothing;
      select * into profile from public.kyc_profile p where p.user_id = callback ->> 'externalUserId' for no key update;
      if not found then
        problem := 'no user has this externalUserId';
        awaits := 'user/' || (callback ->> 'externalUserId');
      elsif profile.applicant_id <> callback ->> 'applicantId'
        and not (lower(callback ->> 'type') = 'applicantcreated' and profile.status in ('not_started', 'pending', 'rejected', 'expired'))
      then
        problem := 'the person is another applicant at the provider';
        awaits := 'applicant/' || (callback ->> 'applicantId');
      end if;
    end
  $$;
comment on function rowgate_webhooks.find_applicant(uuid) is
  'Returns the profile that a callback concerns, and creates it if the user has none. Otherwise returns the problem, and the reference that the callback waits for if the problem can be solved.';

create function rowgate_webhooks.take_documents(event_id uuid, profile public.kyc_profile) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      callback jsonb;
      document jsonb;
      answer text;
      known uuid;
    begin
      select i.payload into strict callback from rowgate_webhooks.inbox i where i.id = $1;
      for document in
        select e.value from jsonb_array_elements(coalesce(callback -> 'documents', '[]')) e order by e.value ->> 'documentId'
      loop
        insert into public.kyc_document as d (
            organization_id, kyc_profile_id, inspection_id, provider_document_id, document_type, country)
          values (
            profile.organization_id, profile.id, callback ->> 'inspectionId', document ->> 'documentId',
            case when lower(document ->> 'documentType') in (
                'passport', 'id_card', 'driving_licence', 'residence_permit', 'selfie', 'proof_of_address', 'source_of_funds')
              then lower(document ->> 'documentType') else 'other' end,
            substring(document ->> 'country' from '^[A-Z]{2}$'))
          on conflict (organization_id, inspection_id, provider_document_id) do nothing;
        select d.id into known from public.kyc_document d
          where d.organization_id = profile.organization_id and d.kyc_profile_id = profile.id
            and d.inspection_id = callback ->> 'inspectionId' and d.provider_document_id = document ->> 'documentId'
          for no key update;
        answer := case upper(document ->> 'reviewAnswer') when 'GREEN' then 'approved' when 'RED' then 'rejected' end;
        if known is not null and answer is not null
          and rowgate_webhooks.try_move('kyc_document', known, answer, $1::text, 'reported by the KYC provider') = 'moved'
        then
          update public.kyc_document d set rejection_reason = case answer when 'rejected' then document ->> 'reason' end
            where d.id = known;
        end if;
      end loop;
      -- If the provider approves a person without results per document, all documents of the inspection are approved.
      if not callback ? 'documents' and upper(callback -> 'reviewResult' ->> 'reviewAnswer') = 'GREEN' then
        update public.kyc_document d set status = 'approved'
          where d.organization_id = profile.organization_id and d.kyc_profile_id = profile.id
            and d.inspection_id = callback ->> 'inspectionId' and d.status = 'pending';
      end if;
    end
  $$;
comment on function rowgate_webhooks.take_documents(uuid, public.kyc_profile) is
  'Stores the results for the documents of an inspection from a callback.';

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
  'Returns the profile status that a callback reports, or null for an unknown type or answer.';

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
  'Moves a profile to a status through the steps between. Refuses to change a locked profile, to approve a sanctioned user, and to approve a profile that compliance rejected; it notifies compliance then.';

create function rowgate_webhooks.apply_kyc(event_id uuid) returns rowgate_webhooks.outcome
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      event rowgate_webhooks.inbox;
      callback jsonb;
      result jsonb;
      found_applicant record;
      profile public.kyc_profile;
      said_at timestamptz;
      new_status text;
      reason text;
      moved text;
    begin
      select * into strict event from rowgate_webhooks.inbox i where i.id = $1;
      callback := event.payload;
      result := callback -> 'reviewResult';
      new_status := rowgate_webhooks.kyc_status(callback);
      if new_status is null then return rowgate_webhooks.became('ignored', 'the type or the answer is not known'); end if;
      found_applicant := rowgate_webhooks.find_applicant($1);
      if found_applicant.awaits is not null then
        return rowgate_webhooks.unmatched($1, found_applicant.awaits, found_applicant.problem);
      elsif found_applicant.problem is not null then
        return rowgate_webhooks.became('ignored', found_applicant.problem);
      end if;
      profile := found_applicant.profile;
      said_at := least(rowgate_webhooks.moment(callback ->> 'createdAt'), event.received_at);
      if not rowgate_webhooks.is_newest('kyc', profile.id, said_at) then
        return rowgate_webhooks.became('done', 'came late: the provider has reported a newer event');
      end if;
      -- The reason shows staff whether another attempt makes sense.
      reason := nullif(concat_ws('; ', nullif(result ->> 'reviewRejectType', ''), nullif(result ->> 'moderationComment', ''), nullif(result ->> 'clientComment', ''),
        case when jsonb_typeof(result -> 'rejectLabels') = 'array'
          then (select nullif(string_agg(l.value, ', '), '') from jsonb_array_elements_text(result -> 'rejectLabels') l(value)) end), '');
      if profile.status <> 'locked' then
        update public.kyc_profile p
          set applicant_id = callback ->> 'applicantId', inspection_id = coalesce(nullif(callback ->> 'inspectionId', ''), p.inspection_id),
            review_answer = case when new_status in ('approved', 'rejected') then upper(result ->> 'reviewAnswer') else p.review_answer end,
            review_reason = case new_status when 'approved' then null when 'rejected' then reason else p.review_reason end
          where p.id = profile.id;
        if callback ->> 'inspectionId' <> '' then perform rowgate_webhooks.take_documents($1, profile); end if;
      end if;
      moved := rowgate_webhooks.move_profile($1, profile, new_status, 'reported by the KYC provider: ' || (callback ->> 'type'));
      if moved = 'refused' then
        return rowgate_webhooks.became('done', format('refused: a profile that is %s cannot become %s', profile.status, new_status));
      end if;
      if moved = 'moved' and new_status in ('approved', 'rejected') then
        -- This runs after the move, because the trigger of the move sets reviewed_at to the time of this transaction.
        update public.kyc_profile p set reviewed_at = said_at, reviewed_by = null where p.id = profile.id;
      end if;
      -- The event trigger of the change notifies the user.
      return rowgate_webhooks.became('done', null);
    end
  $$;
comment on function rowgate_webhooks.apply_kyc(uuid) is 'Processes a callback of the KYC provider.';

revoke all on all functions in schema rowgate_documents from public;
revoke all on all functions in schema rowgate_auth from public;
revoke all on all functions in schema rowgate_webhooks from public;
