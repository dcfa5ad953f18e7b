-- Who people are: profiles for anti-money-laundering rules, and the documents behind them.

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
  reviewed_by text references public."user" on delete set null,
  reviewed_at timestamptz,
  expires_on date,
  created_at timestamptz not null default pg_catalog.now(),
  updated_at timestamptz not null default pg_catalog.now(),
  foreign key (organization_id, user_id)
    references public."user" (organization_id, id),
  unique (organization_id, id),
  unique (organization_id, user_id),
  unique (organization_id, applicant_id)
);
comment on table public.kyc_profile is 'What is known about a person''s identity, and what the verification said.';
comment on column public.kyc_profile.id is 'The profile''s id.';
comment on column public.kyc_profile.organization_id is 'The organization that the person belongs to.';
comment on column public.kyc_profile.user_id is 'The person, who has one profile.';
comment on column public.kyc_profile.level_name is 'The provider''s level that the person is verified at.';
comment on column public.kyc_profile.applicant_id is 'The person''s id at the provider, once the verification has begun.';
comment on column public.kyc_profile.inspection_id is 'The id of the latest inspection at the provider.';
comment on column public.kyc_profile.status is 'not_started → pending (documents are awaited) → in_review → approved or rejected; rejected → pending for another try; approved → expired; locked while compliance holds it.';
comment on column public.kyc_profile.review_answer is 'The provider''s answer, e.g. GREEN or RED.';
comment on column public.kyc_profile.review_reason is 'Why it was rejected, in words for compliance.';
comment on column public.kyc_profile.risk_level is 'low, medium or high.';
comment on column public.kyc_profile.is_pep is 'Whether the person is politically exposed.';
comment on column public.kyc_profile.is_sanctioned is 'Whether the person is on a sanctions list.';
comment on column public.kyc_profile.date_of_birth is 'When the person was born.';
comment on column public.kyc_profile.nationality is 'The nationality, as two letters of ISO 3166-1.';
comment on column public.kyc_profile.residence_country is 'Where the person lives, as two letters of ISO 3166-1.';
comment on column public.kyc_profile.reviewed_by is 'Who decided, where it was a person of the platform.';
comment on column public.kyc_profile.reviewed_at is 'When the last decision fell.';
comment on column public.kyc_profile.expires_on is 'Until when an approval holds.';
comment on column public.kyc_profile.created_at is 'When the profile was made.';
comment on column public.kyc_profile.updated_at is 'When the row changed last.';
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
comment on table public.kyc_document is 'A document that a person was verified by.';
comment on column public.kyc_document.id is 'The document''s id.';
comment on column public.kyc_document.organization_id is 'The organization that the person belongs to.';
comment on column public.kyc_document.kyc_profile_id is 'The profile that it belongs to.';
comment on column public.kyc_document.uploaded_file_id is 'The file, where the platform keeps one itself.';
comment on column public.kyc_document.document_type is 'passport, id_card, driving_licence, residence_permit, selfie, proof_of_address, source_of_funds or other.';
comment on column public.kyc_document.country is 'Who issued it, as two letters of ISO 3166-1.';
comment on column public.kyc_document.inspection_id is 'The inspection at the provider that it was part of.';
comment on column public.kyc_document.provider_document_id is 'The document''s id at the provider, once in an inspection.';
comment on column public.kyc_document.status is 'pending → approved or rejected; approved → expired.';
comment on column public.kyc_document.rejection_reason is 'Why it was rejected.';
comment on column public.kyc_document.issued_on is 'The date printed on it.';
comment on column public.kyc_document.expires_on is 'Until when it is valid.';
comment on column public.kyc_document.created_at is 'When the document was entered.';
comment on column public.kyc_document.updated_at is 'When the row changed last.';
create index kyc_document_organization_id_kyc_profile_id_idx on public.kyc_document (organization_id, kyc_profile_id);
create index kyc_document_kyc_profile_id_idx on public.kyc_document (kyc_profile_id);
create index kyc_document_organization_id_uploaded_file_id_idx on public.kyc_document (organization_id, uploaded_file_id);
create index kyc_document_organization_id_status_idx on public.kyc_document (organization_id, status);

create trigger touch_updated_at before update on public.kyc_profile
  for each row execute function public.touch_updated_at();
create trigger touch_updated_at before update on public.kyc_document
  for each row execute function public.touch_updated_at();
