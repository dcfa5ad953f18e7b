alter table "public"."fund" enable row level security;
alter table "public"."line" enable row level security;
alter table "public"."note" enable row level security;
alter table "public"."org" enable row level security;
alter table "public"."share" enable row level security;
create view "rowgate_policy"."v_8604da573a60c2f6" with (security_barrier) as select "r"."id" as "id" from "public"."org" as "r";
alter view "rowgate_policy"."v_8604da573a60c2f6" owner to "golden_references_visible_policy";
create view "rowgate_policy"."v_8f5bfd552daf533e" with (security_barrier) as select "r"."org" as "org", "r"."owner" as "owner" from "public"."fund" as "r";
alter view "rowgate_policy"."v_8f5bfd552daf533e" owner to "golden_references_visible_policy";
create view "rowgate_policy"."v_ba10a08d1df036ce" with (security_barrier) as select "r"."org" as "k1", "r"."id" as "k2" from "public"."fund" as "r" where ((select «org» is not null) and ("r"."org" operator("pg_catalog".=) (select «org»::"pg_catalog"."int4")));
alter view "rowgate_policy"."v_ba10a08d1df036ce" owner to "golden_references_visible_policy";
create view "rowgate_policy"."v_e390472c85afb1e0" with (security_barrier) as select "r"."id" as "k1" from "public"."fund" as "r" where ((select «org» is not null) and ("r"."org" operator("pg_catalog".=) (select «org»::"pg_catalog"."int4")));
alter view "rowgate_policy"."v_e390472c85afb1e0" owner to "golden_references_visible_policy";
create view "rowgate_policy"."v_2038eaca5aa9ed0a" with (security_barrier) as select "r"."id" as "k1" from "public"."note" as "r" where ((select «org» is not null) and ("r"."org" operator("pg_catalog".=) (select «org»::"pg_catalog"."int4")));
alter view "rowgate_policy"."v_2038eaca5aa9ed0a" owner to "golden_references_visible_policy";
create view "rowgate_policy"."v_4843033859687c6f" with (security_barrier) as select "r"."id" as "k1" from "public"."fund" as "r" where ((select «user» is not null) and ((exists (select 1 from "rowgate_policy"."v_8604da573a60c2f6" as "r1" where "r"."org" operator("pg_catalog".=) "r1"."id" and (exists (select 1 from "rowgate_policy"."v_8f5bfd552daf533e" as "r2" where "r1"."id" operator("pg_catalog".=) "r2"."org" and ("r2"."owner" operator("pg_catalog".=) "r"."top"))))) and ("r"."owner" operator("pg_catalog".=) (select «user»::"pg_catalog"."text"))));
alter view "rowgate_policy"."v_4843033859687c6f" owner to "golden_references_visible_policy";
create function "rowgate_api"."may_update_d297c9e332fd0c34"("k1" "pg_catalog"."int4") returns pg_catalog.bool
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  begin atomic
    select exists (select 1 from "public"."note" as "r" where (r."id" operator("pg_catalog".=) "may_update_d297c9e332fd0c34"."k1"::"pg_catalog"."int4") and ((select «org» is not null) and ("r"."org" operator("pg_catalog".=) (select «org»::"pg_catalog"."int4"))));
  end;
revoke all on function "rowgate_api"."may_update_d297c9e332fd0c34"("pg_catalog"."int4") from public;
alter function "rowgate_api"."may_update_d297c9e332fd0c34"("pg_catalog"."int4") owner to "golden_references_visible_policy";
create function "rowgate_api"."in_the_way_06cf65719c39d9f3"("k1" "pg_catalog"."int4") returns pg_catalog.refcursor
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  set enable_partition_pruning = off
  set constraint_exclusion = off
  as '
declare
  rowgate_rows pg_catalog.refcursor := ''rowgate_rows'';
begin
  if not pg_catalog.pg_has_role(session_user, ''golden_references_visible_gateway''::pg_catalog.name, ''MEMBER''::pg_catalog.text) then
    return null;
  end if;
  if "k1" is null then
    return null;
  end if;
  <<kept>>
  declare
    "k1" "public"."note"."id"%type := "in_the_way_06cf65719c39d9f3"."k1";
  begin
    open rowgate_rows no scroll for select true as is_shown, r.xmin as version from "public"."note" as r where (r."id" operator("pg_catalog".=) kept."k1"::"pg_catalog"."int4");
    return rowgate_rows;
  end;
end';
revoke all on function "rowgate_api"."in_the_way_06cf65719c39d9f3"("pg_catalog"."int4") from public;
alter function "rowgate_api"."in_the_way_06cf65719c39d9f3"("pg_catalog"."int4") owner to "golden_references_visible_policy";
create function "rowgate_policy"."preset_b0f909840d5c3210"() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as 'begin
  if pg_catalog.row_security_active(tg_relid)
    or exists (select from pg_catalog.pg_partition_ancestors(tg_relid) as a where pg_catalog.row_security_active(a.relid)) then
    if tg_op operator(pg_catalog.=) ''INSERT'' and pg_catalog.pg_has_role(current_user, ''golden_references_visible_member''::pg_catalog.name, ''USAGE''::pg_catalog.text) then
      if «org» is null then
        raise exception using errcode = ''RG001'', message = pg_catalog.format(''missing session variable: "%s"'', ''x-gql-org'');
      end if;
      new."org" := (select «org»::"pg_catalog"."int4");
    end if;
    if tg_op operator(pg_catalog.=) ''INSERT'' and pg_catalog.pg_has_role(current_user, ''golden_references_visible_blind''::pg_catalog.name, ''USAGE''::pg_catalog.text) then
      new."org" := ''1''::"pg_catalog"."int4";
    end if;
    if tg_op operator(pg_catalog.=) ''UPDATE'' and pg_catalog.pg_has_role(current_user, ''golden_references_visible_blind''::pg_catalog.name, ''USAGE''::pg_catalog.text) then
      new."fund_id" := ''20''::"pg_catalog"."int4";
    end if;
  end if;
  return new;
end';
revoke all on function "rowgate_policy"."preset_b0f909840d5c3210"() from public;
grant select ("id") on "public"."fund" to "golden_references_visible_member";
grant select ("id") on "public"."fund" to "golden_references_visible_owner";
grant select on "rowgate_policy"."v_8604da573a60c2f6" to "golden_references_visible_owner";
grant select on "rowgate_policy"."v_8f5bfd552daf533e" to "golden_references_visible_owner";
grant select ("id", "org", "owner", "top") on "public"."fund" to "golden_references_visible_clerk";
grant insert ("id", "fund_id") on "public"."line" to "golden_references_visible_member";
grant select on "rowgate_policy"."v_ba10a08d1df036ce" to "golden_references_visible_member";
grant select ("id", "org", "fund_id", "parent_id", "label") on "public"."note" to "golden_references_visible_member";
grant insert ("id", "fund_id", "parent_id", "label") on "public"."note" to "golden_references_visible_member";
grant update ("fund_id", "label") on "public"."note" to "golden_references_visible_member";
grant select on "rowgate_policy"."v_e390472c85afb1e0" to "golden_references_visible_member";
grant select on "rowgate_policy"."v_2038eaca5aa9ed0a" to "golden_references_visible_member";
grant insert ("id", "fund_id", "label") on "public"."note" to "golden_references_visible_blind";
grant update ("label") on "public"."note" to "golden_references_visible_blind";
grant select ("id", "org", "fund_id", "parent_id", "label") on "public"."note" to "golden_references_visible_clerk";
grant insert ("id", "org", "fund_id") on "public"."note" to "golden_references_visible_clerk";
grant select ("id", "name") on "public"."org" to "golden_references_visible_clerk";
grant insert ("id", "fund_id", "holder") on "public"."share" to "golden_references_visible_blind";
grant insert ("id", "fund_id", "holder") on "public"."share" to "golden_references_visible_owner";
grant select on "rowgate_policy"."v_4843033859687c6f" to "golden_references_visible_owner";
grant select ("id") on "public"."org" to "golden_references_visible_policy";
grant select ("org", "owner", "id", "top") on "public"."fund" to "golden_references_visible_policy";
grant select ("id", "org", "xmin") on "public"."note" to "golden_references_visible_policy";
create policy "rowgate/member/select" on "public"."fund" as permissive for select to "golden_references_visible_member" using (((select «org» is not null) and ("fund"."org" operator("pg_catalog".=) (select «org»::"pg_catalog"."int4"))));
create policy "rowgate/owner/select" on "public"."fund" as permissive for select to "golden_references_visible_owner" using (((select «user» is not null) and ((exists (select 1 from "rowgate_policy"."v_8604da573a60c2f6" as "r1" where "fund"."org" operator("pg_catalog".=) "r1"."id" and (exists (select 1 from "rowgate_policy"."v_8f5bfd552daf533e" as "r2" where "r1"."id" operator("pg_catalog".=) "r2"."org" and ("r2"."owner" operator("pg_catalog".=) "fund"."top"))))) and ("fund"."owner" operator("pg_catalog".=) (select «user»::"pg_catalog"."text")))));
create policy "rowgate/clerk/select" on "public"."fund" as permissive for select to "golden_references_visible_clerk" using (true);
create policy "rowgate/member/insert" on "public"."line" as permissive for insert to "golden_references_visible_member" with check ((true and ("line"."fund_id" is null or (exists (select 1 from "rowgate_policy"."v_ba10a08d1df036ce" as "r1" where "line"."org" operator("pg_catalog".=) "r1"."k1" and "line"."fund_id" operator("pg_catalog".=) "r1"."k2" offset 0)))));
create policy "rowgate/member/select" on "public"."note" as permissive for select to "golden_references_visible_member" using (((select «org» is not null) and ("note"."org" operator("pg_catalog".=) (select «org»::"pg_catalog"."int4"))));
create policy "rowgate/member/insert" on "public"."note" as permissive for insert to "golden_references_visible_member" with check ((true and ("note"."fund_id" is null or (exists (select 1 from "rowgate_policy"."v_e390472c85afb1e0" as "r1" where "note"."fund_id" operator("pg_catalog".=) "r1"."k1" offset 0))) and ("note"."parent_id" is null or (exists (select 1 from "rowgate_policy"."v_2038eaca5aa9ed0a" as "r1" where "note"."parent_id" operator("pg_catalog".=) "r1"."k1" offset 0)))));
create policy "rowgate/member/update" on "public"."note" as permissive for update to "golden_references_visible_member" using (((select «org» is not null) and ("note"."org" operator("pg_catalog".=) (select «org»::"pg_catalog"."int4")))) with check ((true and ("note"."fund_id" is null or (exists (select 1 from "rowgate_policy"."v_e390472c85afb1e0" as "r1" where "note"."fund_id" operator("pg_catalog".=) "r1"."k1" offset 0)))));
create policy "rowgate/blind/insert" on "public"."note" as permissive for insert to "golden_references_visible_blind" with check ((true and ("note"."fund_id" is null)));
create policy "rowgate/blind/update" on "public"."note" as permissive for update to "golden_references_visible_blind" using (true) with check (true);
create policy "rowgate/clerk/select" on "public"."note" as permissive for select to "golden_references_visible_clerk" using (((select «org» is not null) and ("note"."org" operator("pg_catalog".=) (select «org»::"pg_catalog"."int4"))));
create policy "rowgate/clerk/insert" on "public"."note" as permissive for insert to "golden_references_visible_clerk" with check (true);
create policy "rowgate/clerk/select" on "public"."org" as permissive for select to "golden_references_visible_clerk" using (true);
create policy "rowgate/blind/insert" on "public"."share" as permissive for insert to "golden_references_visible_blind" with check ((true and false));
create policy "rowgate/owner/insert" on "public"."share" as permissive for insert to "golden_references_visible_owner" with check ((true and ((exists (select 1 from "rowgate_policy"."v_4843033859687c6f" as "r1" where "share"."fund_id" operator("pg_catalog".=) "r1"."k1" offset 0)))));
create policy "rowgate/policy/select" on "public"."org" as permissive for select to "golden_references_visible_policy" using (true);
create policy "rowgate/policy/select" on "public"."fund" as permissive for select to "golden_references_visible_policy" using (true);
create policy "rowgate/policy/select" on "public"."note" as permissive for select to "golden_references_visible_policy" using (true);
create trigger "!rowgate/preset" before insert or update on "public"."note" for each row execute function "rowgate_policy"."preset_b0f909840d5c3210"();
