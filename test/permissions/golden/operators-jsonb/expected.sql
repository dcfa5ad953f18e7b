alter table "public"."thing" enable row level security;
create function "rowgate_api"."may_update_b30cec3ef1dfc4fc"("k1" "pg_catalog"."int4") returns pg_catalog.bool
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  begin atomic
    select exists (select 1 from "public"."thing" as "r" where (r."id" operator("pg_catalog".=) "may_update_b30cec3ef1dfc4fc"."k1"::"pg_catalog"."int4") and ((select «v» is not null) and ("r"."doc" operator("pg_catalog".@>) (select «v»::"pg_catalog"."jsonb"))));
  end;
revoke all on function "rowgate_api"."may_update_b30cec3ef1dfc4fc"("pg_catalog"."int4") from public;
alter function "rowgate_api"."may_update_b30cec3ef1dfc4fc"("pg_catalog"."int4") owner to "golden_operators_jsonb_policy";
create function "rowgate_api"."may_update_ccfb211ef7147c6c"("k1" "pg_catalog"."int4") returns pg_catalog.bool
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  begin atomic
    select exists (select 1 from "public"."thing" as "r" where (r."id" operator("pg_catalog".=) "may_update_ccfb211ef7147c6c"."k1"::"pg_catalog"."int4") and ((select «v» is not null) and ("r"."doc" operator("pg_catalog".<@) (select «v»::"pg_catalog"."jsonb"))));
  end;
revoke all on function "rowgate_api"."may_update_ccfb211ef7147c6c"("pg_catalog"."int4") from public;
alter function "rowgate_api"."may_update_ccfb211ef7147c6c"("pg_catalog"."int4") owner to "golden_operators_jsonb_policy";
create function "rowgate_api"."may_update_9e6a1e142019915b"("k1" "pg_catalog"."int4") returns pg_catalog.bool
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  begin atomic
    select exists (select 1 from "public"."thing" as "r" where (r."id" operator("pg_catalog".=) "may_update_9e6a1e142019915b"."k1"::"pg_catalog"."int4") and ((select «v» is not null) and ("r"."doc" operator("pg_catalog".?) (select «v»::"pg_catalog"."text"))));
  end;
revoke all on function "rowgate_api"."may_update_9e6a1e142019915b"("pg_catalog"."int4") from public;
alter function "rowgate_api"."may_update_9e6a1e142019915b"("pg_catalog"."int4") owner to "golden_operators_jsonb_policy";
create function "rowgate_api"."may_update_033ea33a9880459f"("k1" "pg_catalog"."int4") returns pg_catalog.bool
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  begin atomic
    select exists (select 1 from "public"."thing" as "r" where (r."id" operator("pg_catalog".=) "may_update_033ea33a9880459f"."k1"::"pg_catalog"."int4") and ((select «v» is not null) and ("r"."doc" operator("pg_catalog".?|) (select «v»::"pg_catalog"."_text")::"pg_catalog"."_text")));
  end;
revoke all on function "rowgate_api"."may_update_033ea33a9880459f"("pg_catalog"."int4") from public;
alter function "rowgate_api"."may_update_033ea33a9880459f"("pg_catalog"."int4") owner to "golden_operators_jsonb_policy";
create function "rowgate_api"."may_update_5c541eaaf35451ee"("k1" "pg_catalog"."int4") returns pg_catalog.bool
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  begin atomic
    select exists (select 1 from "public"."thing" as "r" where (r."id" operator("pg_catalog".=) "may_update_5c541eaaf35451ee"."k1"::"pg_catalog"."int4") and ((select «v» is not null) and ("r"."doc" operator("pg_catalog".?&) (select «v»::"pg_catalog"."_text")::"pg_catalog"."_text")));
  end;
revoke all on function "rowgate_api"."may_update_5c541eaaf35451ee"("pg_catalog"."int4") from public;
alter function "rowgate_api"."may_update_5c541eaaf35451ee"("pg_catalog"."int4") owner to "golden_operators_jsonb_policy";
create function "rowgate_api"."may_update_697612f1e3af52f7"("k1" "pg_catalog"."int4") returns pg_catalog.bool
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  begin atomic
    select exists (select 1 from "public"."thing" as "r" where (r."id" operator("pg_catalog".=) "may_update_697612f1e3af52f7"."k1"::"pg_catalog"."int4") and ((select «v» is not null) and ("r"."doc" operator("pg_catalog".=) (select «v»::"pg_catalog"."jsonb"))));
  end;
revoke all on function "rowgate_api"."may_update_697612f1e3af52f7"("pg_catalog"."int4") from public;
alter function "rowgate_api"."may_update_697612f1e3af52f7"("pg_catalog"."int4") owner to "golden_operators_jsonb_policy";
create function "rowgate_api"."may_update_eec30b5d6d6a6c40"("k1" "pg_catalog"."int4") returns pg_catalog.bool
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  begin atomic
    select exists (select 1 from "public"."thing" as "r" where (r."id" operator("pg_catalog".=) "may_update_eec30b5d6d6a6c40"."k1"::"pg_catalog"."int4") and ((select «v» is not null) and (("r"."doc" operator("pg_catalog".<>) (select «v»::"pg_catalog"."jsonb")) or "r"."doc" is null)));
  end;
revoke all on function "rowgate_api"."may_update_eec30b5d6d6a6c40"("pg_catalog"."int4") from public;
alter function "rowgate_api"."may_update_eec30b5d6d6a6c40"("pg_catalog"."int4") owner to "golden_operators_jsonb_policy";
create function "rowgate_api"."may_update_a9ee5b22a1df0710"("k1" "pg_catalog"."int4") returns pg_catalog.bool
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  begin atomic
    select exists (select 1 from "public"."thing" as "r" where (r."id" operator("pg_catalog".=) "may_update_a9ee5b22a1df0710"."k1"::"pg_catalog"."int4") and ((select «v» is not null) and ("r"."doc" operator("pg_catalog".=) any ((select «v»::"pg_catalog"."_jsonb")::"pg_catalog"."_jsonb"))));
  end;
revoke all on function "rowgate_api"."may_update_a9ee5b22a1df0710"("pg_catalog"."int4") from public;
alter function "rowgate_api"."may_update_a9ee5b22a1df0710"("pg_catalog"."int4") owner to "golden_operators_jsonb_policy";
grant select ("id") on "public"."thing" to "golden_operators_jsonb_contains";
grant insert ("id", "doc") on "public"."thing" to "golden_operators_jsonb_contains";
grant update ("id") on "public"."thing" to "golden_operators_jsonb_contains";
grant delete on "public"."thing" to "golden_operators_jsonb_contains";
grant select ("id") on "public"."thing" to "golden_operators_jsonb_contains_fixed";
grant select ("id") on "public"."thing" to "golden_operators_jsonb_contained_in";
grant insert ("id", "doc") on "public"."thing" to "golden_operators_jsonb_contained_in";
grant update ("id") on "public"."thing" to "golden_operators_jsonb_contained_in";
grant delete on "public"."thing" to "golden_operators_jsonb_contained_in";
grant select ("id") on "public"."thing" to "golden_operators_jsonb_contained_in_fixed";
grant select ("id") on "public"."thing" to "golden_operators_jsonb_has_key";
grant insert ("id", "doc") on "public"."thing" to "golden_operators_jsonb_has_key";
grant update ("id") on "public"."thing" to "golden_operators_jsonb_has_key";
grant delete on "public"."thing" to "golden_operators_jsonb_has_key";
grant select ("id") on "public"."thing" to "golden_operators_jsonb_has_key_fixed";
grant select ("id") on "public"."thing" to "golden_operators_jsonb_has_keys_any";
grant insert ("id", "doc") on "public"."thing" to "golden_operators_jsonb_has_keys_any";
grant update ("id") on "public"."thing" to "golden_operators_jsonb_has_keys_any";
grant delete on "public"."thing" to "golden_operators_jsonb_has_keys_any";
grant select ("id") on "public"."thing" to "golden_operators_jsonb_has_keys_any_fixed";
grant select ("id") on "public"."thing" to "golden_operators_jsonb_has_keys_all";
grant insert ("id", "doc") on "public"."thing" to "golden_operators_jsonb_has_keys_all";
grant update ("id") on "public"."thing" to "golden_operators_jsonb_has_keys_all";
grant delete on "public"."thing" to "golden_operators_jsonb_has_keys_all";
grant select ("id") on "public"."thing" to "golden_operators_jsonb_has_keys_all_fixed";
grant select ("id") on "public"."thing" to "golden_operators_jsonb_eq";
grant insert ("id", "doc") on "public"."thing" to "golden_operators_jsonb_eq";
grant update ("id") on "public"."thing" to "golden_operators_jsonb_eq";
grant delete on "public"."thing" to "golden_operators_jsonb_eq";
grant select ("id") on "public"."thing" to "golden_operators_jsonb_eq_fixed";
grant select ("id") on "public"."thing" to "golden_operators_jsonb_neq";
grant insert ("id", "doc") on "public"."thing" to "golden_operators_jsonb_neq";
grant update ("id") on "public"."thing" to "golden_operators_jsonb_neq";
grant delete on "public"."thing" to "golden_operators_jsonb_neq";
grant select ("id") on "public"."thing" to "golden_operators_jsonb_neq_fixed";
grant select ("id") on "public"."thing" to "golden_operators_jsonb_in";
grant insert ("id", "doc") on "public"."thing" to "golden_operators_jsonb_in";
grant update ("id") on "public"."thing" to "golden_operators_jsonb_in";
grant delete on "public"."thing" to "golden_operators_jsonb_in";
grant select ("id") on "public"."thing" to "golden_operators_jsonb_in_fixed";
grant select ("id", "doc") on "public"."thing" to "golden_operators_jsonb_policy";
create policy "rowgate/contains/select" on "public"."thing" as permissive for select to "golden_operators_jsonb_contains" using (((select «v» is not null) and ("thing"."doc" operator("pg_catalog".@>) (select «v»::"pg_catalog"."jsonb"))));
create policy "rowgate/contains/insert" on "public"."thing" as permissive for insert to "golden_operators_jsonb_contains" with check (((select «v» is not null) and ("thing"."doc" operator("pg_catalog".@>) (select «v»::"pg_catalog"."jsonb"))));
create policy "rowgate/contains/update" on "public"."thing" as permissive for update to "golden_operators_jsonb_contains" using (((select «v» is not null) and ("thing"."doc" operator("pg_catalog".@>) (select «v»::"pg_catalog"."jsonb")))) with check (true);
create policy "rowgate/contains/delete" on "public"."thing" as permissive for delete to "golden_operators_jsonb_contains" using (((select «v» is not null) and ("thing"."doc" operator("pg_catalog".@>) (select «v»::"pg_catalog"."jsonb"))));
create policy "rowgate/contains_fixed/select" on "public"."thing" as permissive for select to "golden_operators_jsonb_contains_fixed" using (("thing"."doc" operator("pg_catalog".@>) '{"a":1}'::"pg_catalog"."jsonb"));
create policy "rowgate/contained_in/select" on "public"."thing" as permissive for select to "golden_operators_jsonb_contained_in" using (((select «v» is not null) and ("thing"."doc" operator("pg_catalog".<@) (select «v»::"pg_catalog"."jsonb"))));
create policy "rowgate/contained_in/insert" on "public"."thing" as permissive for insert to "golden_operators_jsonb_contained_in" with check (((select «v» is not null) and ("thing"."doc" operator("pg_catalog".<@) (select «v»::"pg_catalog"."jsonb"))));
create policy "rowgate/contained_in/update" on "public"."thing" as permissive for update to "golden_operators_jsonb_contained_in" using (((select «v» is not null) and ("thing"."doc" operator("pg_catalog".<@) (select «v»::"pg_catalog"."jsonb")))) with check (true);
create policy "rowgate/contained_in/delete" on "public"."thing" as permissive for delete to "golden_operators_jsonb_contained_in" using (((select «v» is not null) and ("thing"."doc" operator("pg_catalog".<@) (select «v»::"pg_catalog"."jsonb"))));
create policy "rowgate/contained_in_fixed/select" on "public"."thing" as permissive for select to "golden_operators_jsonb_contained_in_fixed" using (("thing"."doc" operator("pg_catalog".<@) '{"a":1,"c":3}'::"pg_catalog"."jsonb"));
create policy "rowgate/has_key/select" on "public"."thing" as permissive for select to "golden_operators_jsonb_has_key" using (((select «v» is not null) and ("thing"."doc" operator("pg_catalog".?) (select «v»::"pg_catalog"."text"))));
create policy "rowgate/has_key/insert" on "public"."thing" as permissive for insert to "golden_operators_jsonb_has_key" with check (((select «v» is not null) and ("thing"."doc" operator("pg_catalog".?) (select «v»::"pg_catalog"."text"))));
create policy "rowgate/has_key/update" on "public"."thing" as permissive for update to "golden_operators_jsonb_has_key" using (((select «v» is not null) and ("thing"."doc" operator("pg_catalog".?) (select «v»::"pg_catalog"."text")))) with check (true);
create policy "rowgate/has_key/delete" on "public"."thing" as permissive for delete to "golden_operators_jsonb_has_key" using (((select «v» is not null) and ("thing"."doc" operator("pg_catalog".?) (select «v»::"pg_catalog"."text"))));
create policy "rowgate/has_key_fixed/select" on "public"."thing" as permissive for select to "golden_operators_jsonb_has_key_fixed" using (("thing"."doc" operator("pg_catalog".?) 'b'::"pg_catalog"."text"));
create policy "rowgate/has_keys_any/select" on "public"."thing" as permissive for select to "golden_operators_jsonb_has_keys_any" using (((select «v» is not null) and ("thing"."doc" operator("pg_catalog".?|) (select «v»::"pg_catalog"."_text")::"pg_catalog"."_text")));
create policy "rowgate/has_keys_any/insert" on "public"."thing" as permissive for insert to "golden_operators_jsonb_has_keys_any" with check (((select «v» is not null) and ("thing"."doc" operator("pg_catalog".?|) (select «v»::"pg_catalog"."_text")::"pg_catalog"."_text")));
create policy "rowgate/has_keys_any/update" on "public"."thing" as permissive for update to "golden_operators_jsonb_has_keys_any" using (((select «v» is not null) and ("thing"."doc" operator("pg_catalog".?|) (select «v»::"pg_catalog"."_text")::"pg_catalog"."_text"))) with check (true);
create policy "rowgate/has_keys_any/delete" on "public"."thing" as permissive for delete to "golden_operators_jsonb_has_keys_any" using (((select «v» is not null) and ("thing"."doc" operator("pg_catalog".?|) (select «v»::"pg_catalog"."_text")::"pg_catalog"."_text")));
create policy "rowgate/has_keys_any_fixed/select" on "public"."thing" as permissive for select to "golden_operators_jsonb_has_keys_any_fixed" using (("thing"."doc" operator("pg_catalog".?|) '{"b","c"}'::"pg_catalog"."_text"));
create policy "rowgate/has_keys_all/select" on "public"."thing" as permissive for select to "golden_operators_jsonb_has_keys_all" using (((select «v» is not null) and ("thing"."doc" operator("pg_catalog".?&) (select «v»::"pg_catalog"."_text")::"pg_catalog"."_text")));
create policy "rowgate/has_keys_all/insert" on "public"."thing" as permissive for insert to "golden_operators_jsonb_has_keys_all" with check (((select «v» is not null) and ("thing"."doc" operator("pg_catalog".?&) (select «v»::"pg_catalog"."_text")::"pg_catalog"."_text")));
create policy "rowgate/has_keys_all/update" on "public"."thing" as permissive for update to "golden_operators_jsonb_has_keys_all" using (((select «v» is not null) and ("thing"."doc" operator("pg_catalog".?&) (select «v»::"pg_catalog"."_text")::"pg_catalog"."_text"))) with check (true);
create policy "rowgate/has_keys_all/delete" on "public"."thing" as permissive for delete to "golden_operators_jsonb_has_keys_all" using (((select «v» is not null) and ("thing"."doc" operator("pg_catalog".?&) (select «v»::"pg_catalog"."_text")::"pg_catalog"."_text")));
create policy "rowgate/has_keys_all_fixed/select" on "public"."thing" as permissive for select to "golden_operators_jsonb_has_keys_all_fixed" using (("thing"."doc" operator("pg_catalog".?&) '{"a","b"}'::"pg_catalog"."_text"));
create policy "rowgate/eq/select" on "public"."thing" as permissive for select to "golden_operators_jsonb_eq" using (((select «v» is not null) and ("thing"."doc" operator("pg_catalog".=) (select «v»::"pg_catalog"."jsonb"))));
create policy "rowgate/eq/insert" on "public"."thing" as permissive for insert to "golden_operators_jsonb_eq" with check (((select «v» is not null) and ("thing"."doc" operator("pg_catalog".=) (select «v»::"pg_catalog"."jsonb"))));
create policy "rowgate/eq/update" on "public"."thing" as permissive for update to "golden_operators_jsonb_eq" using (((select «v» is not null) and ("thing"."doc" operator("pg_catalog".=) (select «v»::"pg_catalog"."jsonb")))) with check (true);
create policy "rowgate/eq/delete" on "public"."thing" as permissive for delete to "golden_operators_jsonb_eq" using (((select «v» is not null) and ("thing"."doc" operator("pg_catalog".=) (select «v»::"pg_catalog"."jsonb"))));
create policy "rowgate/eq_fixed/select" on "public"."thing" as permissive for select to "golden_operators_jsonb_eq_fixed" using (("thing"."doc" operator("pg_catalog".=) '{"b":[1,2],"a":1}'::"pg_catalog"."jsonb"));
create policy "rowgate/neq/select" on "public"."thing" as permissive for select to "golden_operators_jsonb_neq" using (((select «v» is not null) and (("thing"."doc" operator("pg_catalog".<>) (select «v»::"pg_catalog"."jsonb")) or "thing"."doc" is null)));
create policy "rowgate/neq/insert" on "public"."thing" as permissive for insert to "golden_operators_jsonb_neq" with check (((select «v» is not null) and (("thing"."doc" operator("pg_catalog".<>) (select «v»::"pg_catalog"."jsonb")) or "thing"."doc" is null)));
create policy "rowgate/neq/update" on "public"."thing" as permissive for update to "golden_operators_jsonb_neq" using (((select «v» is not null) and (("thing"."doc" operator("pg_catalog".<>) (select «v»::"pg_catalog"."jsonb")) or "thing"."doc" is null))) with check (true);
create policy "rowgate/neq/delete" on "public"."thing" as permissive for delete to "golden_operators_jsonb_neq" using (((select «v» is not null) and (("thing"."doc" operator("pg_catalog".<>) (select «v»::"pg_catalog"."jsonb")) or "thing"."doc" is null)));
create policy "rowgate/neq_fixed/select" on "public"."thing" as permissive for select to "golden_operators_jsonb_neq_fixed" using ((("thing"."doc" operator("pg_catalog".<>) '{"a":1}'::"pg_catalog"."jsonb") or "thing"."doc" is null));
create policy "rowgate/in/select" on "public"."thing" as permissive for select to "golden_operators_jsonb_in" using (((select «v» is not null) and ("thing"."doc" operator("pg_catalog".=) any ((select «v»::"pg_catalog"."_jsonb")::"pg_catalog"."_jsonb"))));
create policy "rowgate/in/insert" on "public"."thing" as permissive for insert to "golden_operators_jsonb_in" with check (((select «v» is not null) and ("thing"."doc" operator("pg_catalog".=) any ((select «v»::"pg_catalog"."_jsonb")::"pg_catalog"."_jsonb"))));
create policy "rowgate/in/update" on "public"."thing" as permissive for update to "golden_operators_jsonb_in" using (((select «v» is not null) and ("thing"."doc" operator("pg_catalog".=) any ((select «v»::"pg_catalog"."_jsonb")::"pg_catalog"."_jsonb")))) with check (true);
create policy "rowgate/in/delete" on "public"."thing" as permissive for delete to "golden_operators_jsonb_in" using (((select «v» is not null) and ("thing"."doc" operator("pg_catalog".=) any ((select «v»::"pg_catalog"."_jsonb")::"pg_catalog"."_jsonb"))));
create policy "rowgate/in_fixed/select" on "public"."thing" as permissive for select to "golden_operators_jsonb_in_fixed" using (("thing"."doc" operator("pg_catalog".=) any (E'{"{\\"a\\":1}","{}"}'::"pg_catalog"."_jsonb")));
create policy "rowgate/policy/select" on "public"."thing" as permissive for select to "golden_operators_jsonb_policy" using (true);
