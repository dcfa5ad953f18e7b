-- Files that people upload, for cases, for verifications, or for themselves.

create table public.uploaded_file (
  id uuid primary key default pg_catalog.gen_random_uuid(),
  organization_id uuid not null
    default (rowgate_api.session_variable('organization_id'))::uuid
    references public.organization,
  user_id text not null
    default rowgate_api.session_variable('user_id'),
  name text not null unique
    default (pg_catalog.replace((pg_catalog.gen_random_uuid())::text || pg_catalog.gen_random_uuid(), '-', ''))
    check (name ~ '^[A-Za-z0-9_-]{32,100}([.][a-z0-9]{1,10})?$'),
  original_name text not null check (original_name <> '' and pg_catalog.length(original_name) <= 255),
  content_type text not null default 'application/octet-stream'
    check (content_type ~ '^[a-z0-9.+-]+/[a-z0-9.+-]+$'),
  size bigint not null check (size >= 0),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  purpose text not null default 'general'
    check (purpose in ('general', 'case_document', 'kyc_document')),
  created_by text references public."user" on delete set null,
  created_at timestamptz not null default pg_catalog.now(),
  updated_at timestamptz not null default pg_catalog.now(),
  foreign key (organization_id, user_id)
    references public."user" (organization_id, id) on delete cascade,
  unique (organization_id, id)
);
comment on table public.uploaded_file is 'A file that was uploaded; what it holds lies in the storage under its name.';
comment on column public.uploaded_file.id is 'The file''s id.';
comment on column public.uploaded_file.organization_id is 'The organization that the file belongs to.';
comment on column public.uploaded_file.user_id is 'The file''s owner.';
comment on column public.uploaded_file.name is 'The name in the storage and in the file''s URL: random, so that nobody can guess it.';
comment on column public.uploaded_file.original_name is 'What its owner called the file.';
comment on column public.uploaded_file.content_type is 'The media type, e.g. application/pdf.';
comment on column public.uploaded_file.size is 'How large it is, in bytes.';
comment on column public.uploaded_file.sha256 is 'The SHA-256 of what it holds, in hexadecimal.';
comment on column public.uploaded_file.purpose is 'general, case_document or kyc_document.';
comment on column public.uploaded_file.created_by is 'Who uploaded it; an administrator may do so for the owner.';
comment on column public.uploaded_file.created_at is 'When it was uploaded.';
comment on column public.uploaded_file.updated_at is 'When the row changed last.';
create index uploaded_file_organization_id_user_id_idx on public.uploaded_file (organization_id, user_id);
create index uploaded_file_user_id_idx on public.uploaded_file (user_id);
create index uploaded_file_organization_id_purpose_idx on public.uploaded_file (organization_id, purpose);
create index uploaded_file_created_by_idx on public.uploaded_file (created_by);

create trigger touch_updated_at before update on public.uploaded_file
  for each row execute function public.touch_updated_at();
