alter table "public"."org" enable row level security;
alter table "public"."thing" enable row level security;
create view "rowgate_api"."rows_fa83606110be8646" with (security_barrier) as select "r"."id" as "id", case when ((select «org_id» is not null) and ("r"."org_id" operator("pg_catalog".=) (select «org_id»::"pg_catalog"."int4"))) then "r"."org_id" end as "org_id", "r"."label" as "label", case when ((select «user_id» is not null) and ("r"."owner" operator("pg_catalog".=) (select «user_id»::"pg_catalog"."int4"))) then "r"."secret" end as "secret", "r"."org_id" as "org_id~" from "public"."thing" as "r" where (((select «org_id» is not null) and ("r"."org_id" operator("pg_catalog".=) (select «org_id»::"pg_catalog"."int4"))) or ((select «user_id» is not null) and ("r"."owner" operator("pg_catalog".=) (select «user_id»::"pg_catalog"."int4"))));
alter view "rowgate_api"."rows_fa83606110be8646" owner to "golden_inherited_policy";
create view "rowgate_api"."rows_b3c97918c3173463" with (security_barrier) as select case when (((select «org_id» is not null) and ("r"."org_id" operator("pg_catalog".=) (select «org_id»::"pg_catalog"."int4"))) or ((select «user_id» is not null) and ("r"."owner" operator("pg_catalog".=) (select «user_id»::"pg_catalog"."int4")))) then "r"."id" end as "id", case when ((select «org_id» is not null) and ("r"."org_id" operator("pg_catalog".=) (select «org_id»::"pg_catalog"."int4"))) then "r"."org_id" end as "org_id", "r"."label" as "label", case when ((select «user_id» is not null) and ("r"."owner" operator("pg_catalog".=) (select «user_id»::"pg_catalog"."int4"))) then "r"."secret" end as "secret", case when (((select «org_id» is not null) and ("r"."org_id" operator("pg_catalog".=) (select «org_id»::"pg_catalog"."int4"))) or ((select «user_id» is not null) and ("r"."owner" operator("pg_catalog".=) (select «user_id»::"pg_catalog"."int4")))) then "r"."org_id" end as "org_id~" from "public"."thing" as "r" where ((("r"."label" operator("pg_catalog".<>) 'c'::"pg_catalog"."text") or "r"."label" is null) or ((select «org_id» is not null) and ("r"."org_id" operator("pg_catalog".=) (select «org_id»::"pg_catalog"."int4"))) or ((select «user_id» is not null) and ("r"."owner" operator("pg_catalog".=) (select «user_id»::"pg_catalog"."int4"))));
alter view "rowgate_api"."rows_b3c97918c3173463" owner to "golden_inherited_policy";
create function "rowgate_api"."may_update_a76b4e05f249fa44"("k1" "pg_catalog"."int4") returns pg_catalog.bool
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  begin atomic
    select exists (select 1 from "public"."thing" as "r" where (r."id" operator("pg_catalog".=) "may_update_a76b4e05f249fa44"."k1"::"pg_catalog"."int4") and ((select «user_id» is not null) and ("r"."owner" operator("pg_catalog".=) (select «user_id»::"pg_catalog"."int4"))));
  end;
revoke all on function "rowgate_api"."may_update_a76b4e05f249fa44"("pg_catalog"."int4") from public;
alter function "rowgate_api"."may_update_a76b4e05f249fa44"("pg_catalog"."int4") owner to "golden_inherited_policy";
create function "rowgate_api"."may_see_bd3980918708a60b"("k1" "pg_catalog"."int4") returns pg_catalog.bool
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  begin atomic
    select exists (select 1 from "public"."thing" as "r" where (r."id" operator("pg_catalog".=) "may_see_bd3980918708a60b"."k1"::"pg_catalog"."int4") and ((("r"."label" operator("pg_catalog".<>) 'c'::"pg_catalog"."text") or "r"."label" is null) or ((select «org_id» is not null) and ("r"."org_id" operator("pg_catalog".=) (select «org_id»::"pg_catalog"."int4"))) or ((select «user_id» is not null) and ("r"."owner" operator("pg_catalog".=) (select «user_id»::"pg_catalog"."int4")))));
  end;
revoke all on function "rowgate_api"."may_see_bd3980918708a60b"("pg_catalog"."int4") from public;
alter function "rowgate_api"."may_see_bd3980918708a60b"("pg_catalog"."int4") owner to "golden_inherited_policy";
create function "rowgate_api"."in_the_way_d18ea6cec68f3853"("k1" "pg_catalog"."int4") returns pg_catalog.refcursor
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  set enable_partition_pruning = off
  set constraint_exclusion = off
  as '
declare
  rowgate_rows pg_catalog.refcursor := ''rowgate_rows'';
begin
  if not pg_catalog.pg_has_role(session_user, ''golden_inherited_gateway''::pg_catalog.name, ''MEMBER''::pg_catalog.text) then
    return null;
  end if;
  if "k1" is null then
    return null;
  end if;
  <<kept>>
  declare
    "k1" "public"."thing"."id"%type := "in_the_way_d18ea6cec68f3853"."k1";
  begin
    open rowgate_rows no scroll for select "rowgate_api"."may_see_bd3980918708a60b"(kept."k1") as is_shown, r.xmin as version from "public"."thing" as r where (r."id" operator("pg_catalog".=) kept."k1"::"pg_catalog"."int4");
    return rowgate_rows;
  end;
end';
revoke all on function "rowgate_api"."in_the_way_d18ea6cec68f3853"("pg_catalog"."int4") from public;
alter function "rowgate_api"."in_the_way_d18ea6cec68f3853"("pg_catalog"."int4") owner to "golden_inherited_policy";
grant select ("id", "name") on "public"."org" to "golden_inherited_owner";
grant select ("name", "id") on "public"."org" to "golden_inherited_member";
grant select ("id", "name") on "public"."org" to "golden_inherited_both";
grant select ("id", "name") on "public"."org" to "golden_inherited_all";
grant select ("id", "label", "secret", "org_id") on "public"."thing" to "golden_inherited_owner";
grant insert ("id", "org_id", "owner", "label", "secret") on "public"."thing" to "golden_inherited_owner";
grant update ("label") on "public"."thing" to "golden_inherited_owner";
grant select ("id", "org_id", "label") on "public"."thing" to "golden_inherited_member";
grant update ("label") on "public"."thing" to "golden_inherited_member";
grant select ("label") on "public"."thing" to "golden_inherited_reader";
grant select ("id", "label") on "public"."thing" to "golden_inherited_both";
grant insert ("id", "org_id", "owner", "label", "secret") on "public"."thing" to "golden_inherited_both";
grant select ("label") on "public"."thing" to "golden_inherited_all";
grant insert ("id", "org_id", "owner", "label", "secret") on "public"."thing" to "golden_inherited_all";
grant update ("secret") on "public"."thing" to "golden_inherited_all";
grant select ("label") on "public"."thing" to "golden_inherited_alone";
grant select ("id", "label") on "public"."thing" to "golden_inherited_alike";
grant select ("id", "label") on "public"."thing" to "golden_inherited_twin";
grant select ("id", "owner", "xmin", "label", "org_id", "secret") on "public"."thing" to "golden_inherited_policy";
grant select on "rowgate_api"."rows_fa83606110be8646" to "golden_inherited_both";
grant select on "rowgate_api"."rows_b3c97918c3173463" to "golden_inherited_all";
create policy "rowgate/owner/select" on "public"."org" as permissive for select to "golden_inherited_owner" using (true);
create policy "rowgate/member/select" on "public"."org" as permissive for select to "golden_inherited_member" using (true);
create policy "rowgate/both/select" on "public"."org" as permissive for select to "golden_inherited_both" using (true);
create policy "rowgate/all/select" on "public"."org" as permissive for select to "golden_inherited_all" using (true);
create policy "rowgate/owner/select" on "public"."thing" as permissive for select to "golden_inherited_owner" using (((select «user_id» is not null) and ("thing"."owner" operator("pg_catalog".=) (select «user_id»::"pg_catalog"."int4"))));
create policy "rowgate/owner/insert" on "public"."thing" as permissive for insert to "golden_inherited_owner" with check (((select «user_id» is not null) and ("thing"."owner" operator("pg_catalog".=) (select «user_id»::"pg_catalog"."int4"))));
create policy "rowgate/owner/update" on "public"."thing" as permissive for update to "golden_inherited_owner" using (((select «user_id» is not null) and ("thing"."owner" operator("pg_catalog".=) (select «user_id»::"pg_catalog"."int4")))) with check (true);
create policy "rowgate/member/select" on "public"."thing" as permissive for select to "golden_inherited_member" using (((select «org_id» is not null) and ("thing"."org_id" operator("pg_catalog".=) (select «org_id»::"pg_catalog"."int4"))));
create policy "rowgate/member/update" on "public"."thing" as permissive for update to "golden_inherited_member" using (((select «org_id» is not null) and ("thing"."org_id" operator("pg_catalog".=) (select «org_id»::"pg_catalog"."int4")))) with check (true);
create policy "rowgate/reader/select" on "public"."thing" as permissive for select to "golden_inherited_reader" using ((("thing"."label" operator("pg_catalog".<>) 'c'::"pg_catalog"."text") or "thing"."label" is null));
create policy "rowgate/both/select" on "public"."thing" as permissive for select to "golden_inherited_both" using ((((select «org_id» is not null) and ("thing"."org_id" operator("pg_catalog".=) (select «org_id»::"pg_catalog"."int4"))) or ((select «user_id» is not null) and ("thing"."owner" operator("pg_catalog".=) (select «user_id»::"pg_catalog"."int4")))));
create policy "rowgate/both/insert" on "public"."thing" as permissive for insert to "golden_inherited_both" with check (((select «user_id» is not null) and ("thing"."owner" operator("pg_catalog".=) (select «user_id»::"pg_catalog"."int4"))));
create policy "rowgate/all/select" on "public"."thing" as permissive for select to "golden_inherited_all" using (((("thing"."label" operator("pg_catalog".<>) 'c'::"pg_catalog"."text") or "thing"."label" is null) or ((select «org_id» is not null) and ("thing"."org_id" operator("pg_catalog".=) (select «org_id»::"pg_catalog"."int4"))) or ((select «user_id» is not null) and ("thing"."owner" operator("pg_catalog".=) (select «user_id»::"pg_catalog"."int4")))));
create policy "rowgate/all/insert" on "public"."thing" as permissive for insert to "golden_inherited_all" with check (((select «user_id» is not null) and ("thing"."owner" operator("pg_catalog".=) (select «user_id»::"pg_catalog"."int4"))));
create policy "rowgate/all/update" on "public"."thing" as permissive for update to "golden_inherited_all" using (((select «user_id» is not null) and ("thing"."owner" operator("pg_catalog".=) (select «user_id»::"pg_catalog"."int4")))) with check (true);
create policy "rowgate/alone/select" on "public"."thing" as permissive for select to "golden_inherited_alone" using ((("thing"."label" operator("pg_catalog".<>) 'c'::"pg_catalog"."text") or "thing"."label" is null));
create policy "rowgate/alike/select" on "public"."thing" as permissive for select to "golden_inherited_alike" using ((("thing"."label" operator("pg_catalog".<>) 'c'::"pg_catalog"."text") or "thing"."label" is null));
create policy "rowgate/twin/select" on "public"."thing" as permissive for select to "golden_inherited_twin" using ((("thing"."label" operator("pg_catalog".<>) 'c'::"pg_catalog"."text") or "thing"."label" is null));
create policy "rowgate/policy/select" on "public"."thing" as permissive for select to "golden_inherited_policy" using (true);
