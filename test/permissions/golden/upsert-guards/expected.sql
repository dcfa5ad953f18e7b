alter table "public"."journal" enable row level security;
alter table "public"."note" enable row level security;
alter table "public"."part" enable row level security;
alter table "billing"."unit" enable row level security;
create view "rowgate_policy"."v_f3c24871d8cea742" with (security_barrier) as select "r"."id" as "k1" from "billing"."unit" as "r" where ("r"."closed" operator("pg_catalog".=) 'false'::"pg_catalog"."bool");
alter view "rowgate_policy"."v_f3c24871d8cea742" owner to "golden_upsert_guards_policy";
create function "rowgate_api"."may_see_0b8fa0884d0bcb0e"("k1" "pg_catalog"."text") returns pg_catalog.bool
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  begin atomic
    select exists (select 1 from "public"."journal" as "r" where (r."line" operator("pg_catalog".=) "may_see_0b8fa0884d0bcb0e"."k1"::"pg_catalog"."text") and ("r"."line" operator("pg_catalog".<>) 'secret'::"pg_catalog"."text"));
  end;
revoke all on function "rowgate_api"."may_see_0b8fa0884d0bcb0e"("pg_catalog"."text") from public;
alter function "rowgate_api"."may_see_0b8fa0884d0bcb0e"("pg_catalog"."text") owner to "golden_upsert_guards_policy";
create function "rowgate_api"."in_the_way_aa6abf538f8a7647"("k1" "pg_catalog"."text") returns pg_catalog.refcursor
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  set enable_partition_pruning = off
  set constraint_exclusion = off
  as '
declare
  rowgate_rows pg_catalog.refcursor := ''rowgate_rows'';
begin
  if not pg_catalog.pg_has_role(session_user, ''golden_upsert_guards_gateway''::pg_catalog.name, ''MEMBER''::pg_catalog.text) then
    return null;
  end if;
  if "k1" is null then
    return null;
  end if;
  <<kept>>
  declare
    "k1" "public"."journal"."line"%type := "in_the_way_aa6abf538f8a7647"."k1";
  begin
    open rowgate_rows no scroll for select "rowgate_api"."may_see_0b8fa0884d0bcb0e"(kept."k1") as is_shown, r.xmin as version from "public"."journal" as r where (r."line" operator("pg_catalog".=) kept."k1"::"pg_catalog"."text");
    return rowgate_rows;
  end;
end';
revoke all on function "rowgate_api"."in_the_way_aa6abf538f8a7647"("pg_catalog"."text") from public;
alter function "rowgate_api"."in_the_way_aa6abf538f8a7647"("pg_catalog"."text") owner to "golden_upsert_guards_policy";
create function "rowgate_api"."may_update_00ecb0c3277ce5cd"("k1" "pg_catalog"."int4") returns pg_catalog.bool
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  begin atomic
    select exists (select 1 from "public"."note" as "r" where (r."id" operator("pg_catalog".=) "may_update_00ecb0c3277ce5cd"."k1"::"pg_catalog"."int4") and ((select «owner» is not null) and ("r"."owner" operator("pg_catalog".=) (select «owner»::"pg_catalog"."int4"))));
  end;
revoke all on function "rowgate_api"."may_update_00ecb0c3277ce5cd"("pg_catalog"."int4") from public;
alter function "rowgate_api"."may_update_00ecb0c3277ce5cd"("pg_catalog"."int4") owner to "golden_upsert_guards_policy";
create function "rowgate_api"."may_see_3185064fd2395352"("k1" "pg_catalog"."int4") returns pg_catalog.bool
  language sql stable security definer
  set search_path = pg_catalog, pg_temp
  begin atomic
    select exists (select 1 from "public"."note" as "r" where (r."id" operator("pg_catalog".=) "may_see_3185064fd2395352"."k1"::"pg_catalog"."int4") and ((select «owner» is not null) and ("r"."owner" operator("pg_catalog".=) (select «owner»::"pg_catalog"."int4"))));
  end;
revoke all on function "rowgate_api"."may_see_3185064fd2395352"("pg_catalog"."int4") from public;
alter function "rowgate_api"."may_see_3185064fd2395352"("pg_catalog"."int4") owner to "golden_upsert_guards_policy";
create function "rowgate_api"."in_the_way_f464e50bfa549640"("k1" "pg_catalog"."int4") returns pg_catalog.refcursor
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  set enable_partition_pruning = off
  set constraint_exclusion = off
  as '
declare
  rowgate_rows pg_catalog.refcursor := ''rowgate_rows'';
begin
  if not pg_catalog.pg_has_role(session_user, ''golden_upsert_guards_gateway''::pg_catalog.name, ''MEMBER''::pg_catalog.text) then
    return null;
  end if;
  if "k1" is null then
    return null;
  end if;
  <<kept>>
  declare
    "k1" "public"."note"."id"%type := "in_the_way_f464e50bfa549640"."k1";
  begin
    open rowgate_rows no scroll for select "rowgate_api"."may_see_3185064fd2395352"(kept."k1") as is_shown, r.xmin as version from "public"."note" as r where (r."id" operator("pg_catalog".=) kept."k1"::"pg_catalog"."int4");
    return rowgate_rows;
  end;
end';
revoke all on function "rowgate_api"."in_the_way_f464e50bfa549640"("pg_catalog"."int4") from public;
alter function "rowgate_api"."in_the_way_f464e50bfa549640"("pg_catalog"."int4") owner to "golden_upsert_guards_policy";
create function "rowgate_api"."may_update_b2cd235859373074"("k1" "pg_catalog"."int4", "k2" "pg_catalog"."varchar") returns pg_catalog.bool
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  begin atomic
    select exists (select 1 from "public"."part" as "r" where (r."unit_id" operator("pg_catalog".=) "may_update_b2cd235859373074"."k1"::"pg_catalog"."int4") and (r."code"::"pg_catalog"."text" operator("pg_catalog".=) "may_update_b2cd235859373074"."k2"::"pg_catalog"."text") and ((select «org» is not null) and (("r"."org" operator("pg_catalog".=) (select «org»::"pg_catalog"."int4")) and ("r"."locked" operator("pg_catalog".=) 'false'::"pg_catalog"."bool") and (exists (select 1 from "rowgate_policy"."v_f3c24871d8cea742" as "r1" where "r"."unit_id" operator("pg_catalog".=) "r1"."k1" offset 0)))));
  end;
revoke all on function "rowgate_api"."may_update_b2cd235859373074"("pg_catalog"."int4", "pg_catalog"."varchar") from public;
alter function "rowgate_api"."may_update_b2cd235859373074"("pg_catalog"."int4", "pg_catalog"."varchar") owner to "golden_upsert_guards_policy";
create function "rowgate_api"."in_the_way_61306bef0ac015d7"("k1" "pg_catalog"."int4", "k2" "pg_catalog"."int4") returns pg_catalog.refcursor
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  set enable_partition_pruning = off
  set constraint_exclusion = off
  as '
declare
  rowgate_rows pg_catalog.refcursor := ''rowgate_rows'';
begin
  if not pg_catalog.pg_has_role(session_user, ''golden_upsert_guards_gateway''::pg_catalog.name, ''MEMBER''::pg_catalog.text) then
    return null;
  end if;
  "k1" := (select «org»::"pg_catalog"."int4");
  if "k1" is null or "k2" is null then
    return null;
  end if;
  <<kept>>
  declare
    "k1" "billing"."unit"."org"%type := "in_the_way_61306bef0ac015d7"."k1";
    "k2" "billing"."unit"."id"%type := "in_the_way_61306bef0ac015d7"."k2";
  begin
    open rowgate_rows no scroll for select true as is_shown, r.xmin as version from "billing"."unit" as r where (r."org" operator("pg_catalog".=) kept."k1"::"pg_catalog"."int4") and (r."id" operator("pg_catalog".=) kept."k2"::"pg_catalog"."int4");
    return rowgate_rows;
  end;
end';
revoke all on function "rowgate_api"."in_the_way_61306bef0ac015d7"("pg_catalog"."int4", "pg_catalog"."int4") from public;
alter function "rowgate_api"."in_the_way_61306bef0ac015d7"("pg_catalog"."int4", "pg_catalog"."int4") owner to "golden_upsert_guards_policy";
create function "rowgate_api"."in_the_way_45bc3c3e2d75d61a"("k1" "pg_catalog"."int4") returns pg_catalog.refcursor
  language plpgsql volatile security definer
  set search_path = pg_catalog, pg_temp
  set enable_partition_pruning = off
  set constraint_exclusion = off
  as '
declare
  rowgate_rows pg_catalog.refcursor := ''rowgate_rows'';
begin
  if not pg_catalog.pg_has_role(session_user, ''golden_upsert_guards_gateway''::pg_catalog.name, ''MEMBER''::pg_catalog.text) then
    return null;
  end if;
  if "k1" is null then
    return null;
  end if;
  <<kept>>
  declare
    "k1" "billing"."unit"."id"%type := "in_the_way_45bc3c3e2d75d61a"."k1";
  begin
    open rowgate_rows no scroll for select true as is_shown, r.xmin as version from "billing"."unit" as r where (r."id" operator("pg_catalog".=) kept."k1"::"pg_catalog"."int4");
    return rowgate_rows;
  end;
end';
revoke all on function "rowgate_api"."in_the_way_45bc3c3e2d75d61a"("pg_catalog"."int4") from public;
alter function "rowgate_api"."in_the_way_45bc3c3e2d75d61a"("pg_catalog"."int4") owner to "golden_upsert_guards_policy";
create function "rowgate_policy"."preset_65e1ef8cebf14f9d"() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as 'begin
  if pg_catalog.row_security_active(tg_relid)
    or exists (select from pg_catalog.pg_partition_ancestors(tg_relid) as a where pg_catalog.row_security_active(a.relid)) then
    if tg_op operator(pg_catalog.=) ''INSERT'' and pg_catalog.pg_has_role(current_user, ''golden_upsert_guards_blind''::pg_catalog.name, ''USAGE''::pg_catalog.text) then
      if «org» is null then
        raise exception using errcode = ''RG001'', message = pg_catalog.format(''missing session variable: "%s"'', ''x-gql-org'');
      end if;
      new."org" := (select «org»::"pg_catalog"."int4");
    end if;
  end if;
  return new;
end';
revoke all on function "rowgate_policy"."preset_65e1ef8cebf14f9d"() from public;
grant select ("at", "line") on "public"."journal" to "golden_upsert_guards_owner";
grant insert ("at", "line") on "public"."journal" to "golden_upsert_guards_owner";
grant update ("at", "line") on "public"."journal" to "golden_upsert_guards_owner";
grant select ("id", "body") on "public"."note" to "golden_upsert_guards_owner";
grant insert ("id", "owner", "body") on "public"."note" to "golden_upsert_guards_owner";
grant update ("body") on "public"."note" to "golden_upsert_guards_owner";
grant select ("id", "body") on "public"."note" to "golden_upsert_guards_open";
grant insert ("id", "owner", "body") on "public"."note" to "golden_upsert_guards_open";
grant update ("body") on "public"."note" to "golden_upsert_guards_open";
grant select ("body") on "public"."note" to "golden_upsert_guards_blind";
grant insert ("id", "owner", "body") on "public"."note" to "golden_upsert_guards_blind";
grant update ("body") on "public"."note" to "golden_upsert_guards_blind";
grant select ("id", "body") on "public"."note" to "golden_upsert_guards_half";
grant insert ("id", "owner", "body") on "public"."note" to "golden_upsert_guards_half";
grant select ("unit_id", "code", "label") on "public"."part" to "golden_upsert_guards_keeper";
grant insert ("unit_id", "code", "org", "label") on "public"."part" to "golden_upsert_guards_keeper";
grant update ("label") on "public"."part" to "golden_upsert_guards_keeper";
grant select on "rowgate_policy"."v_f3c24871d8cea742" to "golden_upsert_guards_keeper";
grant insert ("id", "closed") on "billing"."unit" to "golden_upsert_guards_blind";
grant update ("closed") on "billing"."unit" to "golden_upsert_guards_blind";
grant select ("line", "xmin") on "public"."journal" to "golden_upsert_guards_policy";
grant select ("id", "owner", "xmin") on "public"."note" to "golden_upsert_guards_policy";
grant select ("id", "closed", "org", "xmin") on "billing"."unit" to "golden_upsert_guards_policy";
grant select ("unit_id", "code", "org", "locked") on "public"."part" to "golden_upsert_guards_policy";
create policy "rowgate/owner/select" on "public"."journal" as permissive for select to "golden_upsert_guards_owner" using (("journal"."line" operator("pg_catalog".<>) 'secret'::"pg_catalog"."text"));
create policy "rowgate/owner/insert" on "public"."journal" as permissive for insert to "golden_upsert_guards_owner" with check (true);
create policy "rowgate/owner/update" on "public"."journal" as permissive for update to "golden_upsert_guards_owner" using (true) with check (true);
create policy "rowgate/owner/select" on "public"."note" as permissive for select to "golden_upsert_guards_owner" using (true);
create policy "rowgate/owner/insert" on "public"."note" as permissive for insert to "golden_upsert_guards_owner" with check (true);
create policy "rowgate/owner/update" on "public"."note" as permissive for update to "golden_upsert_guards_owner" using (((select «owner» is not null) and ("note"."owner" operator("pg_catalog".=) (select «owner»::"pg_catalog"."int4")))) with check (true);
create policy "rowgate/open/select" on "public"."note" as permissive for select to "golden_upsert_guards_open" using (true);
create policy "rowgate/open/insert" on "public"."note" as permissive for insert to "golden_upsert_guards_open" with check (true);
create policy "rowgate/open/update" on "public"."note" as permissive for update to "golden_upsert_guards_open" using (true) with check (true);
create policy "rowgate/blind/select" on "public"."note" as permissive for select to "golden_upsert_guards_blind" using (((select «owner» is not null) and ("note"."owner" operator("pg_catalog".=) (select «owner»::"pg_catalog"."int4"))));
create policy "rowgate/blind/insert" on "public"."note" as permissive for insert to "golden_upsert_guards_blind" with check (true);
create policy "rowgate/blind/update" on "public"."note" as permissive for update to "golden_upsert_guards_blind" using (true) with check (true);
create policy "rowgate/half/select" on "public"."note" as permissive for select to "golden_upsert_guards_half" using (((select «owner» is not null) and ("note"."owner" operator("pg_catalog".=) (select «owner»::"pg_catalog"."int4"))));
create policy "rowgate/half/insert" on "public"."note" as permissive for insert to "golden_upsert_guards_half" with check (true);
create policy "rowgate/keeper/select" on "public"."part" as permissive for select to "golden_upsert_guards_keeper" using (((select «org» is not null) and ("part"."org" operator("pg_catalog".=) (select «org»::"pg_catalog"."int4"))));
create policy "rowgate/keeper/insert" on "public"."part" as permissive for insert to "golden_upsert_guards_keeper" with check (true);
create policy "rowgate/keeper/update" on "public"."part" as permissive for update to "golden_upsert_guards_keeper" using ((("part"."locked" operator("pg_catalog".=) 'false'::"pg_catalog"."bool") and ("part"."unit_id" operator("pg_catalog".=) any (array(select v."k1" from "rowgate_policy"."v_f3c24871d8cea742" as v))))) with check (true);
create policy "rowgate/blind/insert" on "billing"."unit" as permissive for insert to "golden_upsert_guards_blind" with check (true);
create policy "rowgate/blind/update" on "billing"."unit" as permissive for update to "golden_upsert_guards_blind" using (true) with check (true);
create policy "rowgate/policy/select" on "public"."journal" as permissive for select to "golden_upsert_guards_policy" using (true);
create policy "rowgate/policy/select" on "public"."note" as permissive for select to "golden_upsert_guards_policy" using (true);
create policy "rowgate/policy/select" on "billing"."unit" as permissive for select to "golden_upsert_guards_policy" using (true);
create policy "rowgate/policy/select" on "public"."part" as permissive for select to "golden_upsert_guards_policy" using (true);
create trigger "!rowgate/preset" before insert or update on "billing"."unit" for each row execute function "rowgate_policy"."preset_65e1ef8cebf14f9d"();
