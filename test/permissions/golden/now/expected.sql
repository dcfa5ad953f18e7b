alter table "public"."offer" enable row level security;
create function "rowgate_policy"."preset_5b283a7253fa94b7"() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as 'begin
  if pg_catalog.row_security_active(tg_relid)
    or exists (select from pg_catalog.pg_partition_ancestors(tg_relid) as a where pg_catalog.row_security_active(a.relid)) then
    if tg_op operator(pg_catalog.=) ''INSERT'' and pg_catalog.pg_has_role(current_user, ''golden_now_writer''::pg_catalog.name, ''USAGE''::pg_catalog.text) then
      new."changed_at" := pg_catalog.timezone(''UTC''::pg_catalog.text, pg_catalog.now())::"pg_catalog"."timestamp";
    end if;
    if tg_op operator(pg_catalog.=) ''UPDATE'' and pg_catalog.pg_has_role(current_user, ''golden_now_writer''::pg_catalog.name, ''USAGE''::pg_catalog.text) then
      new."until" := pg_catalog.now()::"pg_catalog"."timestamptz";
    end if;
  end if;
  return new;
end';
revoke all on function "rowgate_policy"."preset_5b283a7253fa94b7"() from public;
grant select ("id") on "public"."offer" to "golden_now_reader";
grant select ("id") on "public"."offer" to "golden_now_planner";
grant select ("id") on "public"."offer" to "golden_now_searcher";
grant select ("id", "until", "day", "changed_at", "note") on "public"."offer" to "golden_now_writer";
grant insert ("id") on "public"."offer" to "golden_now_writer";
grant update ("note") on "public"."offer" to "golden_now_writer";
create policy "rowgate/reader/select" on "public"."offer" as permissive for select to "golden_now_reader" using (("offer"."until" operator("pg_catalog".>) pg_catalog.now()::"pg_catalog"."timestamptz"));
create policy "rowgate/planner/select" on "public"."offer" as permissive for select to "golden_now_planner" using (("offer"."day" operator("pg_catalog".<=) pg_catalog.timezone('UTC'::pg_catalog.text, pg_catalog.now())::"pg_catalog"."date"));
create policy "rowgate/searcher/select" on "public"."offer" as permissive for select to "golden_now_searcher" using (("offer"."note" operator("pg_catalog".=) 'now'::"pg_catalog"."text"));
create policy "rowgate/writer/select" on "public"."offer" as permissive for select to "golden_now_writer" using (true);
create policy "rowgate/writer/insert" on "public"."offer" as permissive for insert to "golden_now_writer" with check (("offer"."changed_at" operator("pg_catalog".=) pg_catalog.timezone('UTC'::pg_catalog.text, pg_catalog.now())::"pg_catalog"."timestamp"));
create policy "rowgate/writer/update" on "public"."offer" as permissive for update to "golden_now_writer" using (true) with check (true);
create trigger "!rowgate/preset" before insert or update on "public"."offer" for each row execute function "rowgate_policy"."preset_5b283a7253fa94b7"();
