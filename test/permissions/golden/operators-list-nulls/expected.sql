alter table "public"."thing" enable row level security;
create function "rowgate_api"."may_update_fa64966d3bf442a8"("k1" "pg_catalog"."int4") returns pg_catalog.bool
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  begin atomic
    select exists (select 1 from "public"."thing" as "r" where (r."id" operator("pg_catalog".=) "may_update_fa64966d3bf442a8"."k1"::"pg_catalog"."int4") and ((select «v» is not null) and ("r"."n" operator("pg_catalog".=) any ((select «v»::"pg_catalog"."_uuid")::"pg_catalog"."_uuid"))));
  end;
revoke all on function "rowgate_api"."may_update_fa64966d3bf442a8"("pg_catalog"."int4") from public;
alter function "rowgate_api"."may_update_fa64966d3bf442a8"("pg_catalog"."int4") owner to "golden_operators_list_nulls_policy";
create function "rowgate_api"."may_update_9c843f400860791d"("k1" "pg_catalog"."int4") returns pg_catalog.bool
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  begin atomic
    select exists (select 1 from "public"."thing" as "r" where (r."id" operator("pg_catalog".=) "may_update_9c843f400860791d"."k1"::"pg_catalog"."int4") and ((select «v» is not null) and ("r"."n" operator("pg_catalog".<>) all ((select «v»::"pg_catalog"."_uuid")::"pg_catalog"."_uuid"))));
  end;
revoke all on function "rowgate_api"."may_update_9c843f400860791d"("pg_catalog"."int4") from public;
alter function "rowgate_api"."may_update_9c843f400860791d"("pg_catalog"."int4") owner to "golden_operators_list_nulls_policy";
grant select ("id") on "public"."thing" to "golden_operators_list_nulls_in";
grant insert ("id", "n") on "public"."thing" to "golden_operators_list_nulls_in";
grant update ("id") on "public"."thing" to "golden_operators_list_nulls_in";
grant delete on "public"."thing" to "golden_operators_list_nulls_in";
grant select ("id") on "public"."thing" to "golden_operators_list_nulls_in_fixed";
grant select ("id") on "public"."thing" to "golden_operators_list_nulls_nin";
grant insert ("id", "n") on "public"."thing" to "golden_operators_list_nulls_nin";
grant update ("id") on "public"."thing" to "golden_operators_list_nulls_nin";
grant delete on "public"."thing" to "golden_operators_list_nulls_nin";
grant select ("id") on "public"."thing" to "golden_operators_list_nulls_nin_fixed";
grant select ("id", "n") on "public"."thing" to "golden_operators_list_nulls_policy";
create policy "rowgate/in/select" on "public"."thing" as permissive for select to "golden_operators_list_nulls_in" using (((select «v» is not null) and ("thing"."n" operator("pg_catalog".=) any ((select «v»::"pg_catalog"."_uuid")::"pg_catalog"."_uuid"))));
create policy "rowgate/in/insert" on "public"."thing" as permissive for insert to "golden_operators_list_nulls_in" with check (((select «v» is not null) and ("thing"."n" operator("pg_catalog".=) any ((select «v»::"pg_catalog"."_uuid")::"pg_catalog"."_uuid"))));
create policy "rowgate/in/update" on "public"."thing" as permissive for update to "golden_operators_list_nulls_in" using (((select «v» is not null) and ("thing"."n" operator("pg_catalog".=) any ((select «v»::"pg_catalog"."_uuid")::"pg_catalog"."_uuid")))) with check (true);
create policy "rowgate/in/delete" on "public"."thing" as permissive for delete to "golden_operators_list_nulls_in" using (((select «v» is not null) and ("thing"."n" operator("pg_catalog".=) any ((select «v»::"pg_catalog"."_uuid")::"pg_catalog"."_uuid"))));
create policy "rowgate/in_fixed/select" on "public"."thing" as permissive for select to "golden_operators_list_nulls_in_fixed" using (("thing"."n" operator("pg_catalog".=) any ('{"00000000-0000-4000-8000-000000000001"}'::"pg_catalog"."_uuid")));
create policy "rowgate/nin/select" on "public"."thing" as permissive for select to "golden_operators_list_nulls_nin" using (((select «v» is not null) and ("thing"."n" operator("pg_catalog".<>) all ((select «v»::"pg_catalog"."_uuid")::"pg_catalog"."_uuid"))));
create policy "rowgate/nin/insert" on "public"."thing" as permissive for insert to "golden_operators_list_nulls_nin" with check (((select «v» is not null) and ("thing"."n" operator("pg_catalog".<>) all ((select «v»::"pg_catalog"."_uuid")::"pg_catalog"."_uuid"))));
create policy "rowgate/nin/update" on "public"."thing" as permissive for update to "golden_operators_list_nulls_nin" using (((select «v» is not null) and ("thing"."n" operator("pg_catalog".<>) all ((select «v»::"pg_catalog"."_uuid")::"pg_catalog"."_uuid")))) with check (true);
create policy "rowgate/nin/delete" on "public"."thing" as permissive for delete to "golden_operators_list_nulls_nin" using (((select «v» is not null) and ("thing"."n" operator("pg_catalog".<>) all ((select «v»::"pg_catalog"."_uuid")::"pg_catalog"."_uuid"))));
create policy "rowgate/nin_fixed/select" on "public"."thing" as permissive for select to "golden_operators_list_nulls_nin_fixed" using (("thing"."n" operator("pg_catalog".<>) all ('{"00000000-0000-4000-8000-000000000001"}'::"pg_catalog"."_uuid")));
create policy "rowgate/policy/select" on "public"."thing" as permissive for select to "golden_operators_list_nulls_policy" using (true);
