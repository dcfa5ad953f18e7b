alter table "public"."bare" enable row level security;
alter table "public"."ticket" enable row level security;
alter table "public"."visit" enable row level security;
create function "rowgate_api"."may_update_bbc86445fe9bfe19"("k1" "pg_catalog"."int4") returns pg_catalog.bool
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  begin atomic
    select exists (select 1 from "public"."ticket" as "r" where (r."id" operator("pg_catalog".=) "may_update_bbc86445fe9bfe19"."k1"::"pg_catalog"."int4") and ((select «user» is not null) and ("r"."owner" operator("pg_catalog".=) (select «user»::"pg_catalog"."text"))));
  end;
revoke all on function "rowgate_api"."may_update_bbc86445fe9bfe19"("pg_catalog"."int4") from public;
alter function "rowgate_api"."may_update_bbc86445fe9bfe19"("pg_catalog"."int4") owner to "golden_presets_alone_policy";
create function "rowgate_policy"."preset_57bb6bc2e1a388f3"() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as 'begin
  if pg_catalog.row_security_active(tg_relid)
    or exists (select from pg_catalog.pg_partition_ancestors(tg_relid) as a where pg_catalog.row_security_active(a.relid)) then
    if tg_op operator(pg_catalog.=) ''INSERT'' and pg_catalog.pg_has_role(current_user, ''golden_presets_alone_opener''::pg_catalog.name, ''USAGE''::pg_catalog.text) then
      if «user» is null then
        raise exception using errcode = ''RG001'', message = pg_catalog.format(''missing session variable: "%s"'', ''x-gql-user'');
      end if;
      new."owner" := (select «user»::"pg_catalog"."text");
      if «user» is null then
        raise exception using errcode = ''RG001'', message = pg_catalog.format(''missing session variable: "%s"'', ''x-gql-user'');
      end if;
      new."opened_by" := (select «user»::"pg_catalog"."text");
    end if;
    if tg_op operator(pg_catalog.=) ''UPDATE'' and pg_catalog.pg_has_role(current_user, ''golden_presets_alone_reader''::pg_catalog.name, ''USAGE''::pg_catalog.text) then
      if «user» is null then
        raise exception using errcode = ''RG001'', message = pg_catalog.format(''missing session variable: "%s"'', ''x-gql-user'');
      end if;
      new."seen_by" := (select «user»::"pg_catalog"."text");
      new."state" := ''seen''::"pg_catalog"."text";
    end if;
  end if;
  return new;
end';
revoke all on function "rowgate_policy"."preset_57bb6bc2e1a388f3"() from public;
grant select ("id", "at") on "public"."bare" to "golden_presets_alone_visitor";
grant select ("id", "owner", "opened_by", "seen_by", "state") on "public"."ticket" to "golden_presets_alone_opener";
grant insert ("owner") on "public"."ticket" to "golden_presets_alone_opener";
grant select ("id", "owner", "opened_by", "seen_by", "state") on "public"."ticket" to "golden_presets_alone_reader";
grant insert ("id", "owner") on "public"."ticket" to "golden_presets_alone_reader";
grant update ("seen_by") on "public"."ticket" to "golden_presets_alone_reader";
grant select ("id", "at", "year") on "public"."visit" to "golden_presets_alone_visitor";
grant insert ("year") on "public"."visit" to "golden_presets_alone_visitor";
grant select ("id", "owner") on "public"."ticket" to "golden_presets_alone_policy";
create policy "rowgate/visitor/select" on "public"."bare" as permissive for select to "golden_presets_alone_visitor" using (true);
create policy "rowgate/visitor/insert" on "public"."bare" as permissive for insert to "golden_presets_alone_visitor" with check (true);
create policy "rowgate/opener/select" on "public"."ticket" as permissive for select to "golden_presets_alone_opener" using (true);
create policy "rowgate/opener/insert" on "public"."ticket" as permissive for insert to "golden_presets_alone_opener" with check (true);
create policy "rowgate/reader/select" on "public"."ticket" as permissive for select to "golden_presets_alone_reader" using (true);
create policy "rowgate/reader/insert" on "public"."ticket" as permissive for insert to "golden_presets_alone_reader" with check (true);
create policy "rowgate/reader/update" on "public"."ticket" as permissive for update to "golden_presets_alone_reader" using (((select «user» is not null) and ("ticket"."owner" operator("pg_catalog".=) (select «user»::"pg_catalog"."text")))) with check (true);
create policy "rowgate/visitor/select" on "public"."visit" as permissive for select to "golden_presets_alone_visitor" using (true);
create policy "rowgate/visitor/insert" on "public"."visit" as permissive for insert to "golden_presets_alone_visitor" with check (true);
create policy "rowgate/visitor/update" on "public"."visit" as permissive for update to "golden_presets_alone_visitor" using (true) with check (true);
create policy "rowgate/policy/select" on "public"."ticket" as permissive for select to "golden_presets_alone_policy" using (true);
create trigger "!rowgate/preset" before insert or update on "public"."ticket" for each row execute function "rowgate_policy"."preset_57bb6bc2e1a388f3"();
