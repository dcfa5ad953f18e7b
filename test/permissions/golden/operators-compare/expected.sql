alter table "public"."thing" enable row level security;
create function "rowgate_api"."may_update_04a584a69d841074"("k1" "pg_catalog"."int4") returns pg_catalog.bool
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  begin atomic
    select exists (select 1 from "public"."thing" as "r" where (r."id" operator("pg_catalog".=) "may_update_04a584a69d841074"."k1"::"pg_catalog"."int4") and ((select «v» is not null) and ("r"."n" operator("pg_catalog".=) (select «v»::"pg_catalog"."int4"))));
  end;
revoke all on function "rowgate_api"."may_update_04a584a69d841074"("pg_catalog"."int4") from public;
alter function "rowgate_api"."may_update_04a584a69d841074"("pg_catalog"."int4") owner to "golden_operators_compare_policy";
create function "rowgate_api"."may_update_39ea096b18095c51"("k1" "pg_catalog"."int4") returns pg_catalog.bool
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  begin atomic
    select exists (select 1 from "public"."thing" as "r" where (r."id" operator("pg_catalog".=) "may_update_39ea096b18095c51"."k1"::"pg_catalog"."int4") and ((select «v» is not null) and (("r"."n" operator("pg_catalog".<>) (select «v»::"pg_catalog"."int4")) or "r"."n" is null)));
  end;
revoke all on function "rowgate_api"."may_update_39ea096b18095c51"("pg_catalog"."int4") from public;
alter function "rowgate_api"."may_update_39ea096b18095c51"("pg_catalog"."int4") owner to "golden_operators_compare_policy";
create function "rowgate_api"."may_update_1989dc4147f89e03"("k1" "pg_catalog"."int4") returns pg_catalog.bool
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  begin atomic
    select exists (select 1 from "public"."thing" as "r" where (r."id" operator("pg_catalog".=) "may_update_1989dc4147f89e03"."k1"::"pg_catalog"."int4") and ((select «v» is not null) and ("r"."n" operator("pg_catalog".>) (select «v»::"pg_catalog"."int4"))));
  end;
revoke all on function "rowgate_api"."may_update_1989dc4147f89e03"("pg_catalog"."int4") from public;
alter function "rowgate_api"."may_update_1989dc4147f89e03"("pg_catalog"."int4") owner to "golden_operators_compare_policy";
create function "rowgate_api"."may_update_627b6f4a17f5732f"("k1" "pg_catalog"."int4") returns pg_catalog.bool
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  begin atomic
    select exists (select 1 from "public"."thing" as "r" where (r."id" operator("pg_catalog".=) "may_update_627b6f4a17f5732f"."k1"::"pg_catalog"."int4") and ((select «v» is not null) and ("r"."n" operator("pg_catalog".>=) (select «v»::"pg_catalog"."int4"))));
  end;
revoke all on function "rowgate_api"."may_update_627b6f4a17f5732f"("pg_catalog"."int4") from public;
alter function "rowgate_api"."may_update_627b6f4a17f5732f"("pg_catalog"."int4") owner to "golden_operators_compare_policy";
create function "rowgate_api"."may_update_e0bb288dd370cdf4"("k1" "pg_catalog"."int4") returns pg_catalog.bool
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  begin atomic
    select exists (select 1 from "public"."thing" as "r" where (r."id" operator("pg_catalog".=) "may_update_e0bb288dd370cdf4"."k1"::"pg_catalog"."int4") and ((select «v» is not null) and ("r"."n" operator("pg_catalog".<) (select «v»::"pg_catalog"."int4"))));
  end;
revoke all on function "rowgate_api"."may_update_e0bb288dd370cdf4"("pg_catalog"."int4") from public;
alter function "rowgate_api"."may_update_e0bb288dd370cdf4"("pg_catalog"."int4") owner to "golden_operators_compare_policy";
create function "rowgate_api"."may_update_f06e6e9640629bd9"("k1" "pg_catalog"."int4") returns pg_catalog.bool
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  begin atomic
    select exists (select 1 from "public"."thing" as "r" where (r."id" operator("pg_catalog".=) "may_update_f06e6e9640629bd9"."k1"::"pg_catalog"."int4") and ((select «v» is not null) and ("r"."n" operator("pg_catalog".<=) (select «v»::"pg_catalog"."int4"))));
  end;
revoke all on function "rowgate_api"."may_update_f06e6e9640629bd9"("pg_catalog"."int4") from public;
alter function "rowgate_api"."may_update_f06e6e9640629bd9"("pg_catalog"."int4") owner to "golden_operators_compare_policy";
create function "rowgate_api"."may_update_f76544197c3b705e"("k1" "pg_catalog"."int4") returns pg_catalog.bool
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  begin atomic
    select exists (select 1 from "public"."thing" as "r" where (r."id" operator("pg_catalog".=) "may_update_f76544197c3b705e"."k1"::"pg_catalog"."int4") and ((select «v» is not null) and ("r"."n" operator("pg_catalog".=) any ((select «v»::"pg_catalog"."_int4")::"pg_catalog"."_int4"))));
  end;
revoke all on function "rowgate_api"."may_update_f76544197c3b705e"("pg_catalog"."int4") from public;
alter function "rowgate_api"."may_update_f76544197c3b705e"("pg_catalog"."int4") owner to "golden_operators_compare_policy";
create function "rowgate_api"."may_update_bd69f5f39a2b7c94"("k1" "pg_catalog"."int4") returns pg_catalog.bool
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  begin atomic
    select exists (select 1 from "public"."thing" as "r" where (r."id" operator("pg_catalog".=) "may_update_bd69f5f39a2b7c94"."k1"::"pg_catalog"."int4") and ((select «v» is not null) and ("r"."n" operator("pg_catalog".<>) all ((select «v»::"pg_catalog"."_int4")::"pg_catalog"."_int4"))));
  end;
revoke all on function "rowgate_api"."may_update_bd69f5f39a2b7c94"("pg_catalog"."int4") from public;
alter function "rowgate_api"."may_update_bd69f5f39a2b7c94"("pg_catalog"."int4") owner to "golden_operators_compare_policy";
grant select ("id") on "public"."thing" to "golden_operators_compare_eq";
grant insert ("id", "n") on "public"."thing" to "golden_operators_compare_eq";
grant update ("id") on "public"."thing" to "golden_operators_compare_eq";
grant delete on "public"."thing" to "golden_operators_compare_eq";
grant select ("id") on "public"."thing" to "golden_operators_compare_eq_fixed";
grant select ("id") on "public"."thing" to "golden_operators_compare_neq";
grant insert ("id", "n") on "public"."thing" to "golden_operators_compare_neq";
grant update ("id") on "public"."thing" to "golden_operators_compare_neq";
grant delete on "public"."thing" to "golden_operators_compare_neq";
grant select ("id") on "public"."thing" to "golden_operators_compare_neq_fixed";
grant select ("id") on "public"."thing" to "golden_operators_compare_gt";
grant insert ("id", "n") on "public"."thing" to "golden_operators_compare_gt";
grant update ("id") on "public"."thing" to "golden_operators_compare_gt";
grant delete on "public"."thing" to "golden_operators_compare_gt";
grant select ("id") on "public"."thing" to "golden_operators_compare_gt_fixed";
grant select ("id") on "public"."thing" to "golden_operators_compare_gte";
grant insert ("id", "n") on "public"."thing" to "golden_operators_compare_gte";
grant update ("id") on "public"."thing" to "golden_operators_compare_gte";
grant delete on "public"."thing" to "golden_operators_compare_gte";
grant select ("id") on "public"."thing" to "golden_operators_compare_gte_fixed";
grant select ("id") on "public"."thing" to "golden_operators_compare_lt";
grant insert ("id", "n") on "public"."thing" to "golden_operators_compare_lt";
grant update ("id") on "public"."thing" to "golden_operators_compare_lt";
grant delete on "public"."thing" to "golden_operators_compare_lt";
grant select ("id") on "public"."thing" to "golden_operators_compare_lt_fixed";
grant select ("id") on "public"."thing" to "golden_operators_compare_lte";
grant insert ("id", "n") on "public"."thing" to "golden_operators_compare_lte";
grant update ("id") on "public"."thing" to "golden_operators_compare_lte";
grant delete on "public"."thing" to "golden_operators_compare_lte";
grant select ("id") on "public"."thing" to "golden_operators_compare_lte_fixed";
grant select ("id") on "public"."thing" to "golden_operators_compare_in";
grant insert ("id", "n") on "public"."thing" to "golden_operators_compare_in";
grant update ("id") on "public"."thing" to "golden_operators_compare_in";
grant delete on "public"."thing" to "golden_operators_compare_in";
grant select ("id") on "public"."thing" to "golden_operators_compare_in_fixed";
grant select ("id") on "public"."thing" to "golden_operators_compare_nin";
grant insert ("id", "n") on "public"."thing" to "golden_operators_compare_nin";
grant update ("id") on "public"."thing" to "golden_operators_compare_nin";
grant delete on "public"."thing" to "golden_operators_compare_nin";
grant select ("id") on "public"."thing" to "golden_operators_compare_nin_fixed";
grant select ("id", "n") on "public"."thing" to "golden_operators_compare_policy";
create policy "rowgate/eq/select" on "public"."thing" as permissive for select to "golden_operators_compare_eq" using (((select «v» is not null) and ("thing"."n" operator("pg_catalog".=) (select «v»::"pg_catalog"."int4"))));
create policy "rowgate/eq/insert" on "public"."thing" as permissive for insert to "golden_operators_compare_eq" with check (((select «v» is not null) and ("thing"."n" operator("pg_catalog".=) (select «v»::"pg_catalog"."int4"))));
create policy "rowgate/eq/update" on "public"."thing" as permissive for update to "golden_operators_compare_eq" using (((select «v» is not null) and ("thing"."n" operator("pg_catalog".=) (select «v»::"pg_catalog"."int4")))) with check (true);
create policy "rowgate/eq/delete" on "public"."thing" as permissive for delete to "golden_operators_compare_eq" using (((select «v» is not null) and ("thing"."n" operator("pg_catalog".=) (select «v»::"pg_catalog"."int4"))));
create policy "rowgate/eq_fixed/select" on "public"."thing" as permissive for select to "golden_operators_compare_eq_fixed" using (("thing"."n" operator("pg_catalog".=) '2'::"pg_catalog"."int4"));
create policy "rowgate/neq/select" on "public"."thing" as permissive for select to "golden_operators_compare_neq" using (((select «v» is not null) and (("thing"."n" operator("pg_catalog".<>) (select «v»::"pg_catalog"."int4")) or "thing"."n" is null)));
create policy "rowgate/neq/insert" on "public"."thing" as permissive for insert to "golden_operators_compare_neq" with check (((select «v» is not null) and (("thing"."n" operator("pg_catalog".<>) (select «v»::"pg_catalog"."int4")) or "thing"."n" is null)));
create policy "rowgate/neq/update" on "public"."thing" as permissive for update to "golden_operators_compare_neq" using (((select «v» is not null) and (("thing"."n" operator("pg_catalog".<>) (select «v»::"pg_catalog"."int4")) or "thing"."n" is null))) with check (true);
create policy "rowgate/neq/delete" on "public"."thing" as permissive for delete to "golden_operators_compare_neq" using (((select «v» is not null) and (("thing"."n" operator("pg_catalog".<>) (select «v»::"pg_catalog"."int4")) or "thing"."n" is null)));
create policy "rowgate/neq_fixed/select" on "public"."thing" as permissive for select to "golden_operators_compare_neq_fixed" using ((("thing"."n" operator("pg_catalog".<>) '2'::"pg_catalog"."int4") or "thing"."n" is null));
create policy "rowgate/gt/select" on "public"."thing" as permissive for select to "golden_operators_compare_gt" using (((select «v» is not null) and ("thing"."n" operator("pg_catalog".>) (select «v»::"pg_catalog"."int4"))));
create policy "rowgate/gt/insert" on "public"."thing" as permissive for insert to "golden_operators_compare_gt" with check (((select «v» is not null) and ("thing"."n" operator("pg_catalog".>) (select «v»::"pg_catalog"."int4"))));
create policy "rowgate/gt/update" on "public"."thing" as permissive for update to "golden_operators_compare_gt" using (((select «v» is not null) and ("thing"."n" operator("pg_catalog".>) (select «v»::"pg_catalog"."int4")))) with check (true);
create policy "rowgate/gt/delete" on "public"."thing" as permissive for delete to "golden_operators_compare_gt" using (((select «v» is not null) and ("thing"."n" operator("pg_catalog".>) (select «v»::"pg_catalog"."int4"))));
create policy "rowgate/gt_fixed/select" on "public"."thing" as permissive for select to "golden_operators_compare_gt_fixed" using (("thing"."n" operator("pg_catalog".>) '2'::"pg_catalog"."int4"));
create policy "rowgate/gte/select" on "public"."thing" as permissive for select to "golden_operators_compare_gte" using (((select «v» is not null) and ("thing"."n" operator("pg_catalog".>=) (select «v»::"pg_catalog"."int4"))));
create policy "rowgate/gte/insert" on "public"."thing" as permissive for insert to "golden_operators_compare_gte" with check (((select «v» is not null) and ("thing"."n" operator("pg_catalog".>=) (select «v»::"pg_catalog"."int4"))));
create policy "rowgate/gte/update" on "public"."thing" as permissive for update to "golden_operators_compare_gte" using (((select «v» is not null) and ("thing"."n" operator("pg_catalog".>=) (select «v»::"pg_catalog"."int4")))) with check (true);
create policy "rowgate/gte/delete" on "public"."thing" as permissive for delete to "golden_operators_compare_gte" using (((select «v» is not null) and ("thing"."n" operator("pg_catalog".>=) (select «v»::"pg_catalog"."int4"))));
create policy "rowgate/gte_fixed/select" on "public"."thing" as permissive for select to "golden_operators_compare_gte_fixed" using (("thing"."n" operator("pg_catalog".>=) '2'::"pg_catalog"."int4"));
create policy "rowgate/lt/select" on "public"."thing" as permissive for select to "golden_operators_compare_lt" using (((select «v» is not null) and ("thing"."n" operator("pg_catalog".<) (select «v»::"pg_catalog"."int4"))));
create policy "rowgate/lt/insert" on "public"."thing" as permissive for insert to "golden_operators_compare_lt" with check (((select «v» is not null) and ("thing"."n" operator("pg_catalog".<) (select «v»::"pg_catalog"."int4"))));
create policy "rowgate/lt/update" on "public"."thing" as permissive for update to "golden_operators_compare_lt" using (((select «v» is not null) and ("thing"."n" operator("pg_catalog".<) (select «v»::"pg_catalog"."int4")))) with check (true);
create policy "rowgate/lt/delete" on "public"."thing" as permissive for delete to "golden_operators_compare_lt" using (((select «v» is not null) and ("thing"."n" operator("pg_catalog".<) (select «v»::"pg_catalog"."int4"))));
create policy "rowgate/lt_fixed/select" on "public"."thing" as permissive for select to "golden_operators_compare_lt_fixed" using (("thing"."n" operator("pg_catalog".<) '2'::"pg_catalog"."int4"));
create policy "rowgate/lte/select" on "public"."thing" as permissive for select to "golden_operators_compare_lte" using (((select «v» is not null) and ("thing"."n" operator("pg_catalog".<=) (select «v»::"pg_catalog"."int4"))));
create policy "rowgate/lte/insert" on "public"."thing" as permissive for insert to "golden_operators_compare_lte" with check (((select «v» is not null) and ("thing"."n" operator("pg_catalog".<=) (select «v»::"pg_catalog"."int4"))));
create policy "rowgate/lte/update" on "public"."thing" as permissive for update to "golden_operators_compare_lte" using (((select «v» is not null) and ("thing"."n" operator("pg_catalog".<=) (select «v»::"pg_catalog"."int4")))) with check (true);
create policy "rowgate/lte/delete" on "public"."thing" as permissive for delete to "golden_operators_compare_lte" using (((select «v» is not null) and ("thing"."n" operator("pg_catalog".<=) (select «v»::"pg_catalog"."int4"))));
create policy "rowgate/lte_fixed/select" on "public"."thing" as permissive for select to "golden_operators_compare_lte_fixed" using (("thing"."n" operator("pg_catalog".<=) '2'::"pg_catalog"."int4"));
create policy "rowgate/in/select" on "public"."thing" as permissive for select to "golden_operators_compare_in" using (((select «v» is not null) and ("thing"."n" operator("pg_catalog".=) any ((select «v»::"pg_catalog"."_int4")::"pg_catalog"."_int4"))));
create policy "rowgate/in/insert" on "public"."thing" as permissive for insert to "golden_operators_compare_in" with check (((select «v» is not null) and ("thing"."n" operator("pg_catalog".=) any ((select «v»::"pg_catalog"."_int4")::"pg_catalog"."_int4"))));
create policy "rowgate/in/update" on "public"."thing" as permissive for update to "golden_operators_compare_in" using (((select «v» is not null) and ("thing"."n" operator("pg_catalog".=) any ((select «v»::"pg_catalog"."_int4")::"pg_catalog"."_int4")))) with check (true);
create policy "rowgate/in/delete" on "public"."thing" as permissive for delete to "golden_operators_compare_in" using (((select «v» is not null) and ("thing"."n" operator("pg_catalog".=) any ((select «v»::"pg_catalog"."_int4")::"pg_catalog"."_int4"))));
create policy "rowgate/in_fixed/select" on "public"."thing" as permissive for select to "golden_operators_compare_in_fixed" using (("thing"."n" operator("pg_catalog".=) any ('{"1","3"}'::"pg_catalog"."_int4")));
create policy "rowgate/nin/select" on "public"."thing" as permissive for select to "golden_operators_compare_nin" using (((select «v» is not null) and ("thing"."n" operator("pg_catalog".<>) all ((select «v»::"pg_catalog"."_int4")::"pg_catalog"."_int4"))));
create policy "rowgate/nin/insert" on "public"."thing" as permissive for insert to "golden_operators_compare_nin" with check (((select «v» is not null) and ("thing"."n" operator("pg_catalog".<>) all ((select «v»::"pg_catalog"."_int4")::"pg_catalog"."_int4"))));
create policy "rowgate/nin/update" on "public"."thing" as permissive for update to "golden_operators_compare_nin" using (((select «v» is not null) and ("thing"."n" operator("pg_catalog".<>) all ((select «v»::"pg_catalog"."_int4")::"pg_catalog"."_int4")))) with check (true);
create policy "rowgate/nin/delete" on "public"."thing" as permissive for delete to "golden_operators_compare_nin" using (((select «v» is not null) and ("thing"."n" operator("pg_catalog".<>) all ((select «v»::"pg_catalog"."_int4")::"pg_catalog"."_int4"))));
create policy "rowgate/nin_fixed/select" on "public"."thing" as permissive for select to "golden_operators_compare_nin_fixed" using (("thing"."n" operator("pg_catalog".<>) all ('{"1","3"}'::"pg_catalog"."_int4")));
create policy "rowgate/policy/select" on "public"."thing" as permissive for select to "golden_operators_compare_policy" using (true);
