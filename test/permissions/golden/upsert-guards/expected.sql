alter table "public"."journal" enable row level security;
alter table "public"."note" enable row level security;
alter table "public"."part" enable row level security;
alter table "billing"."unit" enable row level security;
create view "rowgate_policy"."v_f3c24871d8cea742" with (security_barrier) as select "r"."id" as "k1" from "billing"."unit" as "r" where ("r"."closed" operator("pg_catalog".=) 'false'::"pg_catalog"."bool");
alter view "rowgate_policy"."v_f3c24871d8cea742" owner to "golden_upsert_guards_policy";
create function "rowgate_api"."may_update_00ecb0c3277ce5cd"("k1" "pg_catalog"."int4") returns pg_catalog.bool
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  begin atomic
    select exists (select 1 from "public"."note" as "r" where (r."id" operator("pg_catalog".=) "may_update_00ecb0c3277ce5cd"."k1"::"pg_catalog"."int4") and ((select «owner» is not null) and ("r"."owner" operator("pg_catalog".=) (select «owner»::"pg_catalog"."int4"))));
  end;
revoke all on function "rowgate_api"."may_update_00ecb0c3277ce5cd"("pg_catalog"."int4") from public;
alter function "rowgate_api"."may_update_00ecb0c3277ce5cd"("pg_catalog"."int4") owner to "golden_upsert_guards_policy";
create function "rowgate_api"."may_update_b2cd235859373074"("k1" "pg_catalog"."int4", "k2" "pg_catalog"."varchar") returns pg_catalog.bool
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  begin atomic
    select exists (select 1 from "public"."part" as "r" where (r."unit_id" operator("pg_catalog".=) "may_update_b2cd235859373074"."k1"::"pg_catalog"."int4") and (r."code"::"pg_catalog"."text" operator("pg_catalog".=) "may_update_b2cd235859373074"."k2"::"pg_catalog"."text") and ((select «org» is not null) and (("r"."org" operator("pg_catalog".=) (select «org»::"pg_catalog"."int4")) and ("r"."locked" operator("pg_catalog".=) 'false'::"pg_catalog"."bool") and (exists (select 1 from "rowgate_policy"."v_f3c24871d8cea742" as "r1" where "r"."unit_id" operator("pg_catalog".=) "r1"."k1")))));
  end;
revoke all on function "rowgate_api"."may_update_b2cd235859373074"("pg_catalog"."int4", "pg_catalog"."varchar") from public;
alter function "rowgate_api"."may_update_b2cd235859373074"("pg_catalog"."int4", "pg_catalog"."varchar") owner to "golden_upsert_guards_policy";
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
grant select ("id", "owner") on "public"."note" to "golden_upsert_guards_policy";
grant select ("id", "closed") on "billing"."unit" to "golden_upsert_guards_policy";
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
create policy "rowgate/policy/select" on "public"."note" as permissive for select to "golden_upsert_guards_policy" using (true);
create policy "rowgate/policy/select" on "billing"."unit" as permissive for select to "golden_upsert_guards_policy" using (true);
create policy "rowgate/policy/select" on "public"."part" as permissive for select to "golden_upsert_guards_policy" using (true);
