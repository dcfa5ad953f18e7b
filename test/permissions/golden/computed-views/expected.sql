alter table "public"."mark" enable row level security;
alter table "public"."page" enable row level security;
create function "rowgate_policy"."call_5e21174fa8187f14"("given 1" "public"."mark") returns "pg_catalog"."int4"
  language sql stable security invoker
  set search_path = "pg_catalog", "public", "pg_temp"
  begin atomic
    select "public"."total"("given 1");
  end;
revoke all on function "rowgate_policy"."call_5e21174fa8187f14"("public"."mark") from public;
create function "rowgate_policy"."call_5931d0ae19cc9b0b"("given 1" "public"."page") returns "pg_catalog"."int4"
  language sql stable security invoker
  set search_path = "pg_catalog", "public", "pg_temp"
  begin atomic
    select "public"."length_of"("given 1");
  end;
revoke all on function "rowgate_policy"."call_5931d0ae19cc9b0b"("public"."page") from public;
create function "rowgate_policy"."call_9509bc97f90c156b"("given 1" "public"."page", "given 2" "pg_catalog"."jsonb") returns "pg_catalog"."text"
  language sql stable security invoker
  set search_path = "pg_catalog", "public", "pg_temp"
  begin atomic
    select "public"."owner_of"("given 1", "given 2"::"pg_catalog"."jsonb");
  end;
revoke all on function "rowgate_policy"."call_9509bc97f90c156b"("public"."page", "pg_catalog"."jsonb") from public;
create function "rowgate_policy"."call_139d21242178f805"("given 1" "public"."page") returns "pg_catalog"."text"
  language sql stable security definer
  set search_path = "pg_catalog", "public", "pg_temp"
  begin atomic
    select "public"."book_of"("given 1");
  end;
revoke all on function "rowgate_policy"."call_139d21242178f805"("public"."page") from public;
create function "rowgate_policy"."call_c1cc72af561072d1"("given 1" "public"."page", "given 2" "pg_catalog"."jsonb") returns "pg_catalog"."text"
  language sql stable security definer
  set search_path = "pg_catalog", "public", "pg_temp"
  begin atomic
    select "public"."asked_by"("given 1", "given 2"::"pg_catalog"."jsonb");
  end;
revoke all on function "rowgate_policy"."call_c1cc72af561072d1"("public"."page", "pg_catalog"."jsonb") from public;
create function "rowgate_policy"."call_574c199c202aa498"("given 1" "public"."page") returns "pg_catalog"."int4"
  language sql stable security invoker
  set search_path = "pg_catalog", "public", "pg_temp"
  begin atomic
    select "public"."longer"("given 1");
  end;
revoke all on function "rowgate_policy"."call_574c199c202aa498"("public"."page") from public;
create function "rowgate_policy"."call_115bc9d3f5500f54"("given 1" "public"."page") returns "pg_catalog"."int4"
  language sql stable security definer
  set search_path = "pg_catalog", "public", "pg_temp"
  begin atomic
    select "public"."length_of"("given 1");
  end;
revoke all on function "rowgate_policy"."call_115bc9d3f5500f54"("public"."page") from public;
create view "rowgate_api"."computed_8f4b946b1b6b7dae" with (security_barrier) as select "r"."id" as "id", "rowgate_policy"."call_5e21174fa8187f14"("r".*) as "total" from "public"."mark" as "r" where ((select «user_id» is not null) and ("r"."tutor" operator("pg_catalog".=) (select «user_id»::"pg_catalog"."int4")));
alter view "rowgate_api"."computed_8f4b946b1b6b7dae" owner to "golden_computed_views_policy";
create view "rowgate_api"."computed_ec36978b044f73ac" with (security_barrier) as select "r"."book" as "book", "r"."number" as "number", "rowgate_policy"."call_5931d0ae19cc9b0b"("r".*) as "length", "rowgate_policy"."call_9509bc97f90c156b"("r".*, (select rowgate_api.session_variables('x-gql-'::pg_catalog.text) operator(pg_catalog.||) pg_catalog.jsonb_strip_nulls(pg_catalog.jsonb_object(array['x-gql-role', 'x-gql-user-id']::pg_catalog.text[], array['tutor', «user_id»]::pg_catalog.text[])))::"pg_catalog"."jsonb") as "owner", "rowgate_policy"."call_139d21242178f805"("r".*) as "book_text", "rowgate_policy"."call_c1cc72af561072d1"("r".*, (select rowgate_api.session_variables('x-gql-'::pg_catalog.text) operator(pg_catalog.||) pg_catalog.jsonb_strip_nulls(pg_catalog.jsonb_object(array['x-gql-role', 'x-gql-user-id']::pg_catalog.text[], array['tutor', «user_id»]::pg_catalog.text[])))::"pg_catalog"."jsonb") as "asked", "rowgate_policy"."call_574c199c202aa498"("r".*) as "longer" from "public"."page" as "r" where ("r"."book" operator("pg_catalog".=) '1'::"pg_catalog"."int4");
alter view "rowgate_api"."computed_ec36978b044f73ac" owner to "golden_computed_views_policy";
create view "rowgate_api"."computed_66d0ec38ec571857" with (security_barrier) as select "r"."book" as "book", "r"."number" as "number", "rowgate_policy"."call_139d21242178f805"("r".*) as "book_text", "rowgate_policy"."call_c1cc72af561072d1"("r".*, (select rowgate_api.session_variables('x-gql-'::pg_catalog.text) operator(pg_catalog.||) pg_catalog.jsonb_strip_nulls(pg_catalog.jsonb_object(array['x-gql-role', 'x-gql-user-id']::pg_catalog.text[], array['whole', «user_id»]::pg_catalog.text[])))::"pg_catalog"."jsonb") as "asked" from "public"."page" as "r" where ("r"."book" operator("pg_catalog".=) '2'::"pg_catalog"."int4");
alter view "rowgate_api"."computed_66d0ec38ec571857" owner to "golden_computed_views_policy";
create view "rowgate_api"."computed_749d327ef22c164e" with (security_barrier) as select "r"."book" as "book", "r"."number" as "number", "rowgate_policy"."call_5931d0ae19cc9b0b"("r".*) as "length" from "public"."page" as "r" where ("rowgate_policy"."call_115bc9d3f5500f54"("r".*) operator("pg_catalog".>) '3'::"pg_catalog"."int4");
alter view "rowgate_api"."computed_749d327ef22c164e" owner to "golden_computed_views_policy";
create view "rowgate_api"."computed_993d4dec3a794232" with (security_barrier) as select "r"."book" as "book", "r"."number" as "number", "rowgate_policy"."call_139d21242178f805"("r".*) as "book_text", "rowgate_policy"."call_c1cc72af561072d1"("r".*, (select rowgate_api.session_variables('x-gql-'::pg_catalog.text) operator(pg_catalog.||) pg_catalog.jsonb_strip_nulls(pg_catalog.jsonb_object(array['x-gql-role', 'x-gql-user-id']::pg_catalog.text[], array['admin', «user_id»]::pg_catalog.text[])))::"pg_catalog"."jsonb") as "asked" from "public"."page" as "r" where true;
alter view "rowgate_api"."computed_993d4dec3a794232" owner to "golden_computed_views_policy";
grant select ("name", "id") on "public"."mark" to "golden_computed_views_tutor";
grant select ("id", "name", "maths", "physics", "tutor") on "public"."mark" to "golden_computed_views_whole";
grant select ("book", "number") on "public"."page" to "golden_computed_views_tutor";
grant select ("book", "number", "secret") on "public"."page" to "golden_computed_views_whole";
grant select ("book", "number") on "public"."page" to "golden_computed_views_counter";
grant select ("id", "name", "maths", "physics", "tutor") on "public"."mark" to "golden_computed_views_policy";
grant select ("book", "number", "secret") on "public"."page" to "golden_computed_views_policy";
grant select on "rowgate_api"."computed_8f4b946b1b6b7dae" to "golden_computed_views_tutor";
grant select on "rowgate_api"."computed_ec36978b044f73ac" to "golden_computed_views_tutor";
grant select on "rowgate_api"."computed_66d0ec38ec571857" to "golden_computed_views_whole";
grant select on "rowgate_api"."computed_749d327ef22c164e" to "golden_computed_views_counter";
grant execute on function "public"."total"("public"."mark") to "golden_computed_views_tutor";
grant execute on function "rowgate_policy"."call_5e21174fa8187f14"("public"."mark") to "golden_computed_views_tutor";
grant execute on function "public"."total"("public"."mark") to "golden_computed_views_whole";
grant execute on function "public"."length_of"("public"."page") to "golden_computed_views_tutor";
grant execute on function "public"."owner_of"("public"."page", "pg_catalog"."jsonb") to "golden_computed_views_tutor";
grant execute on function "public"."longer"("public"."page", "pg_catalog"."int4") to "golden_computed_views_tutor";
grant execute on function "rowgate_policy"."call_5931d0ae19cc9b0b"("public"."page") to "golden_computed_views_tutor";
grant execute on function "rowgate_policy"."call_9509bc97f90c156b"("public"."page", "pg_catalog"."jsonb") to "golden_computed_views_tutor";
grant execute on function "rowgate_policy"."call_139d21242178f805"("public"."page") to "golden_computed_views_tutor";
grant execute on function "rowgate_policy"."call_c1cc72af561072d1"("public"."page", "pg_catalog"."jsonb") to "golden_computed_views_tutor";
grant execute on function "rowgate_policy"."call_574c199c202aa498"("public"."page") to "golden_computed_views_tutor";
grant execute on function "public"."length_of"("public"."page") to "golden_computed_views_whole";
grant execute on function "public"."owner_of"("public"."page", "pg_catalog"."jsonb") to "golden_computed_views_whole";
grant execute on function "public"."longer"("public"."page", "pg_catalog"."int4") to "golden_computed_views_whole";
grant execute on function "rowgate_policy"."call_139d21242178f805"("public"."page") to "golden_computed_views_whole";
grant execute on function "rowgate_policy"."call_c1cc72af561072d1"("public"."page", "pg_catalog"."jsonb") to "golden_computed_views_whole";
grant execute on function "public"."length_of"("public"."page") to "golden_computed_views_counter";
grant execute on function "rowgate_policy"."call_115bc9d3f5500f54"("public"."page") to "golden_computed_views_counter";
grant execute on function "rowgate_policy"."call_5931d0ae19cc9b0b"("public"."page") to "golden_computed_views_counter";
create policy "rowgate/tutor/select" on "public"."mark" as permissive for select to "golden_computed_views_tutor" using (((select «user_id» is not null) and ("mark"."tutor" operator("pg_catalog".=) (select «user_id»::"pg_catalog"."int4"))));
create policy "rowgate/whole/select" on "public"."mark" as permissive for select to "golden_computed_views_whole" using (true);
create policy "rowgate/tutor/select" on "public"."page" as permissive for select to "golden_computed_views_tutor" using (("page"."book" operator("pg_catalog".=) '1'::"pg_catalog"."int4"));
create policy "rowgate/whole/select" on "public"."page" as permissive for select to "golden_computed_views_whole" using (("page"."book" operator("pg_catalog".=) '2'::"pg_catalog"."int4"));
create policy "rowgate/counter/select" on "public"."page" as permissive for select to "golden_computed_views_counter" using (("rowgate_policy"."call_115bc9d3f5500f54"("page".*) operator("pg_catalog".>) '3'::"pg_catalog"."int4"));
create policy "rowgate/policy/select" on "public"."mark" as permissive for select to "golden_computed_views_policy" using (true);
create policy "rowgate/policy/select" on "public"."page" as permissive for select to "golden_computed_views_policy" using (true);
