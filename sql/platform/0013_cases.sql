-- Cases, and the files that belong to them.

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
  assigned_to text references public."user" on delete set null,
  summary text,
  resolution text,
  agreement text,
  due_on date,
  opened_at timestamptz,
  closed_at timestamptz check (closed_at >= opened_at),
  created_by text references public."user" on delete set null,
  created_at timestamptz not null default pg_catalog.now(),
  updated_at timestamptz not null default pg_catalog.now(),
  foreign key (organization_id, user_id)
    references public."user" (organization_id, id),
  unique (organization_id, id),
  unique (organization_id, case_number)
);
comment on table public."case" is 'Something that staff looks into for an organization, or about it.';
comment on column public."case".id is 'The case''s id.';
comment on column public."case".organization_id is 'The organization that the case is about.';
comment on column public."case".user_id is 'The person whom the case is about; absent where it is the organization.';
comment on column public."case".case_number is 'The number that people quote, once in an organization.';
comment on column public."case".title is 'What it is about, in a line.';
comment on column public."case".kind is 'onboarding, kyc_review, aml_alert, dispute, complaint, agreement or request.';
comment on column public."case".status is 'draft → open → in_progress ⇄ waiting → resolved → closed; locked while compliance holds it. A draft may be deleted.';
comment on column public."case".priority is 'low, normal, high or urgent.';
comment on column public."case".assigned_to is 'Who works on it.';
comment on column public."case".summary is 'What is the matter.';
comment on column public."case".resolution is 'How it ended.';
comment on column public."case".agreement is 'The text that the parties agree to, paragraphs apart by empty lines, where it ends in an agreement.';
comment on column public."case".due_on is 'The day by which it is to be resolved.';
comment on column public."case".opened_at is 'When it was opened; absent for a draft.';
comment on column public."case".closed_at is 'When it was closed.';
comment on column public."case".created_by is 'Who entered the case.';
comment on column public."case".created_at is 'When the case was entered.';
comment on column public."case".updated_at is 'When the row changed last.';
create index case_organization_id_user_id_idx on public."case" (organization_id, user_id);
create index case_user_id_idx on public."case" (user_id);
create index case_assigned_to_idx on public."case" (assigned_to);
create index case_organization_id_status_idx on public."case" (organization_id, status);
create index case_created_by_idx on public."case" (created_by);

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
  created_by text references public."user" on delete set null,
  created_at timestamptz not null default pg_catalog.now(),
  updated_at timestamptz not null default pg_catalog.now(),
  foreign key (organization_id, case_id)
    references public."case" (organization_id, id) on delete cascade,
  foreign key (organization_id, uploaded_file_id)
    references public.uploaded_file (organization_id, id),
  unique (organization_id, case_id, uploaded_file_id)
);
comment on table public.case_document is 'A file that belongs to a case.';
comment on column public.case_document.id is 'The document''s id.';
comment on column public.case_document.organization_id is 'The organization that the case is about.';
comment on column public.case_document.case_id is 'The case.';
comment on column public.case_document.uploaded_file_id is 'The file.';
comment on column public.case_document.kind is 'evidence, correspondence, report, agreement or other.';
comment on column public.case_document.title is 'What it shows; the file''s own name where absent.';
comment on column public.case_document.created_by is 'Who put the file to the case.';
comment on column public.case_document.created_at is 'When the file was put to the case.';
comment on column public.case_document.updated_at is 'When the row changed last.';
create index case_document_case_id_idx on public.case_document (case_id);
create index case_document_organization_id_uploaded_file_id_idx on public.case_document (organization_id, uploaded_file_id);
create index case_document_created_by_idx on public.case_document (created_by);

create trigger touch_updated_at before update on public."case"
  for each row execute function public.touch_updated_at();
create trigger touch_updated_at before update on public.case_document
  for each row execute function public.touch_updated_at();
