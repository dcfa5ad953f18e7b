alter table "public"."thing" enable row level security;
create function "rowgate_api"."may_update_89103774c2381651"("k1" "pg_catalog"."int4") returns pg_catalog.bool
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  begin atomic
    select exists (select 1 from "public"."thing" as "r" where (r."id" operator("pg_catalog".=) "may_update_89103774c2381651"."k1"::"pg_catalog"."int4") and ((select «v» is not null) and ("r"."tags" operator("pg_catalog".@>) (select «v»::"pg_catalog"."_text")::"pg_catalog"."_text")));
  end;
revoke all on function "rowgate_api"."may_update_89103774c2381651"("pg_catalog"."int4") from public;
alter function "rowgate_api"."may_update_89103774c2381651"("pg_catalog"."int4") owner to "golden_operators_array_policy";
create function "rowgate_api"."may_update_445eaff8c8c2edaf"("k1" "pg_catalog"."int4") returns pg_catalog.bool
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  begin atomic
    select exists (select 1 from "public"."thing" as "r" where (r."id" operator("pg_catalog".=) "may_update_445eaff8c8c2edaf"."k1"::"pg_catalog"."int4") and ((select «v» is not null) and ("r"."tags" operator("pg_catalog".<@) (select «v»::"pg_catalog"."_text")::"pg_catalog"."_text")));
  end;
revoke all on function "rowgate_api"."may_update_445eaff8c8c2edaf"("pg_catalog"."int4") from public;
alter function "rowgate_api"."may_update_445eaff8c8c2edaf"("pg_catalog"."int4") owner to "golden_operators_array_policy";
create function "rowgate_api"."may_update_7362dddfcd5de1fa"("k1" "pg_catalog"."int4") returns pg_catalog.bool
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  begin atomic
    select exists (select 1 from "public"."thing" as "r" where (r."id" operator("pg_catalog".=) "may_update_7362dddfcd5de1fa"."k1"::"pg_catalog"."int4") and ((select «v» is not null) and ("r"."tags" operator("pg_catalog".=) (select «v»::"pg_catalog"."_text")::"pg_catalog"."_text")));
  end;
revoke all on function "rowgate_api"."may_update_7362dddfcd5de1fa"("pg_catalog"."int4") from public;
alter function "rowgate_api"."may_update_7362dddfcd5de1fa"("pg_catalog"."int4") owner to "golden_operators_array_policy";
create function "rowgate_api"."may_update_7d7a44685f242a8d"("k1" "pg_catalog"."int4") returns pg_catalog.bool
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  begin atomic
    select exists (select 1 from "public"."thing" as "r" where (r."id" operator("pg_catalog".=) "may_update_7d7a44685f242a8d"."k1"::"pg_catalog"."int4") and ((select «v» is not null) and (("r"."tags" operator("pg_catalog".<>) (select «v»::"pg_catalog"."_text")::"pg_catalog"."_text") or "r"."tags" is null)));
  end;
revoke all on function "rowgate_api"."may_update_7d7a44685f242a8d"("pg_catalog"."int4") from public;
alter function "rowgate_api"."may_update_7d7a44685f242a8d"("pg_catalog"."int4") owner to "golden_operators_array_policy";
create function "rowgate_api"."may_update_a1959b7febb2c1b5"("k1" "pg_catalog"."int4") returns pg_catalog.bool
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  begin atomic
    select exists (select 1 from "public"."thing" as "r" where (r."id" operator("pg_catalog".=) "may_update_a1959b7febb2c1b5"."k1"::"pg_catalog"."int4") and ((select «v» is not null) and ("r"."tags" operator("pg_catalog".>) (select «v»::"pg_catalog"."_text")::"pg_catalog"."_text")));
  end;
revoke all on function "rowgate_api"."may_update_a1959b7febb2c1b5"("pg_catalog"."int4") from public;
alter function "rowgate_api"."may_update_a1959b7febb2c1b5"("pg_catalog"."int4") owner to "golden_operators_array_policy";
grant select ("id") on "public"."thing" to "golden_operators_array_contains";
grant insert ("id", "tags") on "public"."thing" to "golden_operators_array_contains";
grant update ("id") on "public"."thing" to "golden_operators_array_contains";
grant delete on "public"."thing" to "golden_operators_array_contains";
grant select ("id") on "public"."thing" to "golden_operators_array_contains_fixed";
grant select ("id") on "public"."thing" to "golden_operators_array_contained_in";
grant insert ("id", "tags") on "public"."thing" to "golden_operators_array_contained_in";
grant update ("id") on "public"."thing" to "golden_operators_array_contained_in";
grant delete on "public"."thing" to "golden_operators_array_contained_in";
grant select ("id") on "public"."thing" to "golden_operators_array_contained_in_fixed";
grant select ("id") on "public"."thing" to "golden_operators_array_eq";
grant insert ("id", "tags") on "public"."thing" to "golden_operators_array_eq";
grant update ("id") on "public"."thing" to "golden_operators_array_eq";
grant delete on "public"."thing" to "golden_operators_array_eq";
grant select ("id") on "public"."thing" to "golden_operators_array_eq_fixed";
grant select ("id") on "public"."thing" to "golden_operators_array_neq";
grant insert ("id", "tags") on "public"."thing" to "golden_operators_array_neq";
grant update ("id") on "public"."thing" to "golden_operators_array_neq";
grant delete on "public"."thing" to "golden_operators_array_neq";
grant select ("id") on "public"."thing" to "golden_operators_array_neq_fixed";
grant select ("id") on "public"."thing" to "golden_operators_array_gt";
grant insert ("id", "tags") on "public"."thing" to "golden_operators_array_gt";
grant update ("id") on "public"."thing" to "golden_operators_array_gt";
grant delete on "public"."thing" to "golden_operators_array_gt";
grant select ("id") on "public"."thing" to "golden_operators_array_gt_fixed";
grant select ("id", "tags") on "public"."thing" to "golden_operators_array_policy";
create policy "rowgate/contains/select" on "public"."thing" as permissive for select to "golden_operators_array_contains" using (((select «v» is not null) and ("thing"."tags" operator("pg_catalog".@>) (select «v»::"pg_catalog"."_text")::"pg_catalog"."_text")));
create policy "rowgate/contains/insert" on "public"."thing" as permissive for insert to "golden_operators_array_contains" with check (((select «v» is not null) and ("thing"."tags" operator("pg_catalog".@>) (select «v»::"pg_catalog"."_text")::"pg_catalog"."_text")));
create policy "rowgate/contains/update" on "public"."thing" as permissive for update to "golden_operators_array_contains" using (((select «v» is not null) and ("thing"."tags" operator("pg_catalog".@>) (select «v»::"pg_catalog"."_text")::"pg_catalog"."_text"))) with check (true);
create policy "rowgate/contains/delete" on "public"."thing" as permissive for delete to "golden_operators_array_contains" using (((select «v» is not null) and ("thing"."tags" operator("pg_catalog".@>) (select «v»::"pg_catalog"."_text")::"pg_catalog"."_text")));
create policy "rowgate/contains_fixed/select" on "public"."thing" as permissive for select to "golden_operators_array_contains_fixed" using (("thing"."tags" operator("pg_catalog".@>) '{"red"}'::"pg_catalog"."_text"));
create policy "rowgate/contained_in/select" on "public"."thing" as permissive for select to "golden_operators_array_contained_in" using (((select «v» is not null) and ("thing"."tags" operator("pg_catalog".<@) (select «v»::"pg_catalog"."_text")::"pg_catalog"."_text")));
create policy "rowgate/contained_in/insert" on "public"."thing" as permissive for insert to "golden_operators_array_contained_in" with check (((select «v» is not null) and ("thing"."tags" operator("pg_catalog".<@) (select «v»::"pg_catalog"."_text")::"pg_catalog"."_text")));
create policy "rowgate/contained_in/update" on "public"."thing" as permissive for update to "golden_operators_array_contained_in" using (((select «v» is not null) and ("thing"."tags" operator("pg_catalog".<@) (select «v»::"pg_catalog"."_text")::"pg_catalog"."_text"))) with check (true);
create policy "rowgate/contained_in/delete" on "public"."thing" as permissive for delete to "golden_operators_array_contained_in" using (((select «v» is not null) and ("thing"."tags" operator("pg_catalog".<@) (select «v»::"pg_catalog"."_text")::"pg_catalog"."_text")));
create policy "rowgate/contained_in_fixed/select" on "public"."thing" as permissive for select to "golden_operators_array_contained_in_fixed" using (("thing"."tags" operator("pg_catalog".<@) '{"red","blue"}'::"pg_catalog"."_text"));
create policy "rowgate/eq/select" on "public"."thing" as permissive for select to "golden_operators_array_eq" using (((select «v» is not null) and ("thing"."tags" operator("pg_catalog".=) (select «v»::"pg_catalog"."_text")::"pg_catalog"."_text")));
create policy "rowgate/eq/insert" on "public"."thing" as permissive for insert to "golden_operators_array_eq" with check (((select «v» is not null) and ("thing"."tags" operator("pg_catalog".=) (select «v»::"pg_catalog"."_text")::"pg_catalog"."_text")));
create policy "rowgate/eq/update" on "public"."thing" as permissive for update to "golden_operators_array_eq" using (((select «v» is not null) and ("thing"."tags" operator("pg_catalog".=) (select «v»::"pg_catalog"."_text")::"pg_catalog"."_text"))) with check (true);
create policy "rowgate/eq/delete" on "public"."thing" as permissive for delete to "golden_operators_array_eq" using (((select «v» is not null) and ("thing"."tags" operator("pg_catalog".=) (select «v»::"pg_catalog"."_text")::"pg_catalog"."_text")));
create policy "rowgate/eq_fixed/select" on "public"."thing" as permissive for select to "golden_operators_array_eq_fixed" using (("thing"."tags" operator("pg_catalog".=) '{"red"}'::"pg_catalog"."_text"));
create policy "rowgate/neq/select" on "public"."thing" as permissive for select to "golden_operators_array_neq" using (((select «v» is not null) and (("thing"."tags" operator("pg_catalog".<>) (select «v»::"pg_catalog"."_text")::"pg_catalog"."_text") or "thing"."tags" is null)));
create policy "rowgate/neq/insert" on "public"."thing" as permissive for insert to "golden_operators_array_neq" with check (((select «v» is not null) and (("thing"."tags" operator("pg_catalog".<>) (select «v»::"pg_catalog"."_text")::"pg_catalog"."_text") or "thing"."tags" is null)));
create policy "rowgate/neq/update" on "public"."thing" as permissive for update to "golden_operators_array_neq" using (((select «v» is not null) and (("thing"."tags" operator("pg_catalog".<>) (select «v»::"pg_catalog"."_text")::"pg_catalog"."_text") or "thing"."tags" is null))) with check (true);
create policy "rowgate/neq/delete" on "public"."thing" as permissive for delete to "golden_operators_array_neq" using (((select «v» is not null) and (("thing"."tags" operator("pg_catalog".<>) (select «v»::"pg_catalog"."_text")::"pg_catalog"."_text") or "thing"."tags" is null)));
create policy "rowgate/neq_fixed/select" on "public"."thing" as permissive for select to "golden_operators_array_neq_fixed" using ((("thing"."tags" operator("pg_catalog".<>) '{"red"}'::"pg_catalog"."_text") or "thing"."tags" is null));
create policy "rowgate/gt/select" on "public"."thing" as permissive for select to "golden_operators_array_gt" using (((select «v» is not null) and ("thing"."tags" operator("pg_catalog".>) (select «v»::"pg_catalog"."_text")::"pg_catalog"."_text")));
create policy "rowgate/gt/insert" on "public"."thing" as permissive for insert to "golden_operators_array_gt" with check (((select «v» is not null) and ("thing"."tags" operator("pg_catalog".>) (select «v»::"pg_catalog"."_text")::"pg_catalog"."_text")));
create policy "rowgate/gt/update" on "public"."thing" as permissive for update to "golden_operators_array_gt" using (((select «v» is not null) and ("thing"."tags" operator("pg_catalog".>) (select «v»::"pg_catalog"."_text")::"pg_catalog"."_text"))) with check (true);
create policy "rowgate/gt/delete" on "public"."thing" as permissive for delete to "golden_operators_array_gt" using (((select «v» is not null) and ("thing"."tags" operator("pg_catalog".>) (select «v»::"pg_catalog"."_text")::"pg_catalog"."_text")));
create policy "rowgate/gt_fixed/select" on "public"."thing" as permissive for select to "golden_operators_array_gt_fixed" using (("thing"."tags" operator("pg_catalog".>) '{"green"}'::"pg_catalog"."_text"));
create policy "rowgate/policy/select" on "public"."thing" as permissive for select to "golden_operators_array_policy" using (true);
