alter table "public"."base" enable row level security;
alter table "public"."special" enable row level security;
alter table "public"."event" enable row level security;
alter table "public"."event_2024" enable row level security;
alter table "public"."event_2025" enable row level security;
alter table "public"."event_2025_one" enable row level security;
alter table "public"."event_2025_rest" enable row level security;
create function "rowgate_api"."may_update_205bc6a02b53d50e"("k1" "pg_catalog"."int4", "k2" "pg_catalog"."date", "k3" "pg_catalog"."int4") returns pg_catalog.bool
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  begin atomic
    select exists (select 1 from "public"."event" as "r" where (r."id" operator("pg_catalog".=) "may_update_205bc6a02b53d50e"."k1"::"pg_catalog"."int4") and (r."at" operator("pg_catalog".=) "may_update_205bc6a02b53d50e"."k2"::"pg_catalog"."date") and (r."org" operator("pg_catalog".=) "may_update_205bc6a02b53d50e"."k3"::"pg_catalog"."int4") and ((select «org» is not null) and ("r"."org" operator("pg_catalog".=) (select «org»::"pg_catalog"."int4"))));
  end;
revoke all on function "rowgate_api"."may_update_205bc6a02b53d50e"("pg_catalog"."int4", "pg_catalog"."date", "pg_catalog"."int4") from public;
alter function "rowgate_api"."may_update_205bc6a02b53d50e"("pg_catalog"."int4", "pg_catalog"."date", "pg_catalog"."int4") owner to "golden_partitions_policy";
create function "rowgate_policy"."preset_8291ca75b88805f7"() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as 'begin
  if pg_catalog.row_security_active(tg_relid)
    or exists (select from pg_catalog.pg_partition_ancestors(tg_relid) as a where pg_catalog.row_security_active(a.relid)) then
    if tg_op operator(pg_catalog.=) ''INSERT'' and pg_catalog.pg_has_role(current_user, ''golden_partitions_member''::pg_catalog.name, ''USAGE''::pg_catalog.text) then
      if «user_id» is null then
        raise exception using errcode = ''RG001'', message = pg_catalog.format(''missing session variable: "%s"'', ''x-gql-user-id'');
      end if;
      new."author" := (select «user_id»::"pg_catalog"."text");
    end if;
    if tg_op operator(pg_catalog.=) ''UPDATE'' and pg_catalog.pg_has_role(current_user, ''golden_partitions_member''::pg_catalog.name, ''USAGE''::pg_catalog.text) then
      if «user_id» is null then
        raise exception using errcode = ''RG001'', message = pg_catalog.format(''missing session variable: "%s"'', ''x-gql-user-id'');
      end if;
      new."author" := (select «user_id»::"pg_catalog"."text");
    end if;
  end if;
  return new;
end';
revoke all on function "rowgate_policy"."preset_8291ca75b88805f7"() from public;
grant select ("id", "org") on "public"."base" to "golden_partitions_member";
grant delete on "public"."base" to "golden_partitions_member";
grant select ("id", "org", "at", "note", "author") on "public"."event" to "golden_partitions_member";
grant insert ("id", "org", "at", "note") on "public"."event" to "golden_partitions_member";
grant update ("at", "note") on "public"."event" to "golden_partitions_member";
grant delete on "public"."event" to "golden_partitions_member";
grant select ("id", "at", "org") on "public"."event" to "golden_partitions_policy";
create policy "rowgate/member/select" on "public"."base" as permissive for select to "golden_partitions_member" using (((select «org» is not null) and ("base"."org" operator("pg_catalog".=) (select «org»::"pg_catalog"."int4"))));
create policy "rowgate/member/delete" on "public"."base" as permissive for delete to "golden_partitions_member" using (((select «org» is not null) and ("base"."org" operator("pg_catalog".=) (select «org»::"pg_catalog"."int4"))));
create policy "rowgate/member/select" on "public"."event" as permissive for select to "golden_partitions_member" using (((select «org» is not null) and ("event"."org" operator("pg_catalog".=) (select «org»::"pg_catalog"."int4"))));
create policy "rowgate/member/insert" on "public"."event" as permissive for insert to "golden_partitions_member" with check (((select «org» is not null) and ("event"."org" operator("pg_catalog".=) (select «org»::"pg_catalog"."int4"))));
create policy "rowgate/member/update" on "public"."event" as permissive for update to "golden_partitions_member" using (((select «org» is not null) and ("event"."org" operator("pg_catalog".=) (select «org»::"pg_catalog"."int4")))) with check (true);
create policy "rowgate/member/delete" on "public"."event" as permissive for delete to "golden_partitions_member" using (((select «org» is not null) and ("event"."org" operator("pg_catalog".=) (select «org»::"pg_catalog"."int4"))));
create policy "rowgate/policy/select" on "public"."event" as permissive for select to "golden_partitions_policy" using (true);
create trigger "!rowgate/preset" before insert or update on "public"."event" for each row execute function "rowgate_policy"."preset_8291ca75b88805f7"();
