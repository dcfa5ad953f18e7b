alter table "public"."keyless" enable row level security;
alter table "public"."ledger" enable row level security;
alter table "public"."ledger_eu" enable row level security;
alter table "public"."ledger_us" enable row level security;
alter table "public"."plain" enable row level security;
create function "rowgate_policy"."event_e1ab19d1289597d5"() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp set enable_nestloop = off set timezone = 'UTC' set extra_float_digits = 1 set bytea_output = 'hex' set intervalstyle = 'postgres' as '
#variable_conflict use_column
declare
  fired pg_catalog.bool := false;
begin
  if tg_relid operator(pg_catalog.<>) ''"public"."keyless"''::pg_catalog.regclass then
    if not exists (
      with recursive above(relid) as (
        select tg_relid
        union
        select i.inhparent from pg_catalog.pg_inherits i join above a on i.inhrelid operator(pg_catalog.=) a.relid)
      select from above a where a.relid operator(pg_catalog.=) ''"public"."keyless"''::pg_catalog.regclass) then
      raise exception using errcode = ''42501'', message = ''this function captures the events of another table'';
    end if;
  end if;
  if tg_op operator(pg_catalog.=) ''UPDATE'' then
    insert into rowgate_events.event (trigger, table_schema, table_name, op, data, session_variables, order_key)
    select ''keyless_update'', ''public'', ''keyless'', ''UPDATE'',
      pg_catalog.jsonb_build_object(''old'', (select pg_catalog.to_jsonb("rowgate/sent".*) from (select o."c2" as "o", o."c1" as "n", o."c3" as "the ""odd"" one") "rowgate/sent"), ''new'', (select pg_catalog.to_jsonb("rowgate/sent".*) from (select n."c2" as "o", n."c1" as "n", n."c3" as "the ""odd"" one") "rowgate/sent")),
      (select rowgate_api.event_session()), pg_catalog.jsonb_build_array(n."c4")::pg_catalog.text
    from (select pg_catalog.row_number() over () as place, "rowgate/old"."n" as "c1", "rowgate/old"."o" as "c2", "rowgate/old"."the ""odd"" one" as "c3", "rowgate/old"."whole" as "c4" from rowgate_old "rowgate/old") o
    join (select pg_catalog.row_number() over () as place, "rowgate/new"."n" as "c1", "rowgate/new"."o" as "c2", "rowgate/new"."the ""odd"" one" as "c3", "rowgate/new"."whole" as "c4" from rowgate_new "rowgate/new") n on n.place operator(pg_catalog.=) o.place
    where row(o."c1")::pg_catalog.record operator(pg_catalog.*<>) row(n."c1")::pg_catalog.record
    order by n.place;
    fired := fired or found;
  end if;
  if fired then
    perform pg_catalog.pg_notify(''rowgate_event'', '''');
  end if;
  return null;
end';
revoke all on function "rowgate_policy"."event_e1ab19d1289597d5"() from public;
do 'begin
  execute pg_catalog.format(''alter function "rowgate_policy"."event_e1ab19d1289597d5"() owner to %I'', (select r.rolname from pg_catalog.pg_namespace n join pg_catalog.pg_roles r on r.oid operator(pg_catalog.=) n.nspowner where n.nspname operator(pg_catalog.=) ''rowgate''));
end';
create function "rowgate_policy"."event_e4e9ee0e9e5ef2dc"() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp set enable_nestloop = off set timezone = 'UTC' set extra_float_digits = 1 set bytea_output = 'hex' set intervalstyle = 'postgres' as E'
#variable_conflict use_column
declare
  fired pg_catalog.bool := false;
begin
  if tg_relid operator(pg_catalog.<>) ''"public"."ledger"''::pg_catalog.regclass then
    if not exists (
      with recursive above(relid) as (
        select tg_relid
        union
        select i.inhparent from pg_catalog.pg_inherits i join above a on i.inhrelid operator(pg_catalog.=) a.relid)
      select from above a where a.relid operator(pg_catalog.=) ''"public"."ledger"''::pg_catalog.regclass) then
      raise exception using errcode = ''42501'', message = ''this function captures the events of another table'';
    end if;
  end if;
  begin
  if tg_op operator(pg_catalog.=) ''INSERT'' then
    insert into rowgate_events.event (trigger, table_schema, table_name, op, data, session_variables, order_key)
    select ''ledger_change'', ''public'', ''ledger'', ''INSERT'',
      pg_catalog.jsonb_build_object(''old'', null::pg_catalog.jsonb, ''new'', pg_catalog.to_jsonb("rowgate/new".*)),
      (select rowgate_api.event_session()), pg_catalog.jsonb_build_array("rowgate/new"."id")::pg_catalog.text
    from rowgate_new "rowgate/new";
    fired := fired or found;
  end if;
  if tg_op operator(pg_catalog.=) ''UPDATE'' then
    if (select pg_catalog.count(*) from rowgate_old) operator(pg_catalog.<>) (select pg_catalog.count(*) from rowgate_new) then
      raise exception using errcode = ''27000'', message = ''rows were dropped on their way to another partition, and event triggers cannot tell which'';
    end if;
    insert into rowgate_events.event (trigger, table_schema, table_name, op, data, session_variables, order_key)
    select ''ledger_change'', ''public'', ''ledger'', ''UPDATE'',
      pg_catalog.jsonb_build_object(''old'', pg_catalog.to_jsonb(o.whole), ''new'', pg_catalog.to_jsonb(n.whole)),
      (select rowgate_api.event_session()), pg_catalog.jsonb_build_array(n."c1")::pg_catalog.text
    from (select pg_catalog.row_number() over () as place, coalesce("rowgate/old".*) as whole, "rowgate/old"."id" as "c1" from rowgate_old "rowgate/old") o
    join (select pg_catalog.row_number() over () as place, coalesce("rowgate/new".*) as whole, "rowgate/new"."id" as "c1" from rowgate_new "rowgate/new") n on n.place operator(pg_catalog.=) o.place
    where o.whole operator(pg_catalog.*<>) n.whole
    order by n.place;
    fired := fired or found;
  end if;
  exception when untranslatable_character then
    raise exception using errcode = ''22P05'', message = E''an event trigger of public.ledger cannot tell a row that holds \\\\u0000 in json'';
  end;
  if fired then
    perform pg_catalog.pg_notify(''rowgate_event'', '''');
  end if;
  return null;
end';
revoke all on function "rowgate_policy"."event_e4e9ee0e9e5ef2dc"() from public;
do 'begin
  execute pg_catalog.format(''alter function "rowgate_policy"."event_e4e9ee0e9e5ef2dc"() owner to %I'', (select r.rolname from pg_catalog.pg_namespace n join pg_catalog.pg_roles r on r.oid operator(pg_catalog.=) n.nspowner where n.nspname operator(pg_catalog.=) ''rowgate''));
end';
create function "rowgate_api"."may_update_bb5e7d121d6979aa"("k1" "pg_catalog"."int4") returns pg_catalog.bool
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  begin atomic
    select exists (select 1 from "public"."plain" as "r" where (r."id" operator("pg_catalog".=) "may_update_bb5e7d121d6979aa"."k1"::"pg_catalog"."int4") and ((select «organization_id» is not null) and ("r"."organization_id" operator("pg_catalog".=) (select «organization_id»::"pg_catalog"."int4"))));
  end;
revoke all on function "rowgate_api"."may_update_bb5e7d121d6979aa"("pg_catalog"."int4") from public;
alter function "rowgate_api"."may_update_bb5e7d121d6979aa"("pg_catalog"."int4") owner to "golden_events_policy";
create function "rowgate_policy"."preset_1879a1e5a8bbabc0"() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as 'begin
  if pg_catalog.row_security_active(tg_relid)
    or exists (select from pg_catalog.pg_partition_ancestors(tg_relid) as a where pg_catalog.row_security_active(a.relid)) then
    if tg_op operator(pg_catalog.=) ''INSERT'' and pg_catalog.pg_has_role(current_user, ''golden_events_member''::pg_catalog.name, ''USAGE''::pg_catalog.text) then
      if «organization_id» is null then
        raise exception using errcode = ''RG001'', message = pg_catalog.format(''missing session variable: "%s"'', ''x-gql-organization-id'');
      end if;
      new."organization_id" := (select «organization_id»::"pg_catalog"."int4");
    end if;
  end if;
  return new;
end';
revoke all on function "rowgate_policy"."preset_1879a1e5a8bbabc0"() from public;
create function "rowgate_policy"."event_a60ed94ed0a3128b"() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp set enable_nestloop = off set timezone = 'UTC' set extra_float_digits = 1 set bytea_output = 'hex' set intervalstyle = 'postgres' as '
#variable_conflict use_column
declare
  fired pg_catalog.bool := false;
begin
  if tg_relid operator(pg_catalog.<>) ''"public"."plain"''::pg_catalog.regclass then
    if not exists (
      with recursive above(relid) as (
        select tg_relid
        union
        select i.inhparent from pg_catalog.pg_inherits i join above a on i.inhrelid operator(pg_catalog.=) a.relid)
      select from above a where a.relid operator(pg_catalog.=) ''"public"."plain"''::pg_catalog.regclass) then
      raise exception using errcode = ''42501'', message = ''this function captures the events of another table'';
    end if;
  end if;
  if tg_op operator(pg_catalog.=) ''INSERT'' then
    insert into rowgate_events.event (trigger, table_schema, table_name, op, data, session_variables, order_key)
    select ''plain_change'', ''public'', ''plain'', ''INSERT'',
      pg_catalog.jsonb_build_object(''old'', null::pg_catalog.jsonb, ''new'', pg_catalog.to_jsonb("rowgate/new".*)),
      (select rowgate_api.event_session()), null
    from rowgate_new "rowgate/new";
    fired := fired or found;
  end if;
  if tg_op operator(pg_catalog.=) ''UPDATE'' then
    insert into rowgate_events.event (trigger, table_schema, table_name, op, data, session_variables, order_key)
    select ''plain_change'', ''public'', ''plain'', ''UPDATE'',
      pg_catalog.jsonb_build_object(''old'', pg_catalog.to_jsonb(o.whole), ''new'', pg_catalog.to_jsonb(n.whole)),
      (select rowgate_api.event_session()), null
    from (select pg_catalog.row_number() over () as place, coalesce("rowgate/old".*) as whole from rowgate_old "rowgate/old") o
    join (select pg_catalog.row_number() over () as place, coalesce("rowgate/new".*) as whole from rowgate_new "rowgate/new") n on n.place operator(pg_catalog.=) o.place
    where o.whole operator(pg_catalog.*<>) n.whole
    order by n.place;
    fired := fired or found;
    insert into rowgate_events.event (trigger, table_schema, table_name, op, data, session_variables, order_key)
    select ''plain_status'', ''public'', ''plain'', ''UPDATE'',
      pg_catalog.jsonb_build_object(''old'', (select pg_catalog.to_jsonb("rowgate/sent".*) from (select o."c4" as "id", o."c1" as "status") "rowgate/sent"), ''new'', (select pg_catalog.to_jsonb("rowgate/sent".*) from (select n."c4" as "id", n."c1" as "status") "rowgate/sent")),
      (select rowgate_api.event_session()), pg_catalog.jsonb_build_array(n."c5", n."c4")::pg_catalog.text
    from (select pg_catalog.row_number() over () as place, "rowgate/old"."status" as "c1", "rowgate/old"."amount" as "c2", "rowgate/old"."place" as "c3", "rowgate/old"."id" as "c4", "rowgate/old"."organization_id" as "c5" from rowgate_old "rowgate/old") o
    join (select pg_catalog.row_number() over () as place, "rowgate/new"."status" as "c1", "rowgate/new"."amount" as "c2", "rowgate/new"."place" as "c3", "rowgate/new"."id" as "c4", "rowgate/new"."organization_id" as "c5" from rowgate_new "rowgate/new") n on n.place operator(pg_catalog.=) o.place
    where row(o."c1", o."c2", o."c3")::pg_catalog.record operator(pg_catalog.*<>) row(n."c1", n."c2", n."c3")::pg_catalog.record
    order by n.place;
    fired := fired or found;
  end if;
  if tg_op operator(pg_catalog.=) ''DELETE'' then
    insert into rowgate_events.event (trigger, table_schema, table_name, op, data, session_variables, order_key)
    select ''plain_change'', ''public'', ''plain'', ''DELETE'',
      pg_catalog.jsonb_build_object(''old'', pg_catalog.to_jsonb("rowgate/old".*), ''new'', null::pg_catalog.jsonb),
      (select rowgate_api.event_session()), null
    from rowgate_old "rowgate/old";
    fired := fired or found;
  end if;
  if fired then
    perform pg_catalog.pg_notify(''rowgate_event'', '''');
  end if;
  return null;
end';
revoke all on function "rowgate_policy"."event_a60ed94ed0a3128b"() from public;
do 'begin
  execute pg_catalog.format(''alter function "rowgate_policy"."event_a60ed94ed0a3128b"() owner to %I'', (select r.rolname from pg_catalog.pg_namespace n join pg_catalog.pg_roles r on r.oid operator(pg_catalog.=) n.nspowner where n.nspname operator(pg_catalog.=) ''rowgate''));
end';
grant select ("o", "n", "whole", "place", "the ""odd"" one") on "public"."keyless" to "golden_events_member";
grant update ("o", "n", "whole", "place", "the ""odd"" one") on "public"."keyless" to "golden_events_member";
grant select ("id", "region", "note") on "public"."ledger" to "golden_events_member";
grant update ("id", "region") on "public"."ledger" to "golden_events_member";
grant select ("id", "status") on "public"."plain" to "golden_events_member";
grant insert ("id", "status") on "public"."plain" to "golden_events_member";
grant update ("status", "amount") on "public"."plain" to "golden_events_member";
grant delete on "public"."plain" to "golden_events_member";
grant select ("id", "organization_id") on "public"."plain" to "golden_events_policy";
create policy "rowgate/member/select" on "public"."keyless" as permissive for select to "golden_events_member" using (true);
create policy "rowgate/member/update" on "public"."keyless" as permissive for update to "golden_events_member" using (true) with check (true);
create policy "rowgate/member/select" on "public"."ledger" as permissive for select to "golden_events_member" using (true);
create policy "rowgate/member/update" on "public"."ledger" as permissive for update to "golden_events_member" using (true) with check (true);
create policy "rowgate/member/select" on "public"."plain" as permissive for select to "golden_events_member" using (((select «organization_id» is not null) and ("plain"."organization_id" operator("pg_catalog".=) (select «organization_id»::"pg_catalog"."int4"))));
create policy "rowgate/member/insert" on "public"."plain" as permissive for insert to "golden_events_member" with check (true);
create policy "rowgate/member/update" on "public"."plain" as permissive for update to "golden_events_member" using (true) with check (true);
create policy "rowgate/member/delete" on "public"."plain" as permissive for delete to "golden_events_member" using (true);
create policy "rowgate/policy/select" on "public"."plain" as permissive for select to "golden_events_policy" using (true);
create trigger "!rowgate/event/update" after update on "public"."keyless" referencing old table as rowgate_old new table as rowgate_new for each statement execute function "rowgate_policy"."event_e1ab19d1289597d5"();
create trigger "!rowgate/event/insert" after insert on "public"."ledger" referencing new table as rowgate_new for each statement execute function "rowgate_policy"."event_e4e9ee0e9e5ef2dc"();
create trigger "!rowgate/event/insert/event_e4e9ee0e9e5ef2dc" after insert on "public"."ledger_eu" referencing new table as rowgate_new for each statement execute function "rowgate_policy"."event_e4e9ee0e9e5ef2dc"();
create trigger "!rowgate/event/insert/event_e4e9ee0e9e5ef2dc" after insert on "public"."ledger_us" referencing new table as rowgate_new for each statement execute function "rowgate_policy"."event_e4e9ee0e9e5ef2dc"();
create trigger "!rowgate/event/update" after update on "public"."ledger" referencing old table as rowgate_old new table as rowgate_new for each statement execute function "rowgate_policy"."event_e4e9ee0e9e5ef2dc"();
create trigger "!rowgate/event/update/event_e4e9ee0e9e5ef2dc" after update on "public"."ledger_eu" referencing old table as rowgate_old new table as rowgate_new for each statement execute function "rowgate_policy"."event_e4e9ee0e9e5ef2dc"();
create trigger "!rowgate/event/update/event_e4e9ee0e9e5ef2dc" after update on "public"."ledger_us" referencing old table as rowgate_old new table as rowgate_new for each statement execute function "rowgate_policy"."event_e4e9ee0e9e5ef2dc"();
create trigger "!rowgate/preset" before insert or update on "public"."plain" for each row execute function "rowgate_policy"."preset_1879a1e5a8bbabc0"();
create trigger "!rowgate/event/insert" after insert on "public"."plain" referencing new table as rowgate_new for each statement execute function "rowgate_policy"."event_a60ed94ed0a3128b"();
create trigger "!rowgate/event/update" after update on "public"."plain" referencing old table as rowgate_old new table as rowgate_new for each statement execute function "rowgate_policy"."event_a60ed94ed0a3128b"();
create trigger "!rowgate/event/delete" after delete on "public"."plain" referencing old table as rowgate_old for each statement execute function "rowgate_policy"."event_a60ed94ed0a3128b"();
