alter table "public"."item" enable row level security;
alter table "public"."keyless" enable row level security;
alter table "public"."odd ""name.'" enable row level security;
alter table "public"."reading" enable row level security;
alter table "public"."reading_2024" enable row level security;
create function "rowgate_policy"."live_dbcbb19dc1ae048c"() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp  as '
begin
  if tg_relid operator(pg_catalog.<>) ''"public"."item"''::pg_catalog.regclass then
    if not exists (
      with recursive above(relid) as (
        select tg_relid
        union
        select i.inhparent from pg_catalog.pg_inherits i join above a on i.inhrelid operator(pg_catalog.=) a.relid)
      select from above a where a.relid operator(pg_catalog.=) ''"public"."item"''::pg_catalog.regclass) then
      raise exception using errcode = ''42501'', message = ''this function records the changes of another table'';
    end if;
  end if;
  case tg_op
  when ''INSERT'' then
    insert into rowgate.live_change (table_key, keys, rows) select ''public.item'', pg_catalog.array_remove(array[''id='' operator(pg_catalog.||) "n"."id"::pg_catalog.text, ''organization_id='' operator(pg_catalog.||) "n"."organization_id"::pg_catalog.text, ''stage='' operator(pg_catalog.||) "n"."stage"::pg_catalog.text]::pg_catalog.text[], null), pg_catalog.json_build_array(pg_catalog.json_build_array(pg_catalog.json_build_array("n"."id"::pg_catalog.text), null)) from rowgate_new n where (select pg_catalog.count(*) from (select from "rowgate_new" limit 2) r) operator(pg_catalog.=) 1;
    if not found then
      insert into rowgate.live_change (table_key, keys, rows) select ''public.item'', nullif((select case when pg_catalog.count(*) operator(pg_catalog.>) 1000 then array[''id*'']::pg_catalog.text[]
      else coalesce(pg_catalog.array_agg(''id='' operator(pg_catalog.||) v.value::pg_catalog.text), ''{}'') end
      from (select distinct c.value from (select r."id" as value from "rowgate_new" r) c where c.value is not null limit 1000 operator(pg_catalog.+) 1) v) operator(pg_catalog.||) (select case when pg_catalog.count(*) operator(pg_catalog.>) 1000 then array[''organization_id*'']::pg_catalog.text[]
      else coalesce(pg_catalog.array_agg(''organization_id='' operator(pg_catalog.||) v.value::pg_catalog.text), ''{}'') end
      from (select distinct c.value from (select r."organization_id" as value from "rowgate_new" r) c where c.value is not null limit 1000 operator(pg_catalog.+) 1) v) operator(pg_catalog.||) (select case when pg_catalog.count(*) operator(pg_catalog.>) 1000 then array[''stage*'']::pg_catalog.text[]
      else coalesce(pg_catalog.array_agg(''stage='' operator(pg_catalog.||) v.value::pg_catalog.text), ''{}'') end
      from (select distinct c.value from (select r."stage" as value from "rowgate_new" r) c where c.value is not null limit 1000 operator(pg_catalog.+) 1) v), array[''id*'', ''organization_id*'', ''stage*'']::pg_catalog.text[]), (select case when pg_catalog.count(*) operator(pg_catalog.<=) 10000
      then coalesce(pg_catalog.json_agg(pg_catalog.json_build_array(m.key, m.moved)), ''[]'') end
      from (select pg_catalog.json_build_array(r."id"::pg_catalog.text) as key, null::pg_catalog.text[] as moved from rowgate_new r limit 10000 operator(pg_catalog.+) 1) m) where exists (select from "rowgate_new");
    end if;
  when ''UPDATE'' then
    insert into rowgate.live_change (table_key, keys, rows) select ''public.item'', pg_catalog.array_remove(array[''id='' operator(pg_catalog.||) "n"."id"::pg_catalog.text, nullif(''id='' operator(pg_catalog.||) "o"."id"::pg_catalog.text, ''id='' operator(pg_catalog.||) "n"."id"::pg_catalog.text), ''organization_id='' operator(pg_catalog.||) "n"."organization_id"::pg_catalog.text, nullif(''organization_id='' operator(pg_catalog.||) "o"."organization_id"::pg_catalog.text, ''organization_id='' operator(pg_catalog.||) "n"."organization_id"::pg_catalog.text), ''stage='' operator(pg_catalog.||) "n"."stage"::pg_catalog.text, nullif(''stage='' operator(pg_catalog.||) "o"."stage"::pg_catalog.text, ''stage='' operator(pg_catalog.||) "n"."stage"::pg_catalog.text)]::pg_catalog.text[], null), case when "n"."id"::pg_catalog.text collate pg_catalog."C" is distinct from "o"."id"::pg_catalog.text collate pg_catalog."C" then pg_catalog.json_build_array(pg_catalog.json_build_array(pg_catalog.json_build_array("n"."id"::pg_catalog.text), null))
      when "n"."created_at" is distinct from "o"."created_at" or "n"."updated_at" is distinct from "o"."updated_at" then pg_catalog.json_build_array(pg_catalog.json_build_array(pg_catalog.json_build_array("n"."id"::pg_catalog.text), pg_catalog.array_remove(array[case when "n"."created_at" is distinct from "o"."created_at" then ''created_at'' end, case when "n"."updated_at" is distinct from "o"."updated_at" then ''updated_at'' end]::pg_catalog.text[], null))) else ''[]'' end from rowgate_new n cross join rowgate_old o where (select pg_catalog.count(*) from (select from "rowgate_old" limit 2) r) operator(pg_catalog.=) 1;
    if not found then
      insert into rowgate.live_change (table_key, keys, rows) select ''public.item'', nullif((select case when pg_catalog.count(*) operator(pg_catalog.>) 1000 then array[''id*'']::pg_catalog.text[]
      else coalesce(pg_catalog.array_agg(''id='' operator(pg_catalog.||) v.value::pg_catalog.text), ''{}'') end
      from (select distinct c.value from (select r."id" as value from "rowgate_new" r union all select r."id" as value from "rowgate_old" r) c where c.value is not null limit 1000 operator(pg_catalog.+) 1) v) operator(pg_catalog.||) (select case when pg_catalog.count(*) operator(pg_catalog.>) 1000 then array[''organization_id*'']::pg_catalog.text[]
      else coalesce(pg_catalog.array_agg(''organization_id='' operator(pg_catalog.||) v.value::pg_catalog.text), ''{}'') end
      from (select distinct c.value from (select r."organization_id" as value from "rowgate_new" r union all select r."organization_id" as value from "rowgate_old" r) c where c.value is not null limit 1000 operator(pg_catalog.+) 1) v) operator(pg_catalog.||) (select case when pg_catalog.count(*) operator(pg_catalog.>) 1000 then array[''stage*'']::pg_catalog.text[]
      else coalesce(pg_catalog.array_agg(''stage='' operator(pg_catalog.||) v.value::pg_catalog.text), ''{}'') end
      from (select distinct c.value from (select r."stage" as value from "rowgate_new" r union all select r."stage" as value from "rowgate_old" r) c where c.value is not null limit 1000 operator(pg_catalog.+) 1) v), array[''id*'', ''organization_id*'', ''stage*'']::pg_catalog.text[]), (select case when pg_catalog.count(*) operator(pg_catalog.<=) 10000
      then coalesce(pg_catalog.json_agg(pg_catalog.json_build_array(m.key, m.moved)), ''[]'') end
      from (select pg_catalog.json_build_array(u."key 0") as key, case when pg_catalog.count(*) operator(pg_catalog.=) 2 then pg_catalog.array_remove(array[case when pg_catalog.min(u."cursor 0") operator(pg_catalog.<>) pg_catalog.max(u."cursor 0") then ''created_at'' end, case when pg_catalog.min(u."cursor 1") operator(pg_catalog.<>) pg_catalog.max(u."cursor 1") then ''updated_at'' end]::pg_catalog.text[], null) end as moved
      from (select r."id"::pg_catalog.text collate pg_catalog."C" as "key 0", r."created_at" as "cursor 0", r."updated_at" as "cursor 1", true as is_new from rowgate_new r union all select r."id"::pg_catalog.text collate pg_catalog."C" as "key 0", r."created_at" as "cursor 0", r."updated_at" as "cursor 1", false as is_new from rowgate_old r) u
      group by u."key 0"
      having pg_catalog.bool_or(u.is_new) and (pg_catalog.count(*) operator(pg_catalog.=) 1 or pg_catalog.min(u."cursor 0") operator(pg_catalog.<>) pg_catalog.max(u."cursor 0") or pg_catalog.min(u."cursor 1") operator(pg_catalog.<>) pg_catalog.max(u."cursor 1")) limit 10000 operator(pg_catalog.+) 1) m) where exists (select from "rowgate_old");
    end if;
  when ''DELETE'' then
    insert into rowgate.live_change (table_key, keys, rows) select ''public.item'', pg_catalog.array_remove(array[''id='' operator(pg_catalog.||) "o"."id"::pg_catalog.text, ''organization_id='' operator(pg_catalog.||) "o"."organization_id"::pg_catalog.text, ''stage='' operator(pg_catalog.||) "o"."stage"::pg_catalog.text]::pg_catalog.text[], null), ''[]''::pg_catalog.json from rowgate_old o where (select pg_catalog.count(*) from (select from "rowgate_old" limit 2) r) operator(pg_catalog.=) 1;
    if not found then
      insert into rowgate.live_change (table_key, keys, rows) select ''public.item'', nullif((select case when pg_catalog.count(*) operator(pg_catalog.>) 1000 then array[''id*'']::pg_catalog.text[]
      else coalesce(pg_catalog.array_agg(''id='' operator(pg_catalog.||) v.value::pg_catalog.text), ''{}'') end
      from (select distinct c.value from (select r."id" as value from "rowgate_old" r) c where c.value is not null limit 1000 operator(pg_catalog.+) 1) v) operator(pg_catalog.||) (select case when pg_catalog.count(*) operator(pg_catalog.>) 1000 then array[''organization_id*'']::pg_catalog.text[]
      else coalesce(pg_catalog.array_agg(''organization_id='' operator(pg_catalog.||) v.value::pg_catalog.text), ''{}'') end
      from (select distinct c.value from (select r."organization_id" as value from "rowgate_old" r) c where c.value is not null limit 1000 operator(pg_catalog.+) 1) v) operator(pg_catalog.||) (select case when pg_catalog.count(*) operator(pg_catalog.>) 1000 then array[''stage*'']::pg_catalog.text[]
      else coalesce(pg_catalog.array_agg(''stage='' operator(pg_catalog.||) v.value::pg_catalog.text), ''{}'') end
      from (select distinct c.value from (select r."stage" as value from "rowgate_old" r) c where c.value is not null limit 1000 operator(pg_catalog.+) 1) v), array[''id*'', ''organization_id*'', ''stage*'']::pg_catalog.text[]), ''[]''::pg_catalog.json where exists (select from "rowgate_old");
    end if;
  else
    insert into rowgate.live_change (table_key, keys, rows) select ''public.item'', null, ''[]''::pg_catalog.json;
  end case;
  return null;
end';
revoke all on function "rowgate_policy"."live_dbcbb19dc1ae048c"() from public;
do 'begin
  execute pg_catalog.format(''alter function "rowgate_policy"."live_dbcbb19dc1ae048c"() owner to %I'', (select r.rolname from pg_catalog.pg_namespace n join pg_catalog.pg_roles r on r.oid operator(pg_catalog.=) n.nspowner where n.nspname operator(pg_catalog.=) ''rowgate''));
end';
create function "rowgate_policy"."live_7d499f6867d4e627"() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp  as '
begin
  if tg_relid operator(pg_catalog.<>) ''"public"."keyless"''::pg_catalog.regclass then
    if not exists (
      with recursive above(relid) as (
        select tg_relid
        union
        select i.inhparent from pg_catalog.pg_inherits i join above a on i.inhrelid operator(pg_catalog.=) a.relid)
      select from above a where a.relid operator(pg_catalog.=) ''"public"."keyless"''::pg_catalog.regclass) then
      raise exception using errcode = ''42501'', message = ''this function records the changes of another table'';
    end if;
  end if;
  case tg_op
  when ''INSERT'' then
    insert into rowgate.live_change (table_key, keys, rows) select ''public.keyless'', null, ''[]''::pg_catalog.json from rowgate_new n where (select pg_catalog.count(*) from (select from "rowgate_new" limit 2) r) operator(pg_catalog.=) 1;
    if not found then
      insert into rowgate.live_change (table_key, keys, rows) select ''public.keyless'', null, ''[]''::pg_catalog.json where exists (select from "rowgate_new");
    end if;
  when ''UPDATE'' then
    insert into rowgate.live_change (table_key, keys, rows) select ''public.keyless'', null, ''[]''::pg_catalog.json from rowgate_new n cross join rowgate_old o where (select pg_catalog.count(*) from (select from "rowgate_old" limit 2) r) operator(pg_catalog.=) 1;
    if not found then
      insert into rowgate.live_change (table_key, keys, rows) select ''public.keyless'', null, ''[]''::pg_catalog.json where exists (select from "rowgate_old");
    end if;
  when ''DELETE'' then
    insert into rowgate.live_change (table_key, keys, rows) select ''public.keyless'', null, ''[]''::pg_catalog.json from rowgate_old o where (select pg_catalog.count(*) from (select from "rowgate_old" limit 2) r) operator(pg_catalog.=) 1;
    if not found then
      insert into rowgate.live_change (table_key, keys, rows) select ''public.keyless'', null, ''[]''::pg_catalog.json where exists (select from "rowgate_old");
    end if;
  else
    insert into rowgate.live_change (table_key, keys, rows) select ''public.keyless'', null, ''[]''::pg_catalog.json;
  end case;
  return null;
end';
revoke all on function "rowgate_policy"."live_7d499f6867d4e627"() from public;
do 'begin
  execute pg_catalog.format(''alter function "rowgate_policy"."live_7d499f6867d4e627"() owner to %I'', (select r.rolname from pg_catalog.pg_namespace n join pg_catalog.pg_roles r on r.oid operator(pg_catalog.=) n.nspowner where n.nspname operator(pg_catalog.=) ''rowgate''));
end';
create function "rowgate_policy"."live_2ed1f1328e02cc0b"() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp  as E'
begin
  if tg_relid operator(pg_catalog.<>) ''"public"."odd ""name.''''"''::pg_catalog.regclass then
    if not exists (
      with recursive above(relid) as (
        select tg_relid
        union
        select i.inhparent from pg_catalog.pg_inherits i join above a on i.inhrelid operator(pg_catalog.=) a.relid)
      select from above a where a.relid operator(pg_catalog.=) ''"public"."odd ""name.''''"''::pg_catalog.regclass) then
      raise exception using errcode = ''42501'', message = ''this function records the changes of another table'';
    end if;
  end if;
  case tg_op
  when ''INSERT'' then
    insert into rowgate.live_change (table_key, keys, rows) select E''public.odd "name\\\\.'''''', pg_catalog.array_remove(array[''a=b*='' operator(pg_catalog.||) "n"."a=b*"::pg_catalog.text, ''say "n"''''s='' operator(pg_catalog.||) "n"."say ""n""''s"::pg_catalog.text]::pg_catalog.text[], null), pg_catalog.json_build_array(pg_catalog.json_build_array(pg_catalog.json_build_array("n"."a=b*"::pg_catalog.text), null)) from rowgate_new n where (select pg_catalog.count(*) from (select from "rowgate_new" limit 2) r) operator(pg_catalog.=) 1;
    if not found then
      insert into rowgate.live_change (table_key, keys, rows) select E''public.odd "name\\\\.'''''', nullif((select case when pg_catalog.count(*) operator(pg_catalog.>) 1000 then array[''a=b**'']::pg_catalog.text[]
      else coalesce(pg_catalog.array_agg(''a=b*='' operator(pg_catalog.||) v.value::pg_catalog.text), ''{}'') end
      from (select distinct c.value from (select r."a=b*" as value from "rowgate_new" r) c where c.value is not null limit 1000 operator(pg_catalog.+) 1) v) operator(pg_catalog.||) (select case when pg_catalog.count(*) operator(pg_catalog.>) 1000 then array[''say "n"''''s*'']::pg_catalog.text[]
      else coalesce(pg_catalog.array_agg(''say "n"''''s='' operator(pg_catalog.||) v.value::pg_catalog.text), ''{}'') end
      from (select distinct c.value from (select r."say ""n""''s" as value from "rowgate_new" r) c where c.value is not null limit 1000 operator(pg_catalog.+) 1) v), array[''a=b**'', ''say "n"''''s*'']::pg_catalog.text[]), (select case when pg_catalog.count(*) operator(pg_catalog.<=) 10000
      then coalesce(pg_catalog.json_agg(pg_catalog.json_build_array(m.key, m.moved)), ''[]'') end
      from (select pg_catalog.json_build_array(r."a=b*"::pg_catalog.text) as key, null::pg_catalog.text[] as moved from rowgate_new r limit 10000 operator(pg_catalog.+) 1) m) where exists (select from "rowgate_new");
    end if;
  when ''UPDATE'' then
    insert into rowgate.live_change (table_key, keys, rows) select E''public.odd "name\\\\.'''''', pg_catalog.array_remove(array[''a=b*='' operator(pg_catalog.||) "n"."a=b*"::pg_catalog.text, nullif(''a=b*='' operator(pg_catalog.||) "o"."a=b*"::pg_catalog.text, ''a=b*='' operator(pg_catalog.||) "n"."a=b*"::pg_catalog.text), ''say "n"''''s='' operator(pg_catalog.||) "n"."say ""n""''s"::pg_catalog.text, nullif(''say "n"''''s='' operator(pg_catalog.||) "o"."say ""n""''s"::pg_catalog.text, ''say "n"''''s='' operator(pg_catalog.||) "n"."say ""n""''s"::pg_catalog.text)]::pg_catalog.text[], null), case when "n"."a=b*"::pg_catalog.text collate pg_catalog."C" is distinct from "o"."a=b*"::pg_catalog.text collate pg_catalog."C" then pg_catalog.json_build_array(pg_catalog.json_build_array(pg_catalog.json_build_array("n"."a=b*"::pg_catalog.text), null))
       else ''[]'' end from rowgate_new n cross join rowgate_old o where (select pg_catalog.count(*) from (select from "rowgate_old" limit 2) r) operator(pg_catalog.=) 1;
    if not found then
      insert into rowgate.live_change (table_key, keys, rows) select E''public.odd "name\\\\.'''''', nullif((select case when pg_catalog.count(*) operator(pg_catalog.>) 1000 then array[''a=b**'']::pg_catalog.text[]
      else coalesce(pg_catalog.array_agg(''a=b*='' operator(pg_catalog.||) v.value::pg_catalog.text), ''{}'') end
      from (select distinct c.value from (select r."a=b*" as value from "rowgate_new" r union all select r."a=b*" as value from "rowgate_old" r) c where c.value is not null limit 1000 operator(pg_catalog.+) 1) v) operator(pg_catalog.||) (select case when pg_catalog.count(*) operator(pg_catalog.>) 1000 then array[''say "n"''''s*'']::pg_catalog.text[]
      else coalesce(pg_catalog.array_agg(''say "n"''''s='' operator(pg_catalog.||) v.value::pg_catalog.text), ''{}'') end
      from (select distinct c.value from (select r."say ""n""''s" as value from "rowgate_new" r union all select r."say ""n""''s" as value from "rowgate_old" r) c where c.value is not null limit 1000 operator(pg_catalog.+) 1) v), array[''a=b**'', ''say "n"''''s*'']::pg_catalog.text[]), (select case when pg_catalog.count(*) operator(pg_catalog.<=) 10000
      then coalesce(pg_catalog.json_agg(pg_catalog.json_build_array(m.key, m.moved)), ''[]'') end
      from (select pg_catalog.json_build_array(u."key 0") as key, case when pg_catalog.count(*) operator(pg_catalog.=) 2 then pg_catalog.array_remove(array[]::pg_catalog.text[], null) end as moved
      from (select r."a=b*"::pg_catalog.text collate pg_catalog."C" as "key 0", true as is_new from rowgate_new r union all select r."a=b*"::pg_catalog.text collate pg_catalog."C" as "key 0", false as is_new from rowgate_old r) u
      group by u."key 0"
      having pg_catalog.bool_or(u.is_new) and (pg_catalog.count(*) operator(pg_catalog.=) 1) limit 10000 operator(pg_catalog.+) 1) m) where exists (select from "rowgate_old");
    end if;
  when ''DELETE'' then
    insert into rowgate.live_change (table_key, keys, rows) select E''public.odd "name\\\\.'''''', pg_catalog.array_remove(array[''a=b*='' operator(pg_catalog.||) "o"."a=b*"::pg_catalog.text, ''say "n"''''s='' operator(pg_catalog.||) "o"."say ""n""''s"::pg_catalog.text]::pg_catalog.text[], null), ''[]''::pg_catalog.json from rowgate_old o where (select pg_catalog.count(*) from (select from "rowgate_old" limit 2) r) operator(pg_catalog.=) 1;
    if not found then
      insert into rowgate.live_change (table_key, keys, rows) select E''public.odd "name\\\\.'''''', nullif((select case when pg_catalog.count(*) operator(pg_catalog.>) 1000 then array[''a=b**'']::pg_catalog.text[]
      else coalesce(pg_catalog.array_agg(''a=b*='' operator(pg_catalog.||) v.value::pg_catalog.text), ''{}'') end
      from (select distinct c.value from (select r."a=b*" as value from "rowgate_old" r) c where c.value is not null limit 1000 operator(pg_catalog.+) 1) v) operator(pg_catalog.||) (select case when pg_catalog.count(*) operator(pg_catalog.>) 1000 then array[''say "n"''''s*'']::pg_catalog.text[]
      else coalesce(pg_catalog.array_agg(''say "n"''''s='' operator(pg_catalog.||) v.value::pg_catalog.text), ''{}'') end
      from (select distinct c.value from (select r."say ""n""''s" as value from "rowgate_old" r) c where c.value is not null limit 1000 operator(pg_catalog.+) 1) v), array[''a=b**'', ''say "n"''''s*'']::pg_catalog.text[]), ''[]''::pg_catalog.json where exists (select from "rowgate_old");
    end if;
  else
    insert into rowgate.live_change (table_key, keys, rows) select E''public.odd "name\\\\.'''''', null, ''[]''::pg_catalog.json;
  end case;
  return null;
end';
revoke all on function "rowgate_policy"."live_2ed1f1328e02cc0b"() from public;
do 'begin
  execute pg_catalog.format(''alter function "rowgate_policy"."live_2ed1f1328e02cc0b"() owner to %I'', (select r.rolname from pg_catalog.pg_namespace n join pg_catalog.pg_roles r on r.oid operator(pg_catalog.=) n.nspowner where n.nspname operator(pg_catalog.=) ''rowgate''));
end';
create function "rowgate_policy"."live_cabbc44691a009a7"() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp set timezone = 'UTC' set datestyle = 'ISO, MDY' set extra_float_digits = 1 set bytea_output = 'hex' set intervalstyle = 'postgres' as '
begin
  if tg_relid operator(pg_catalog.<>) ''"public"."reading"''::pg_catalog.regclass then
    if not exists (
      with recursive above(relid) as (
        select tg_relid
        union
        select i.inhparent from pg_catalog.pg_inherits i join above a on i.inhrelid operator(pg_catalog.=) a.relid)
      select from above a where a.relid operator(pg_catalog.=) ''"public"."reading"''::pg_catalog.regclass) then
      raise exception using errcode = ''42501'', message = ''this function records the changes of another table'';
    end if;
  end if;
  case tg_op
  when ''INSERT'' then
    insert into rowgate.live_change (table_key, keys, rows) select ''public.reading'', pg_catalog.array_remove(array[''region='' operator(pg_catalog.||) "n"."region"::pg_catalog.text]::pg_catalog.text[], null), pg_catalog.json_build_array(pg_catalog.json_build_array(pg_catalog.json_build_array("n"."id"::pg_catalog.text, "n"."at"::pg_catalog.text), null)) from rowgate_new n where (select pg_catalog.count(*) from (select from "rowgate_new" limit 2) r) operator(pg_catalog.=) 1;
    if not found then
      insert into rowgate.live_change (table_key, keys, rows) select ''public.reading'', nullif((select case when pg_catalog.count(*) operator(pg_catalog.>) 1000 then array[''region*'']::pg_catalog.text[]
      else coalesce(pg_catalog.array_agg(''region='' operator(pg_catalog.||) v.value::pg_catalog.text), ''{}'') end
      from (select distinct c.value from (select r."region" as value from "rowgate_new" r) c where c.value is not null limit 1000 operator(pg_catalog.+) 1) v), array[''region*'']::pg_catalog.text[]), (select case when pg_catalog.count(*) operator(pg_catalog.<=) 10000
      then coalesce(pg_catalog.json_agg(pg_catalog.json_build_array(m.key, m.moved)), ''[]'') end
      from (select pg_catalog.json_build_array(r."id"::pg_catalog.text, r."at"::pg_catalog.text) as key, null::pg_catalog.text[] as moved from rowgate_new r limit 10000 operator(pg_catalog.+) 1) m) where exists (select from "rowgate_new");
    end if;
  when ''UPDATE'' then
    insert into rowgate.live_change (table_key, keys, rows) select ''public.reading'', pg_catalog.array_remove(array[''region='' operator(pg_catalog.||) "n"."region"::pg_catalog.text, nullif(''region='' operator(pg_catalog.||) "o"."region"::pg_catalog.text, ''region='' operator(pg_catalog.||) "n"."region"::pg_catalog.text)]::pg_catalog.text[], null), case when "n"."id"::pg_catalog.text collate pg_catalog."C" is distinct from "o"."id"::pg_catalog.text collate pg_catalog."C" or "n"."at"::pg_catalog.text collate pg_catalog."C" is distinct from "o"."at"::pg_catalog.text collate pg_catalog."C" then pg_catalog.json_build_array(pg_catalog.json_build_array(pg_catalog.json_build_array("n"."id"::pg_catalog.text, "n"."at"::pg_catalog.text), null))
       else ''[]'' end from rowgate_new n cross join rowgate_old o where (select pg_catalog.count(*) from (select from "rowgate_old" limit 2) r) operator(pg_catalog.=) 1;
    if not found then
      insert into rowgate.live_change (table_key, keys, rows) select ''public.reading'', nullif((select case when pg_catalog.count(*) operator(pg_catalog.>) 1000 then array[''region*'']::pg_catalog.text[]
      else coalesce(pg_catalog.array_agg(''region='' operator(pg_catalog.||) v.value::pg_catalog.text), ''{}'') end
      from (select distinct c.value from (select r."region" as value from "rowgate_new" r union all select r."region" as value from "rowgate_old" r) c where c.value is not null limit 1000 operator(pg_catalog.+) 1) v), array[''region*'']::pg_catalog.text[]), (select case when pg_catalog.count(*) operator(pg_catalog.<=) 10000
      then coalesce(pg_catalog.json_agg(pg_catalog.json_build_array(m.key, m.moved)), ''[]'') end
      from (select pg_catalog.json_build_array(u."key 0", u."key 1") as key, case when pg_catalog.count(*) operator(pg_catalog.=) 2 then pg_catalog.array_remove(array[]::pg_catalog.text[], null) end as moved
      from (select r."id"::pg_catalog.text collate pg_catalog."C" as "key 0", r."at"::pg_catalog.text collate pg_catalog."C" as "key 1", true as is_new from rowgate_new r union all select r."id"::pg_catalog.text collate pg_catalog."C" as "key 0", r."at"::pg_catalog.text collate pg_catalog."C" as "key 1", false as is_new from rowgate_old r) u
      group by u."key 0", u."key 1"
      having pg_catalog.bool_or(u.is_new) and (pg_catalog.count(*) operator(pg_catalog.=) 1) limit 10000 operator(pg_catalog.+) 1) m) where exists (select from "rowgate_old");
    end if;
  when ''DELETE'' then
    insert into rowgate.live_change (table_key, keys, rows) select ''public.reading'', pg_catalog.array_remove(array[''region='' operator(pg_catalog.||) "o"."region"::pg_catalog.text]::pg_catalog.text[], null), ''[]''::pg_catalog.json from rowgate_old o where (select pg_catalog.count(*) from (select from "rowgate_old" limit 2) r) operator(pg_catalog.=) 1;
    if not found then
      insert into rowgate.live_change (table_key, keys, rows) select ''public.reading'', nullif((select case when pg_catalog.count(*) operator(pg_catalog.>) 1000 then array[''region*'']::pg_catalog.text[]
      else coalesce(pg_catalog.array_agg(''region='' operator(pg_catalog.||) v.value::pg_catalog.text), ''{}'') end
      from (select distinct c.value from (select r."region" as value from "rowgate_old" r) c where c.value is not null limit 1000 operator(pg_catalog.+) 1) v), array[''region*'']::pg_catalog.text[]), ''[]''::pg_catalog.json where exists (select from "rowgate_old");
    end if;
  else
    insert into rowgate.live_change (table_key, keys, rows) select ''public.reading'', null, ''[]''::pg_catalog.json;
  end case;
  return null;
end';
revoke all on function "rowgate_policy"."live_cabbc44691a009a7"() from public;
do 'begin
  execute pg_catalog.format(''alter function "rowgate_policy"."live_cabbc44691a009a7"() owner to %I'', (select r.rolname from pg_catalog.pg_namespace n join pg_catalog.pg_roles r on r.oid operator(pg_catalog.=) n.nspowner where n.nspname operator(pg_catalog.=) ''rowgate''));
end';
grant select ("id", "organization_id", "stage", "code", "amount", "created_at", "updated_at") on "public"."item" to "golden_live_member";
grant select ("id", "organization_id", "stage", "code", "amount", "created_at", "updated_at") on "public"."item" to "golden_live_clerk";
create policy "rowgate/member/select" on "public"."item" as permissive for select to "golden_live_member" using (((select «amount» is not null and «organization_id» is not null) and (("item"."organization_id" operator("pg_catalog".=) (select «organization_id»::"pg_catalog"."int4")) and ("item"."amount" operator("pg_catalog".=) (select «amount»::"pg_catalog"."numeric")))));
create policy "rowgate/clerk/select" on "public"."item" as permissive for select to "golden_live_clerk" using (((select «code» is not null and «stages» is not null) and (("item"."stage" operator("pg_catalog".=) any ((select «stages»::"public"."_stage")::"public"."_stage")) and ("item"."code" operator("pg_catalog".=) (select «code»::"pg_catalog"."text")))));
create trigger "!rowgate/live/insert" after insert on "public"."item" referencing new table as rowgate_new for each statement execute function "rowgate_policy"."live_dbcbb19dc1ae048c"();
alter table only "public"."item" enable always trigger "!rowgate/live/insert";
create trigger "!rowgate/live/update" after update on "public"."item" referencing old table as rowgate_old new table as rowgate_new for each statement execute function "rowgate_policy"."live_dbcbb19dc1ae048c"();
alter table only "public"."item" enable always trigger "!rowgate/live/update";
create trigger "!rowgate/live/delete" after delete on "public"."item" referencing old table as rowgate_old for each statement execute function "rowgate_policy"."live_dbcbb19dc1ae048c"();
alter table only "public"."item" enable always trigger "!rowgate/live/delete";
create trigger "!rowgate/live/truncate" after truncate on "public"."item" for each statement execute function "rowgate_policy"."live_dbcbb19dc1ae048c"();
alter table only "public"."item" enable always trigger "!rowgate/live/truncate";
create trigger "!rowgate/live/insert" after insert on "public"."keyless" referencing new table as rowgate_new for each statement execute function "rowgate_policy"."live_7d499f6867d4e627"();
alter table only "public"."keyless" enable always trigger "!rowgate/live/insert";
create trigger "!rowgate/live/update" after update on "public"."keyless" referencing old table as rowgate_old new table as rowgate_new for each statement execute function "rowgate_policy"."live_7d499f6867d4e627"();
alter table only "public"."keyless" enable always trigger "!rowgate/live/update";
create trigger "!rowgate/live/delete" after delete on "public"."keyless" referencing old table as rowgate_old for each statement execute function "rowgate_policy"."live_7d499f6867d4e627"();
alter table only "public"."keyless" enable always trigger "!rowgate/live/delete";
create trigger "!rowgate/live/truncate" after truncate on "public"."keyless" for each statement execute function "rowgate_policy"."live_7d499f6867d4e627"();
alter table only "public"."keyless" enable always trigger "!rowgate/live/truncate";
create trigger "!rowgate/live/insert" after insert on "public"."odd ""name.'" referencing new table as rowgate_new for each statement execute function "rowgate_policy"."live_2ed1f1328e02cc0b"();
alter table only "public"."odd ""name.'" enable always trigger "!rowgate/live/insert";
create trigger "!rowgate/live/update" after update on "public"."odd ""name.'" referencing old table as rowgate_old new table as rowgate_new for each statement execute function "rowgate_policy"."live_2ed1f1328e02cc0b"();
alter table only "public"."odd ""name.'" enable always trigger "!rowgate/live/update";
create trigger "!rowgate/live/delete" after delete on "public"."odd ""name.'" referencing old table as rowgate_old for each statement execute function "rowgate_policy"."live_2ed1f1328e02cc0b"();
alter table only "public"."odd ""name.'" enable always trigger "!rowgate/live/delete";
create trigger "!rowgate/live/truncate" after truncate on "public"."odd ""name.'" for each statement execute function "rowgate_policy"."live_2ed1f1328e02cc0b"();
alter table only "public"."odd ""name.'" enable always trigger "!rowgate/live/truncate";
create trigger "!rowgate/live/insert" after insert on "public"."reading" referencing new table as rowgate_new for each statement execute function "rowgate_policy"."live_cabbc44691a009a7"();
alter table only "public"."reading" enable always trigger "!rowgate/live/insert";
create trigger "!rowgate/live/update" after update on "public"."reading" referencing old table as rowgate_old new table as rowgate_new for each statement execute function "rowgate_policy"."live_cabbc44691a009a7"();
alter table only "public"."reading" enable always trigger "!rowgate/live/update";
create trigger "!rowgate/live/delete" after delete on "public"."reading" referencing old table as rowgate_old for each statement execute function "rowgate_policy"."live_cabbc44691a009a7"();
alter table only "public"."reading" enable always trigger "!rowgate/live/delete";
create trigger "!rowgate/live/truncate" after truncate on "public"."reading" for each statement execute function "rowgate_policy"."live_cabbc44691a009a7"();
alter table only "public"."reading" enable always trigger "!rowgate/live/truncate";
create trigger "!rowgate/live/insert/live_cabbc44691a009a7" after insert on "public"."reading_2024" referencing new table as rowgate_new for each statement execute function "rowgate_policy"."live_cabbc44691a009a7"();
alter table only "public"."reading_2024" enable always trigger "!rowgate/live/insert/live_cabbc44691a009a7";
create trigger "!rowgate/live/update/live_cabbc44691a009a7" after update on "public"."reading_2024" referencing old table as rowgate_old new table as rowgate_new for each statement execute function "rowgate_policy"."live_cabbc44691a009a7"();
alter table only "public"."reading_2024" enable always trigger "!rowgate/live/update/live_cabbc44691a009a7";
create trigger "!rowgate/live/delete/live_cabbc44691a009a7" after delete on "public"."reading_2024" referencing old table as rowgate_old for each statement execute function "rowgate_policy"."live_cabbc44691a009a7"();
alter table only "public"."reading_2024" enable always trigger "!rowgate/live/delete/live_cabbc44691a009a7";
create trigger "!rowgate/live/truncate/live_cabbc44691a009a7" after truncate on "public"."reading_2024" for each statement execute function "rowgate_policy"."live_cabbc44691a009a7"();
alter table only "public"."reading_2024" enable always trigger "!rowgate/live/truncate/live_cabbc44691a009a7";
