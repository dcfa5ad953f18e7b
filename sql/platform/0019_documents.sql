-- What the REST endpoints of documents and files ask the database. Only the sidecar's own login may use this schema; it
-- has no right on any table of the platform, and asks the functions below.
create schema rowgate_documents;
revoke all on schema rowgate_documents from public;

create function rowgate_documents.installation() returns text
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$ select i.id::text || '/' || pg_catalog.current_database() from rowgate.installation i $$;
comment on function rowgate_documents.installation() is 'Which database this is, told apart from a copy under another name.';

-- Whoever is in another organization than the one that is asked for does not exist, so that nobody learns of them.
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
  'Records files that were uploaded together, all or none: {ownerUserId, organizationId?, purpose, caseId?, kycProfileId?, createdBy?, files: [{name, originalName, contentType, size, sha256}]}. Returns {ids} in that order, or what is {missing}: owner, case or kyc_profile.';

create function rowgate_documents.find_file(name text)
  returns table (
    user_id text, original_name text, content_type text, size bigint, sha256 text, created_at timestamptz
  )
  language plpgsql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    begin
      return query
        select f.user_id, f.original_name, f.content_type, f.size, f.sha256, f.created_at
        from public.uploaded_file f where f.name = $1;
    end
  $$;
comment on function rowgate_documents.find_file(text) is 'What is known of an uploaded file, by its name in the storage.';

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
comment on function rowgate_documents.names_without_file(text[]) is 'Those of the names that no row has.';

-- What a wallet was worth, for its owner and for nobody else: no row for others, nor where there is no such wallet.
create function rowgate_documents.wallet_series(wallet_id uuid, owner_id text, days integer)
  returns table (label text, coin text, first_day date, totals text[])
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select w.label, w.coin, t.today - ($3 - 1), array(
      select coalesce(s.total_usd, case when d.day = t.today then t.worth end)::text
      from (select t.today - n from pg_catalog.generate_series($3 - 1, 0, -1) n) d (day)
      left join public.portfolio_snapshot s on s.digital_wallet_id = w.id and s.taken_on = d.day
      order by d.day)
    from public.digital_wallet w
    cross join lateral (
      -- The day is not over, so there is no snapshot of it; an old price would say nothing of today.
      select (pg_catalog.now() at time zone 'UTC')::date, (
        select pg_catalog.round(w.balance * p.price, 2) from public.coin_price p
        where p.coin = w.coin and p.currency = 'USD' and not p.stale and w.balance <> 'NaN'
          and p.quoted_at <= pg_catalog.now() and p.quoted_at > pg_catalog.now() - interval '24 hours'
        order by p.quoted_at desc limit 1)
    ) t (today, worth)
    where w.id = $1 and w.user_id = $2;
  $$;
comment on function rowgate_documents.wallet_series(uuid, text, integer) is
  'What a wallet was worth in US dollars at the end of each of the last days, the present one included; null where that is not known.';

create function rowgate_documents.owns_wallet(wallet_id uuid, owner_id text) returns boolean
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select exists (select from public.digital_wallet w where w.id = $1 and w.user_id = $2);
  $$;
comment on function rowgate_documents.owns_wallet(uuid, text) is 'Whether a wallet is there and is the person''s.';

create function rowgate_documents.find_kyc_source(document_id uuid)
  returns table (inspection_id text, provider_document_id text)
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select d.inspection_id, d.provider_document_id from public.kyc_document d where d.id = $1;
  $$;
comment on function rowgate_documents.find_kyc_source(uuid) is
  'Where the provider keeps a document. Whether somebody may see it is asked under the person''s own role.';

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
  'Whether what a token was issued for still is so: the document, and a person who is not disabled and has the role.';

revoke all on all functions in schema rowgate_documents from public;
