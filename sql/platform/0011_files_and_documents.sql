-- Uploaded files of cases, KYC profiles and users, and the data of printed documents. Only the sidecar's login may use
-- the schema rowgate_documents, through its functions.

create table public.uploaded_file (
  id uuid primary key default pg_catalog.gen_random_uuid(),
  organization_id uuid not null
    default (rowgate_api.session_variable('organization_id'))::uuid
    references public.organization,
  user_id text
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
  created_by text references public."user" on update cascade on delete set null,
  created_at timestamptz not null default pg_catalog.now(),
  updated_at timestamptz not null default pg_catalog.now(),
  foreign key (organization_id, user_id)
    references public."user" (organization_id, id) on update cascade on delete cascade,
  unique (organization_id, id)
);
comment on table public.uploaded_file is 'Metadata of an uploaded file. The storage contains its content under the file''s name.';
comment on column public.uploaded_file.id is 'Id of the file.';
comment on column public.uploaded_file.organization_id is 'The organization of the file.';
comment on column public.uploaded_file.user_id is 'Owner of the file. Null for a report on the organization that no user of it requested; such a report belongs to its requester (created_by).';
comment on column public.uploaded_file.name is 'Name in the storage and in the file''s URL. It is random, so that it cannot be guessed.';
comment on column public.uploaded_file.original_name is 'Original name of the uploaded file.';
comment on column public.uploaded_file.content_type is 'Media type, e.g. application/pdf.';
comment on column public.uploaded_file.size is 'Size in bytes.';
comment on column public.uploaded_file.sha256 is 'SHA-256 of the content, in hexadecimal.';
comment on column public.uploaded_file.purpose is 'general, case_document or kyc_document.';
comment on column public.uploaded_file.created_by is 'User who uploaded the file. An administrator may upload for the owner.';
comment on column public.uploaded_file.created_at is 'Time of the upload.';
comment on column public.uploaded_file.updated_at is 'Time of the last change of the row.';
create index uploaded_file_organization_id_user_id_idx on public.uploaded_file (organization_id, user_id);
create index uploaded_file_user_id_idx on public.uploaded_file (user_id);
create index uploaded_file_organization_id_purpose_idx on public.uploaded_file (organization_id, purpose);
create index uploaded_file_created_by_idx on public.uploaded_file (created_by);
create index uploaded_file_purpose_idx on public.uploaded_file (purpose);

create trigger touch_updated_at before update on public.uploaded_file
  for each row execute function public.touch_updated_at();

create schema rowgate_documents;
revoke all on schema rowgate_documents from public;

create function rowgate_documents.installation() returns text
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$ select i.id::text || '/' || pg_catalog.current_database() from rowgate.installation i $$;
comment on function rowgate_documents.installation() is 'Returns an id of this database that differs from that of a copy under another name.';

-- A user of another organization is treated as missing, so that the response reveals nothing about that user.
create function rowgate_documents.store_files(request jsonb) returns jsonb
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      owner_organization uuid;
      file jsonb;
      file_id uuid;
      ids jsonb := '[]';
    begin
      select u.organization_id into owner_organization
        from public."user" u
        where u.id = $1 ->> 'ownerUserId'
          and u.organization_id = coalesce(($1 ->> 'organizationId')::uuid, u.organization_id)
        for key share;
      if not found then return pg_catalog.jsonb_build_object('missing', 'owner'); end if;
      if $1 ->> 'caseId' is not null then
        perform from public."case" c
          where c.id = ($1 ->> 'caseId')::uuid and c.organization_id = owner_organization for key share;
        if not found then return pg_catalog.jsonb_build_object('missing', 'case'); end if;
      end if;
      if $1 ->> 'kycProfileId' is not null then
        perform from public.kyc_profile p
          where p.id = ($1 ->> 'kycProfileId')::uuid and p.organization_id = owner_organization for key share;
        if not found then return pg_catalog.jsonb_build_object('missing', 'kyc_profile'); end if;
      end if;
      for file in select f.value from pg_catalog.jsonb_array_elements($1 -> 'files') with ordinality f(value, place) order by f.place
      loop
        insert into public.uploaded_file
            (organization_id, user_id, name, original_name, content_type, size, sha256, purpose, created_by)
          values (owner_organization, $1 ->> 'ownerUserId', file ->> 'name', file ->> 'originalName',
            file ->> 'contentType', (file ->> 'size')::bigint, file ->> 'sha256', $1 ->> 'purpose', $1 ->> 'createdBy')
          returning id into file_id;
        if $1 ->> 'caseId' is not null then
          insert into public.case_document (organization_id, case_id, uploaded_file_id, created_by)
            values (owner_organization, ($1 ->> 'caseId')::uuid, file_id, $1 ->> 'createdBy');
        end if;
        if $1 ->> 'kycProfileId' is not null then
          insert into public.kyc_document (organization_id, kyc_profile_id, uploaded_file_id)
            values (owner_organization, ($1 ->> 'kycProfileId')::uuid, file_id);
        end if;
        ids := ids || pg_catalog.to_jsonb(file_id);
      end loop;
      return pg_catalog.jsonb_build_object('ids', ids);
    end
  $$;
comment on function rowgate_documents.store_files(jsonb) is
  'Records files that were uploaded together, all or none: {ownerUserId, organizationId?, purpose, caseId?, kycProfileId?, createdBy?, files: [{name, originalName, contentType, size, sha256}]}. Returns {ids} in that order, or {missing}: owner, case or kyc_profile.';

create function rowgate_documents.find_file(name text)
  returns table (
    user_id text, original_name text, content_type text, size bigint, sha256 text, created_at timestamptz
  )
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    begin
      return query
        select coalesce(f.user_id, f.created_by), f.original_name, f.content_type, f.size, f.sha256, f.created_at
        from public.uploaded_file f where f.name = $1;
    end
  $$;
comment on function rowgate_documents.find_file(text) is 'Returns the metadata of an uploaded file by its name in the storage.';

create function rowgate_documents.names_without_file(names text[]) returns setof text
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    begin
      return query
        select n.name from pg_catalog.unnest($1) n(name)
        where not exists (select from public.uploaded_file f where f.name = n.name);
    end
  $$;
comment on function rowgate_documents.names_without_file(text[]) is 'Returns those of the given names for which no file is recorded.';

create function rowgate_documents.owns_wallet(wallet_id uuid, owner_id text) returns boolean
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select exists (select from public.digital_wallet w where w.id = $1 and w.user_id = $2);
  $$;
comment on function rowgate_documents.owns_wallet(uuid, text) is 'Returns true if the wallet exists and belongs to the user.';

revoke all on all functions in schema rowgate_documents from public;
