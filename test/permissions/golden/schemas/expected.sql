alter table "billing"."invoice" enable row level security;
alter table "public"."invoice" enable row level security;
alter table "Odd.schema"."Odd.table" enable row level security;
create view "rowgate_policy"."v_33db04a96ecffa80" with (security_barrier) as select "r"."id" as "k1" from "billing"."invoice" as "r" where ((select «org» is not null) and ("r"."org" operator("pg_catalog".=) (select «org»::"pg_catalog"."int4")));
alter view "rowgate_policy"."v_33db04a96ecffa80" owner to "golden_schemas_policy";
create view "rowgate_policy"."v_d54f2b7593b20b6d" with (security_barrier) as select true as "found" from "billing"."invoice" as "r" where ((select «org» is not null) and ("r"."org" operator("pg_catalog".=) (select «org»::"pg_catalog"."int4")));
alter view "rowgate_policy"."v_d54f2b7593b20b6d" owner to "golden_schemas_policy";
create view "rowgate_api"."key_a1b124785a48ec1c" with (security_barrier) as select "r"."Id" as "Id" from "Odd.schema"."Odd.table" as "r" where (select pg_catalog.bool_and(p.polpermissive) and pg_catalog.has_column_privilege('"Odd.schema"."Odd.table"'::pg_catalog.regclass, 'Id', 'SELECT') from pg_catalog.pg_policy p where p.polrelid = '"Odd.schema"."Odd.table"'::pg_catalog.regclass and (p.polname = 'rowgate/odd/select' or not p.polpermissive)) and ((select «org» is not null and «state» is not null) and (("r"."State" operator("pg_catalog".=) (select «state»::"Odd.schema"."State")) and (exists (select 1 from "rowgate_policy"."v_33db04a96ecffa80" as "r1" where "r"."invoice_id" operator("pg_catalog".=) "r1"."k1" offset 0))));
alter view "rowgate_api"."key_a1b124785a48ec1c" owner to "golden_schemas_policy";
create view "rowgate_api"."entry_a1b124785a48ec1c" with (security_barrier) as select true as "found" where ((select «org» is not null) and (exists (select 1 from "rowgate_policy"."v_d54f2b7593b20b6d" as v)));
alter view "rowgate_api"."entry_a1b124785a48ec1c" owner to "golden_schemas_policy";
create function "rowgate_policy"."preset_bc9b0283238ecdd4"() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as 'begin
  if pg_catalog.row_security_active(tg_relid)
    or exists (select from pg_catalog.pg_partition_ancestors(tg_relid) as a where pg_catalog.row_security_active(a.relid)) then
    if tg_op operator(pg_catalog.=) ''INSERT'' and pg_catalog.pg_has_role(current_user, ''golden_schemas_odd''::pg_catalog.name, ''USAGE''::pg_catalog.text) then
      if «state» is null then
        raise exception using errcode = ''RG001'', message = pg_catalog.format(''missing session variable: "%s"'', ''x-gql-state'');
      end if;
      new."State" := (select «state»::"Odd.schema"."State");
    end if;
  end if;
  return new;
end';
revoke all on function "rowgate_policy"."preset_bc9b0283238ecdd4"() from public;
grant select ("id", "total") on "billing"."invoice" to "golden_schemas_member";
grant select ("id", "state") on "public"."invoice" to "golden_schemas_odd";
grant select ("Id") on "Odd.schema"."Odd.table" to "golden_schemas_odd";
grant insert ("Id") on "Odd.schema"."Odd.table" to "golden_schemas_odd";
grant select on "rowgate_policy"."v_33db04a96ecffa80" to "golden_schemas_odd";
grant select ("id", "org") on "billing"."invoice" to "golden_schemas_policy";
grant select ("Id", "State", "invoice_id") on "Odd.schema"."Odd.table" to "golden_schemas_policy";
grant select on "rowgate_api"."key_a1b124785a48ec1c" to "golden_schemas_odd";
grant select on "rowgate_api"."entry_a1b124785a48ec1c" to "golden_schemas_odd";
create policy "rowgate/member/select" on "billing"."invoice" as permissive for select to "golden_schemas_member" using (((select «org» is not null) and ("invoice"."org" operator("pg_catalog".=) (select «org»::"pg_catalog"."int4"))));
create policy "rowgate/odd/select" on "public"."invoice" as permissive for select to "golden_schemas_odd" using (("invoice"."state" operator("pg_catalog".=) any ('{"on"}'::"Odd.schema"."_State")));
create policy "rowgate/odd/select" on "Odd.schema"."Odd.table" as permissive for select to "golden_schemas_odd" using (((select «org» is not null and «state» is not null) and (("Odd.table"."State" operator("pg_catalog".=) (select «state»::"Odd.schema"."State")) and ("Odd.table"."invoice_id" is not null and "Odd.table"."invoice_id" operator("pg_catalog".=) any (array(select v."k1" from "rowgate_policy"."v_33db04a96ecffa80" as v))))));
create policy "rowgate/odd/insert" on "Odd.schema"."Odd.table" as permissive for insert to "golden_schemas_odd" with check (true);
create policy "rowgate/policy/select" on "billing"."invoice" as permissive for select to "golden_schemas_policy" using (true);
create policy "rowgate/policy/select" on "Odd.schema"."Odd.table" as permissive for select to "golden_schemas_policy" using (true);
create trigger "!rowgate/preset" before insert or update on "Odd.schema"."Odd.table" for each row execute function "rowgate_policy"."preset_bc9b0283238ecdd4"();
