-- Reports: taken up one by one, and stored.

-- A report that somebody of another organization asked for belongs to nobody of the organization that it is on.
alter table public.uploaded_file alter column user_id drop not null;
comment on column public.uploaded_file.user_id is 'The file''s owner; absent for a report on an organization that none of its people asked for, which is theirs who did.';

create or replace function rowgate_documents.find_file(name text)
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

create index report_status_updated_at_idx on public.report (status, updated_at) where status in ('requested', 'generating');

create function rowgate_jobs.take_report(passed uuid[]) returns uuid
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      taken uuid;
      was text;
    begin
      select r.id, r.status into taken, was
        from public.report r
        where r.id <> all ($1)
          and (r.status = 'requested'
            -- Whoever was making it has died, or would have failed by now.
            or r.status = 'generating' and r.updated_at < now() - interval '15 minutes')
        order by r.updated_at, r.id
        limit 1
        for no key update skip locked;
      if not found then return null; end if;
      if was = 'requested' then
        perform rowgate_webhooks.try_move('report', taken, 'generating', null, null);
      end if;
      update public.report r set status_reason = null where r.id = taken;
      return taken;
    end
  $$;
comment on function rowgate_jobs.take_report(uuid[]) is
  'Takes up the report that has waited longest: one that is requested, or whose making has not come to an end within 15 minutes. None of those passed; null where there is none.';

create function rowgate_jobs.finish_report(report_id uuid, file jsonb) returns boolean
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    declare
      report public.report;
      owner text;
      file_id uuid;
    begin
      select * into report from public.report r where r.id = $1 for no key update;
      if not found or report.status <> 'generating' then return false; end if;
      -- Suspicions are not for the suspect, nor what auditors found for those whom they looked at.
      if report.kind not in ('compliance', 'audit') then owner := report.user_id; end if;
      if owner is null then
        select u.id into owner from public."user" u
          where u.id = report.created_by and u.organization_id = report.organization_id;
      end if;
      insert into public.uploaded_file
          (organization_id, user_id, name, original_name, content_type, size, sha256, purpose, created_by)
        values (report.organization_id, owner, $2 ->> 'name', $2 ->> 'originalName', 'application/pdf',
          ($2 ->> 'size')::bigint, $2 ->> 'sha256', 'general', report.created_by)
        returning id into file_id;
      update public.report r set uploaded_file_id = file_id, generated_at = now() where r.id = $1;
      perform rowgate_webhooks.try_move('report', $1, 'ready', null, null);
      perform rowgate_webhooks.notify(coalesce(owner, report.created_by), 'report', 'A report is ready', report.title,
        '/static/file-uploads/' || ($2 ->> 'name'));
      -- Whoever asked for a report on another person is told, and does not get that person's file.
      perform rowgate_webhooks.notify(report.created_by, 'report', 'A report is ready', report.title, null)
        where report.created_by <> owner;
      return true;
    end
  $$;
comment on function rowgate_jobs.finish_report(uuid, jsonb) is
  'Records the file of a report {name, originalName, size, sha256} and tells who asked for it, and the person that it is on. False where somebody else has finished it, and the file is not needed.';

create function rowgate_jobs.give_up_report(report_id uuid, reason text) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    begin
      if rowgate_webhooks.try_move('report', $1, 'failed', null, $2) = 'moved' then
        perform rowgate_webhooks.notify(r.created_by, 'report', 'A report could not be made', r.title || ': ' || $2, null)
          from public.report r where r.id = $1 and r.created_by is not null;
      end if;
    end
  $$;
comment on function rowgate_jobs.give_up_report(uuid, text) is 'A report cannot be made; says why to who asked for it.';

create function rowgate_jobs.return_report(report_id uuid) returns void
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  as $$
    select rowgate_webhooks.try_move('report', r.id, 'requested', null, null)
    from public.report r where r.id = $1 and r.status = 'generating';
  $$;
comment on function rowgate_jobs.return_report(uuid) is 'A report could not be made at this time; it waits again.';

revoke all on all functions in schema rowgate_jobs from public;
