alter table "public"."thing" enable row level security;
create function "rowgate_policy"."preset_b1a8db61075339b5"() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as 'begin
  if pg_catalog.row_security_active(tg_relid)
    or exists (select from pg_catalog.pg_partition_ancestors(tg_relid) as a where pg_catalog.row_security_active(a.relid)) then
    if tg_op operator(pg_catalog.=) ''INSERT'' and pg_catalog.pg_has_role(current_user, ''golden_literals_escaped_preset''::pg_catalog.name, ''USAGE''::pg_catalog.text) then
      new."t" := ''X-Gql-Role''::"pg_catalog"."text";
    end if;
  end if;
  return new;
end';
revoke all on function "rowgate_policy"."preset_b1a8db61075339b5"() from public;
grant select ("id") on "public"."thing" to "golden_literals_quotes";
grant select ("id") on "public"."thing" to "golden_literals_unicode";
grant select ("id") on "public"."thing" to "golden_literals_lines";
grant select ("id") on "public"."thing" to "golden_literals_number";
grant select ("id") on "public"."thing" to "golden_literals_exponent";
grant select ("id") on "public"."thing" to "golden_literals_zero";
grant select ("id") on "public"."thing" to "golden_literals_float";
grant select ("id") on "public"."thing" to "golden_literals_json_big";
grant select ("id") on "public"."thing" to "golden_literals_json_exact";
grant select ("id") on "public"."thing" to "golden_literals_json_text";
grant select ("id") on "public"."thing" to "golden_literals_list";
grant select ("id") on "public"."thing" to "golden_literals_list_null_word";
grant select ("id") on "public"."thing" to "golden_literals_variable_like";
grant select ("id") on "public"."thing" to "golden_literals_date";
grant select ("id") on "public"."thing" to "golden_literals_escaped";
grant select ("id") on "public"."thing" to "golden_literals_escaped_list";
grant select ("id") on "public"."thing" to "golden_literals_escaped_items";
grant select ("id") on "public"."thing" to "golden_literals_escaped_json";
grant select ("id", "t") on "public"."thing" to "golden_literals_escaped_preset";
grant insert ("id") on "public"."thing" to "golden_literals_escaped_preset";
create policy "rowgate/quotes/select" on "public"."thing" as permissive for select to "golden_literals_quotes" using (("thing"."t" operator("pg_catalog".=) E'it''s "quoted" \\ and $1; drop table thing --'::"pg_catalog"."text"));
create policy "rowgate/unicode/select" on "public"."thing" as permissive for select to "golden_literals_unicode" using (("thing"."t" operator("pg_catalog".=) 'żółć ☃ 💩'::"pg_catalog"."text"));
create policy "rowgate/lines/select" on "public"."thing" as permissive for select to "golden_literals_lines" using (("thing"."t" operator("pg_catalog".=) 'line
break	tab'::"pg_catalog"."text"));
create policy "rowgate/number/select" on "public"."thing" as permissive for select to "golden_literals_number" using (("thing"."big" operator("pg_catalog".=) '12345678901234567890.123456789'::"pg_catalog"."numeric"));
create policy "rowgate/exponent/select" on "public"."thing" as permissive for select to "golden_literals_exponent" using (("thing"."big" operator("pg_catalog".=) '1e30'::"pg_catalog"."numeric"));
create policy "rowgate/zero/select" on "public"."thing" as permissive for select to "golden_literals_zero" using (("thing"."f" operator("pg_catalog".=) '-0'::"pg_catalog"."float8"));
create policy "rowgate/float/select" on "public"."thing" as permissive for select to "golden_literals_float" using (("thing"."f" operator("pg_catalog".>) '1e307'::"pg_catalog"."float8"));
create policy "rowgate/json_big/select" on "public"."thing" as permissive for select to "golden_literals_json_big" using (("thing"."doc" operator("pg_catalog".@>) '{"n":12345678901234567890}'::"pg_catalog"."jsonb"));
create policy "rowgate/json_exact/select" on "public"."thing" as permissive for select to "golden_literals_json_exact" using (("thing"."doc" operator("pg_catalog".=) '{"n":9007199254740993}'::"pg_catalog"."jsonb"));
create policy "rowgate/json_text/select" on "public"."thing" as permissive for select to "golden_literals_json_text" using (("thing"."doc" operator("pg_catalog".@>) '{"t":"it''s"}'::"pg_catalog"."jsonb"));
create policy "rowgate/list/select" on "public"."thing" as permissive for select to "golden_literals_list" using (("thing"."list" operator("pg_catalog".=) E'{"a,b","{}","\\"","\\\\","NULL"}'::"pg_catalog"."_text"));
create policy "rowgate/list_null_word/select" on "public"."thing" as permissive for select to "golden_literals_list_null_word" using (("thing"."t" operator("pg_catalog".=) any ('{"NULL","żółć ☃ 💩"}'::"pg_catalog"."_text")));
create policy "rowgate/variable_like/select" on "public"."thing" as permissive for select to "golden_literals_variable_like" using (("thing"."t" operator("pg_catalog".=) any ('{"gql.x","organization_id"}'::"pg_catalog"."_text")));
create policy "rowgate/date/select" on "public"."thing" as permissive for select to "golden_literals_date" using (("thing"."d" operator("pg_catalog".<) '2024-03-01'::"pg_catalog"."date"));
create policy "rowgate/escaped/select" on "public"."thing" as permissive for select to "golden_literals_escaped" using (("thing"."t" operator("pg_catalog".=) 'X-Hasura-User-Id'::"pg_catalog"."text"));
create policy "rowgate/escaped_list/select" on "public"."thing" as permissive for select to "golden_literals_escaped_list" using (("thing"."t" operator("pg_catalog".=) any ('{"X-Gql-User-Id","other"}'::"pg_catalog"."_text")));
create policy "rowgate/escaped_items/select" on "public"."thing" as permissive for select to "golden_literals_escaped_items" using (("thing"."list" operator("pg_catalog".=) array['a'::"pg_catalog"."text", 'X-Gql-User-Id'::"pg_catalog"."text"]::"pg_catalog"."_text"));
create policy "rowgate/escaped_json/select" on "public"."thing" as permissive for select to "golden_literals_escaped_json" using (("thing"."doc" operator("pg_catalog".@>) '{"t":"X-Gql-User-Id"}'::"pg_catalog"."jsonb"));
create policy "rowgate/escaped_preset/select" on "public"."thing" as permissive for select to "golden_literals_escaped_preset" using (true);
create policy "rowgate/escaped_preset/insert" on "public"."thing" as permissive for insert to "golden_literals_escaped_preset" with check (true);
create trigger "!rowgate/preset" before insert or update on "public"."thing" for each row execute function "rowgate_policy"."preset_b1a8db61075339b5"();
