alter table "public"."thing" enable row level security;
create function "rowgate_policy"."preset_d2ac593bdcb42c24"() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as 'begin
  if pg_catalog.row_security_active(tg_relid)
    or exists (select from pg_catalog.pg_partition_ancestors(tg_relid) as a where pg_catalog.row_security_active(a.relid)) then
    if tg_op operator(pg_catalog.=) ''INSERT'' and pg_catalog.pg_has_role(current_user, ''golden_presets_writer''::pg_catalog.name, ''USAGE''::pg_catalog.text) then
      if «org» is null then
        raise exception using errcode = ''RG001'', message = pg_catalog.format(''missing session variable: "%s"'', ''x-gql-org'');
      end if;
      new."org" := (select «org»::"pg_catalog"."int4");
      if «user_id» is null then
        raise exception using errcode = ''RG001'', message = pg_catalog.format(''missing session variable: "%s"'', ''x-gql-user-id'');
      end if;
      new."author" := (select «user_id»::"pg_catalog"."text");
    end if;
    if tg_op operator(pg_catalog.=) ''INSERT'' and pg_catalog.pg_has_role(current_user, ''golden_presets_literal''::pg_catalog.name, ''USAGE''::pg_catalog.text) then
      new."kind" := ''plain''::"public"."kind";
      new."org" := ''7''::"pg_catalog"."int4";
      new."tags" := ''{"a","it''''s"}''::"pg_catalog"."_text";
      new."doc" := ''{"a":[1,9007199254740993]}''::"pg_catalog"."jsonb";
    end if;
    if tg_op operator(pg_catalog.=) ''UPDATE'' and pg_catalog.pg_has_role(current_user, ''golden_presets_changer''::pg_catalog.name, ''USAGE''::pg_catalog.text) then
      if «user_id» is null then
        raise exception using errcode = ''RG001'', message = pg_catalog.format(''missing session variable: "%s"'', ''x-gql-user-id'');
      end if;
      new."changed_by" := (select «user_id»::"pg_catalog"."text");
    end if;
    if tg_op operator(pg_catalog.=) ''INSERT'' and pg_catalog.pg_has_role(current_user, ''golden_presets_mixed_list''::pg_catalog.name, ''USAGE''::pg_catalog.text) then
      if «tag» is null then
        raise exception using errcode = ''RG001'', message = pg_catalog.format(''missing session variable: "%s"'', ''x-gql-tag'');
      end if;
      new."tags" := array[(select «tag»::"pg_catalog"."text"), ''fixed''::"pg_catalog"."text"]::"pg_catalog"."_text";
    end if;
  end if;
  return new;
end';
revoke all on function "rowgate_policy"."preset_d2ac593bdcb42c24"() from public;
grant insert ("id", "label") on "public"."thing" to "golden_presets_writer";
grant insert ("id", "label") on "public"."thing" to "golden_presets_literal";
grant select ("id", "label", "org", "author", "kind", "tags", "changed_by", "doc") on "public"."thing" to "golden_presets_changer";
grant update ("label") on "public"."thing" to "golden_presets_changer";
grant insert ("id") on "public"."thing" to "golden_presets_mixed_list";
grant insert ("id", "org", "author") on "public"."thing" to "golden_presets_other";
create policy "rowgate/writer/insert" on "public"."thing" as permissive for insert to "golden_presets_writer" with check (((select «org» is not null) and ("thing"."org" operator("pg_catalog".=) (select «org»::"pg_catalog"."int4"))));
create policy "rowgate/literal/insert" on "public"."thing" as permissive for insert to "golden_presets_literal" with check (true);
create policy "rowgate/changer/select" on "public"."thing" as permissive for select to "golden_presets_changer" using (true);
create policy "rowgate/changer/update" on "public"."thing" as permissive for update to "golden_presets_changer" using (true) with check (true);
create policy "rowgate/mixed_list/insert" on "public"."thing" as permissive for insert to "golden_presets_mixed_list" with check (true);
create policy "rowgate/other/insert" on "public"."thing" as permissive for insert to "golden_presets_other" with check (true);
create trigger "!rowgate/preset" before insert or update on "public"."thing" for each row execute function "rowgate_policy"."preset_d2ac593bdcb42c24"();
