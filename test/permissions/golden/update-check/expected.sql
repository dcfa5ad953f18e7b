alter table "public"."made" enable row level security;
alter table "public"."thing" enable row level security;
create function "rowgate_policy"."preset_8618d6cd931f70a6"() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as 'begin
  if pg_catalog.row_security_active(tg_relid)
    or exists (select from pg_catalog.pg_partition_ancestors(tg_relid) as a where pg_catalog.row_security_active(a.relid)) then
    if tg_op operator(pg_catalog.=) ''UPDATE'' and pg_catalog.pg_has_role(current_user, ''golden_update_check_preset_column''::pg_catalog.name, ''USAGE''::pg_catalog.text) then
      new."status" := ''done''::"pg_catalog"."text";
    end if;
  end if;
  return new;
end';
revoke all on function "rowgate_policy"."preset_8618d6cd931f70a6"() from public;
grant select ("id", "org", "org_key") on "public"."made" to "golden_update_check_generated";
grant update ("org") on "public"."made" to "golden_update_check_generated";
grant select ("id", "org", "label", "status") on "public"."thing" to "golden_update_check_without_check";
grant update ("label") on "public"."thing" to "golden_update_check_without_check";
grant select ("id", "org", "label", "status") on "public"."thing" to "golden_update_check_filter_column";
grant update ("org", "label") on "public"."thing" to "golden_update_check_filter_column";
grant select ("id", "org", "label", "status") on "public"."thing" to "golden_update_check_with_check";
grant update ("label", "status") on "public"."thing" to "golden_update_check_with_check";
grant select ("id", "org", "label", "status") on "public"."thing" to "golden_update_check_empty_check";
grant update ("org") on "public"."thing" to "golden_update_check_empty_check";
grant select ("id", "org", "label", "status") on "public"."thing" to "golden_update_check_preset_column";
grant update ("label") on "public"."thing" to "golden_update_check_preset_column";
grant update ("label") on "public"."thing" to "golden_update_check_blind";
create policy "rowgate/generated/select" on "public"."made" as permissive for select to "golden_update_check_generated" using (true);
create policy "rowgate/generated/update" on "public"."made" as permissive for update to "golden_update_check_generated" using (((select «org» is not null) and ("made"."org_key" operator("pg_catalog".=) (select «org»::"pg_catalog"."text")))) with check (((select «org» is not null) and ("made"."org_key" operator("pg_catalog".=) (select «org»::"pg_catalog"."text"))));
create policy "rowgate/without_check/select" on "public"."thing" as permissive for select to "golden_update_check_without_check" using (true);
create policy "rowgate/without_check/update" on "public"."thing" as permissive for update to "golden_update_check_without_check" using (((select «org» is not null) and ("thing"."org" operator("pg_catalog".=) (select «org»::"pg_catalog"."int4")))) with check (true);
create policy "rowgate/filter_column/select" on "public"."thing" as permissive for select to "golden_update_check_filter_column" using (true);
create policy "rowgate/filter_column/update" on "public"."thing" as permissive for update to "golden_update_check_filter_column" using (((select «org» is not null) and ("thing"."org" operator("pg_catalog".=) (select «org»::"pg_catalog"."int4")))) with check (((select «org» is not null) and ("thing"."org" operator("pg_catalog".=) (select «org»::"pg_catalog"."int4"))));
create policy "rowgate/with_check/select" on "public"."thing" as permissive for select to "golden_update_check_with_check" using (true);
create policy "rowgate/with_check/update" on "public"."thing" as permissive for update to "golden_update_check_with_check" using (((select «org» is not null) and ("thing"."org" operator("pg_catalog".=) (select «org»::"pg_catalog"."int4")))) with check (("thing"."status" operator("pg_catalog".<>) 'locked'::"pg_catalog"."text"));
create policy "rowgate/empty_check/select" on "public"."thing" as permissive for select to "golden_update_check_empty_check" using (true);
create policy "rowgate/empty_check/update" on "public"."thing" as permissive for update to "golden_update_check_empty_check" using (((select «org» is not null) and ("thing"."org" operator("pg_catalog".=) (select «org»::"pg_catalog"."int4")))) with check (true);
create policy "rowgate/preset_column/select" on "public"."thing" as permissive for select to "golden_update_check_preset_column" using (true);
create policy "rowgate/preset_column/update" on "public"."thing" as permissive for update to "golden_update_check_preset_column" using (("thing"."status" operator("pg_catalog".=) 'draft'::"pg_catalog"."text")) with check (("thing"."status" operator("pg_catalog".=) 'draft'::"pg_catalog"."text"));
create policy "rowgate/blind/update" on "public"."thing" as permissive for update to "golden_update_check_blind" using (((select «org» is not null) and ("thing"."org" operator("pg_catalog".=) (select «org»::"pg_catalog"."int4")))) with check (true);
create trigger "!rowgate/preset" before insert or update on "public"."thing" for each row execute function "rowgate_policy"."preset_8618d6cd931f70a6"();
