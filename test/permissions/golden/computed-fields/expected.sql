alter table "school"."mark" enable row level security;
alter table "school"."remark" enable row level security;
create function "rowgate_policy"."call_ad2ff4ed5431a7eb"("given 1" "school"."mark") returns "pg_catalog"."int4"
  language sql stable security definer
  set search_path = "pg_catalog", "school", "pg_temp"
  begin atomic
    select "school"."total"("given 1");
  end;
revoke all on function "rowgate_policy"."call_ad2ff4ed5431a7eb"("school"."mark") from public;
create function "rowgate_policy"."call_cf59ad3b49b6d1a3"("given 1" "pg_catalog"."json", "given 2" "school"."mark") returns "pg_catalog"."int4"
  language sql stable security definer
  set search_path = "pg_catalog", "school", "pg_temp"
  begin atomic
    select "school"."offset_total"("session" => "given 1"::"pg_catalog"."json", "mark_row" => "given 2");
  end;
revoke all on function "rowgate_policy"."call_cf59ad3b49b6d1a3"("pg_catalog"."json", "school"."mark") from public;
create function "rowgate_policy"."call_682a836a4c27cd57"("given 1" "school"."mark") returns setof "school"."remark"
  language sql stable security definer
  set search_path = "pg_catalog", "school", "pg_temp"
  begin atomic
    select "school"."remarks"("given 1");
  end;
revoke all on function "rowgate_policy"."call_682a836a4c27cd57"("school"."mark") from public;
create function "rowgate_policy"."call_cf7c36e92ef4806e"("given 1" "school"."mark", "given 2" "pg_catalog"."jsonb") returns "pg_catalog"."text"
  language sql stable security definer
  set search_path = "pg_catalog", "school", "pg_temp"
  begin atomic
    select "school"."asked"("given 1", "given 2"::"pg_catalog"."jsonb");
  end;
revoke all on function "rowgate_policy"."call_cf7c36e92ef4806e"("school"."mark", "pg_catalog"."jsonb") from public;
create function "rowgate_policy"."call_21bee5f65090e4ce"("given 1" "school"."mark") returns "pg_catalog"."int8"
  language sql stable security definer
  set search_path = "pg_catalog", "school", "pg_temp"
  begin atomic
    select "school"."siblings"("given 1");
  end;
revoke all on function "rowgate_policy"."call_21bee5f65090e4ce"("school"."mark") from public;
create view "rowgate_policy"."v_ee00fc7ca0411951" with (security_barrier) as select "r"."id" as "id", "r"."mark" as "mark", "r"."maths" as "maths", "r"."name" as "name", "r"."physics" as "physics", "r"."tutor" as "tutor", "r".*::"school"."mark" as "whole row" from "school"."mark" as "r";
alter view "rowgate_policy"."v_ee00fc7ca0411951" owner to "golden_computed_fields_policy";
create view "rowgate_policy"."v_d32a99f12e3540d2" with (security_barrier) as select "r"."id" as "k1" from "school"."mark" as "r" where ("rowgate_policy"."call_ad2ff4ed5431a7eb"("r".*) operator("pg_catalog".>=) '80'::"pg_catalog"."int4");
alter view "rowgate_policy"."v_d32a99f12e3540d2" owner to "golden_computed_fields_policy";
create function "rowgate_api"."may_update_287b5b19aba2d8a2"("k1" "pg_catalog"."int4") returns pg_catalog.bool
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  begin atomic
    select exists (select 1 from "school"."mark" as "r" where (r."id" operator("pg_catalog".=) "may_update_287b5b19aba2d8a2"."k1"::"pg_catalog"."int4") and (("rowgate_policy"."call_ad2ff4ed5431a7eb"("r".*) operator("pg_catalog".<>) '30'::"pg_catalog"."int4") or "rowgate_policy"."call_ad2ff4ed5431a7eb"("r".*) is null));
  end;
revoke all on function "rowgate_api"."may_update_287b5b19aba2d8a2"("pg_catalog"."int4") from public;
alter function "rowgate_api"."may_update_287b5b19aba2d8a2"("pg_catalog"."int4") owner to "golden_computed_fields_policy";
grant select ("id", "name", "maths", "physics", "tutor", "mark") on "school"."mark" to "golden_computed_fields_tutor";
grant select ("id", "name", "maths", "physics", "tutor", "mark") on "school"."mark" to "golden_computed_fields_strict";
grant select ("id", "name", "maths", "physics", "tutor", "mark") on "school"."mark" to "golden_computed_fields_reader";
grant select ("id", "name", "maths", "physics", "tutor", "mark") on "school"."mark" to "golden_computed_fields_outer";
grant select on "rowgate_policy"."v_ee00fc7ca0411951" to "golden_computed_fields_outer";
grant select ("id", "name", "maths", "physics", "tutor", "mark") on "school"."mark" to "golden_computed_fields_writer";
grant insert ("id", "name", "maths", "physics", "tutor", "mark") on "school"."mark" to "golden_computed_fields_writer";
grant update ("maths") on "school"."mark" to "golden_computed_fields_writer";
grant delete on "school"."mark" to "golden_computed_fields_writer";
grant select ("id", "name", "maths", "physics", "tutor", "mark") on "school"."mark" to "golden_computed_fields_asker";
grant select ("id", "name", "maths", "physics", "tutor", "mark") on "school"."mark" to "golden_computed_fields_anyone";
grant select ("id", "name", "maths", "physics", "tutor", "mark") on "school"."mark" to "golden_computed_fields_blind";
grant select ("id", "name", "maths", "physics", "tutor", "mark") on "school"."mark" to "golden_computed_fields_social";
grant select ("id", "mark_id", "words", "author") on "school"."remark" to "golden_computed_fields_tutor";
grant select on "rowgate_policy"."v_d32a99f12e3540d2" to "golden_computed_fields_tutor";
grant select ("id", "mark_id", "words", "author") on "school"."remark" to "golden_computed_fields_reader";
grant select ("id", "mark_id", "words", "author") on "school"."remark" to "golden_computed_fields_through";
grant select on "rowgate_policy"."v_ee00fc7ca0411951" to "golden_computed_fields_through";
grant select ("id", "mark_id", "words", "author") on "school"."remark" to "golden_computed_fields_writer";
grant select ("id", "mark", "maths", "name", "physics", "tutor") on "school"."mark" to "golden_computed_fields_policy";
grant execute on function "school"."total"("school"."mark") to "golden_computed_fields_tutor";
grant execute on function "school"."offset_total"("pg_catalog"."int4", "pg_catalog"."json", "school"."mark") to "golden_computed_fields_tutor";
grant execute on function "school"."siblings"("school"."mark") to "golden_computed_fields_tutor";
grant execute on function "school"."asked"("school"."mark", "pg_catalog"."jsonb") to "golden_computed_fields_tutor";
grant execute on function "school"."remarks"("school"."mark") to "golden_computed_fields_tutor";
grant execute on function "rowgate_policy"."call_ad2ff4ed5431a7eb"("school"."mark") to "golden_computed_fields_tutor";
grant execute on function "school"."offset_total"("pg_catalog"."int4", "pg_catalog"."json", "school"."mark") to "golden_computed_fields_strict";
grant execute on function "rowgate_policy"."call_cf59ad3b49b6d1a3"("pg_catalog"."json", "school"."mark") to "golden_computed_fields_strict";
grant execute on function "school"."remarks"("school"."mark") to "golden_computed_fields_reader";
grant execute on function "rowgate_policy"."call_682a836a4c27cd57"("school"."mark") to "golden_computed_fields_reader";
grant execute on function "rowgate_policy"."call_ad2ff4ed5431a7eb"("school"."mark") to "golden_computed_fields_outer";
grant execute on function "school"."remarks"("school"."mark") to "golden_computed_fields_writer";
grant execute on function "rowgate_policy"."call_ad2ff4ed5431a7eb"("school"."mark") to "golden_computed_fields_writer";
grant execute on function "rowgate_policy"."call_682a836a4c27cd57"("school"."mark") to "golden_computed_fields_writer";
grant execute on function "rowgate_policy"."call_ad2ff4ed5431a7eb"("school"."mark") to "golden_computed_fields_policy";
grant execute on function "rowgate_policy"."call_cf7c36e92ef4806e"("school"."mark", "pg_catalog"."jsonb") to "golden_computed_fields_asker";
grant execute on function "rowgate_policy"."call_ad2ff4ed5431a7eb"("school"."mark") to "golden_computed_fields_anyone";
grant execute on function "rowgate_policy"."call_682a836a4c27cd57"("school"."mark") to "golden_computed_fields_blind";
grant execute on function "school"."siblings"("school"."mark") to "golden_computed_fields_social";
grant execute on function "rowgate_policy"."call_21bee5f65090e4ce"("school"."mark") to "golden_computed_fields_social";
grant execute on function "rowgate_policy"."call_ad2ff4ed5431a7eb"("school"."mark") to "golden_computed_fields_through";
create policy "rowgate/tutor/select" on "school"."mark" as permissive for select to "golden_computed_fields_tutor" using (((select «tutor» is not null) and (("rowgate_policy"."call_ad2ff4ed5431a7eb"("mark".*) operator("pg_catalog".>=) '80'::"pg_catalog"."int4") and ("mark"."tutor" operator("pg_catalog".=) (select «tutor»::"pg_catalog"."int4")))));
create policy "rowgate/strict/select" on "school"."mark" as permissive for select to "golden_computed_fields_strict" using (("rowgate_policy"."call_cf59ad3b49b6d1a3"((select rowgate_api.session_variables('x-gql-'::pg_catalog.text) operator(pg_catalog.||) pg_catalog.jsonb_strip_nulls(pg_catalog.jsonb_object(array['x-gql-role', 'x-gql-offset', 'x-gql-tutor', 'x-gql-user-id']::pg_catalog.text[], array['strict', «offset», «tutor», «user_id»]::pg_catalog.text[])))::"pg_catalog"."json", "mark".*) operator("pg_catalog".>) '50'::"pg_catalog"."int4"));
create policy "rowgate/reader/select" on "school"."mark" as permissive for select to "golden_computed_fields_reader" using (((select «user_id» is not null) and (exists (select 1 from "rowgate_policy"."call_682a836a4c27cd57"("mark".*) as "r1" where (("r1"."words" operator("pg_catalog".~~) 'well%'::"pg_catalog"."text") and ("r1"."author" operator("pg_catalog".=) (select «user_id»::"pg_catalog"."int4")))))));
create policy "rowgate/outer/select" on "school"."mark" as permissive for select to "golden_computed_fields_outer" using ((exists (select 1 from "rowgate_policy"."v_ee00fc7ca0411951" as "r1" where (("rowgate_policy"."call_ad2ff4ed5431a7eb"("r1"."whole row") operator("pg_catalog".>) '80'::"pg_catalog"."int4") and ("r1"."tutor" operator("pg_catalog".=) "mark"."tutor")))));
create policy "rowgate/writer/select" on "school"."mark" as permissive for select to "golden_computed_fields_writer" using (true);
create policy "rowgate/writer/insert" on "school"."mark" as permissive for insert to "golden_computed_fields_writer" with check (("rowgate_policy"."call_ad2ff4ed5431a7eb"("mark".*) operator("pg_catalog".<) '100'::"pg_catalog"."int4"));
create policy "rowgate/writer/update" on "school"."mark" as permissive for update to "golden_computed_fields_writer" using ((("rowgate_policy"."call_ad2ff4ed5431a7eb"("mark".*) operator("pg_catalog".<>) '30'::"pg_catalog"."int4") or "rowgate_policy"."call_ad2ff4ed5431a7eb"("mark".*) is null)) with check ((("rowgate_policy"."call_ad2ff4ed5431a7eb"("mark".*) operator("pg_catalog".<>) '30'::"pg_catalog"."int4") or "rowgate_policy"."call_ad2ff4ed5431a7eb"("mark".*) is null));
create policy "rowgate/writer/delete" on "school"."mark" as permissive for delete to "golden_computed_fields_writer" using (((not ("rowgate_policy"."call_ad2ff4ed5431a7eb"("mark".*) is null)) and (exists (select 1 from "rowgate_policy"."call_682a836a4c27cd57"("mark".*) as "r1" where true))));
create policy "rowgate/asker/select" on "school"."mark" as permissive for select to "golden_computed_fields_asker" using (("rowgate_policy"."call_cf7c36e92ef4806e"("mark".*, (select rowgate_api.session_variables('x-gql-'::pg_catalog.text) operator(pg_catalog.||) pg_catalog.jsonb_strip_nulls(pg_catalog.jsonb_object(array['x-gql-role', 'x-gql-offset', 'x-gql-tutor', 'x-gql-user-id']::pg_catalog.text[], array['asker', «offset», «tutor», «user_id»]::pg_catalog.text[])))::"pg_catalog"."jsonb") operator("pg_catalog".=) 'asker 5'::"pg_catalog"."text"));
create policy "rowgate/anyone/select" on "school"."mark" as permissive for select to "golden_computed_fields_anyone" using (("rowgate_policy"."call_ad2ff4ed5431a7eb"("mark".*) operator("pg_catalog".=) any ('{"90"}'::"pg_catalog"."_int4")));
create policy "rowgate/blind/select" on "school"."mark" as permissive for select to "golden_computed_fields_blind" using ((exists (select 1 from "rowgate_policy"."call_682a836a4c27cd57"("mark".*) as "r1" where ("r1"."words" operator("pg_catalog".=) 'do more'::"pg_catalog"."text"))));
create policy "rowgate/social/select" on "school"."mark" as permissive for select to "golden_computed_fields_social" using (("rowgate_policy"."call_21bee5f65090e4ce"("mark".*) operator("pg_catalog".=) '2'::"pg_catalog"."int8"));
create policy "rowgate/tutor/select" on "school"."remark" as permissive for select to "golden_computed_fields_tutor" using (("remark"."mark_id" operator("pg_catalog".=) any (array(select v."k1" from "rowgate_policy"."v_d32a99f12e3540d2" as v))));
create policy "rowgate/reader/select" on "school"."remark" as permissive for select to "golden_computed_fields_reader" using (true);
create policy "rowgate/through/select" on "school"."remark" as permissive for select to "golden_computed_fields_through" using ((exists (select 1 from "rowgate_policy"."v_ee00fc7ca0411951" as "r1" where "remark"."mark_id" operator("pg_catalog".=) "r1"."id" and (("rowgate_policy"."call_ad2ff4ed5431a7eb"("r1"."whole row") operator("pg_catalog".>=) '80'::"pg_catalog"."int4") and ("r1"."tutor" operator("pg_catalog".=) "remark"."author")))));
create policy "rowgate/writer/select" on "school"."remark" as permissive for select to "golden_computed_fields_writer" using (true);
create policy "rowgate/policy/select" on "school"."mark" as permissive for select to "golden_computed_fields_policy" using (true);
