alter table "public"."thing" enable row level security;
create function "rowgate_api"."may_update_2a880958ad5cd743"("k1" "pg_catalog"."int4") returns pg_catalog.bool
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  begin atomic
    select exists (select 1 from "public"."thing" as "r" where (r."id" operator("pg_catalog".=) "may_update_2a880958ad5cd743"."k1"::"pg_catalog"."int4") and ((select «v» is not null) and ("r"."t" operator("pg_catalog".~~) (select «v»::"pg_catalog"."text"))));
  end;
revoke all on function "rowgate_api"."may_update_2a880958ad5cd743"("pg_catalog"."int4") from public;
alter function "rowgate_api"."may_update_2a880958ad5cd743"("pg_catalog"."int4") owner to "golden_operators_text_policy";
create function "rowgate_api"."may_update_f46f8ce1b3185952"("k1" "pg_catalog"."int4") returns pg_catalog.bool
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  begin atomic
    select exists (select 1 from "public"."thing" as "r" where (r."id" operator("pg_catalog".=) "may_update_f46f8ce1b3185952"."k1"::"pg_catalog"."int4") and ((select «v» is not null) and ("r"."t" operator("pg_catalog".!~~) (select «v»::"pg_catalog"."text"))));
  end;
revoke all on function "rowgate_api"."may_update_f46f8ce1b3185952"("pg_catalog"."int4") from public;
alter function "rowgate_api"."may_update_f46f8ce1b3185952"("pg_catalog"."int4") owner to "golden_operators_text_policy";
create function "rowgate_api"."may_update_eba6b5eb4233cf52"("k1" "pg_catalog"."int4") returns pg_catalog.bool
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  begin atomic
    select exists (select 1 from "public"."thing" as "r" where (r."id" operator("pg_catalog".=) "may_update_eba6b5eb4233cf52"."k1"::"pg_catalog"."int4") and ((select «v» is not null) and ("r"."t" operator("pg_catalog".~~*) (select «v»::"pg_catalog"."text"))));
  end;
revoke all on function "rowgate_api"."may_update_eba6b5eb4233cf52"("pg_catalog"."int4") from public;
alter function "rowgate_api"."may_update_eba6b5eb4233cf52"("pg_catalog"."int4") owner to "golden_operators_text_policy";
create function "rowgate_api"."may_update_e1d832c29cd054d2"("k1" "pg_catalog"."int4") returns pg_catalog.bool
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  begin atomic
    select exists (select 1 from "public"."thing" as "r" where (r."id" operator("pg_catalog".=) "may_update_e1d832c29cd054d2"."k1"::"pg_catalog"."int4") and ((select «v» is not null) and ("r"."t" operator("pg_catalog".!~~*) (select «v»::"pg_catalog"."text"))));
  end;
revoke all on function "rowgate_api"."may_update_e1d832c29cd054d2"("pg_catalog"."int4") from public;
alter function "rowgate_api"."may_update_e1d832c29cd054d2"("pg_catalog"."int4") owner to "golden_operators_text_policy";
create function "rowgate_api"."may_update_4104b8b794f01664"("k1" "pg_catalog"."int4") returns pg_catalog.bool
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  begin atomic
    select exists (select 1 from "public"."thing" as "r" where (r."id" operator("pg_catalog".=) "may_update_4104b8b794f01664"."k1"::"pg_catalog"."int4") and ((select «v» is not null) and ("r"."t" operator("pg_catalog".~) (select «v»::"pg_catalog"."text"))));
  end;
revoke all on function "rowgate_api"."may_update_4104b8b794f01664"("pg_catalog"."int4") from public;
alter function "rowgate_api"."may_update_4104b8b794f01664"("pg_catalog"."int4") owner to "golden_operators_text_policy";
create function "rowgate_api"."may_update_41f8850ac2dd592e"("k1" "pg_catalog"."int4") returns pg_catalog.bool
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  begin atomic
    select exists (select 1 from "public"."thing" as "r" where (r."id" operator("pg_catalog".=) "may_update_41f8850ac2dd592e"."k1"::"pg_catalog"."int4") and ((select «v» is not null) and ("r"."t" operator("pg_catalog".!~) (select «v»::"pg_catalog"."text"))));
  end;
revoke all on function "rowgate_api"."may_update_41f8850ac2dd592e"("pg_catalog"."int4") from public;
alter function "rowgate_api"."may_update_41f8850ac2dd592e"("pg_catalog"."int4") owner to "golden_operators_text_policy";
create function "rowgate_api"."may_update_59beecc8024cbe85"("k1" "pg_catalog"."int4") returns pg_catalog.bool
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  begin atomic
    select exists (select 1 from "public"."thing" as "r" where (r."id" operator("pg_catalog".=) "may_update_59beecc8024cbe85"."k1"::"pg_catalog"."int4") and ((select «v» is not null) and ("r"."t" operator("pg_catalog".~*) (select «v»::"pg_catalog"."text"))));
  end;
revoke all on function "rowgate_api"."may_update_59beecc8024cbe85"("pg_catalog"."int4") from public;
alter function "rowgate_api"."may_update_59beecc8024cbe85"("pg_catalog"."int4") owner to "golden_operators_text_policy";
create function "rowgate_api"."may_update_ddc300fc79578440"("k1" "pg_catalog"."int4") returns pg_catalog.bool
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  begin atomic
    select exists (select 1 from "public"."thing" as "r" where (r."id" operator("pg_catalog".=) "may_update_ddc300fc79578440"."k1"::"pg_catalog"."int4") and ((select «v» is not null) and ("r"."t" operator("pg_catalog".!~*) (select «v»::"pg_catalog"."text"))));
  end;
revoke all on function "rowgate_api"."may_update_ddc300fc79578440"("pg_catalog"."int4") from public;
alter function "rowgate_api"."may_update_ddc300fc79578440"("pg_catalog"."int4") owner to "golden_operators_text_policy";
create function "rowgate_api"."may_update_0fccfe967622140e"("k1" "pg_catalog"."int4") returns pg_catalog.bool
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  begin atomic
    select exists (select 1 from "public"."thing" as "r" where (r."id" operator("pg_catalog".=) "may_update_0fccfe967622140e"."k1"::"pg_catalog"."int4") and ((select «v» is not null) and ("r"."t" operator("pg_catalog".~) pg_catalog.similar_to_escape(((select «v»::"pg_catalog"."text"))::pg_catalog.text)::"pg_catalog"."text")));
  end;
revoke all on function "rowgate_api"."may_update_0fccfe967622140e"("pg_catalog"."int4") from public;
alter function "rowgate_api"."may_update_0fccfe967622140e"("pg_catalog"."int4") owner to "golden_operators_text_policy";
create function "rowgate_api"."may_update_89196acadde5d489"("k1" "pg_catalog"."int4") returns pg_catalog.bool
  language sql volatile security definer
  set search_path = pg_catalog, pg_temp
  begin atomic
    select exists (select 1 from "public"."thing" as "r" where (r."id" operator("pg_catalog".=) "may_update_89196acadde5d489"."k1"::"pg_catalog"."int4") and ((select «v» is not null) and ("r"."t" operator("pg_catalog".!~) pg_catalog.similar_to_escape(((select «v»::"pg_catalog"."text"))::pg_catalog.text)::"pg_catalog"."text")));
  end;
revoke all on function "rowgate_api"."may_update_89196acadde5d489"("pg_catalog"."int4") from public;
alter function "rowgate_api"."may_update_89196acadde5d489"("pg_catalog"."int4") owner to "golden_operators_text_policy";
grant select ("id") on "public"."thing" to "golden_operators_text_like";
grant insert ("id", "t") on "public"."thing" to "golden_operators_text_like";
grant update ("id") on "public"."thing" to "golden_operators_text_like";
grant delete on "public"."thing" to "golden_operators_text_like";
grant select ("id") on "public"."thing" to "golden_operators_text_like_fixed";
grant select ("id") on "public"."thing" to "golden_operators_text_nlike";
grant insert ("id", "t") on "public"."thing" to "golden_operators_text_nlike";
grant update ("id") on "public"."thing" to "golden_operators_text_nlike";
grant delete on "public"."thing" to "golden_operators_text_nlike";
grant select ("id") on "public"."thing" to "golden_operators_text_nlike_fixed";
grant select ("id") on "public"."thing" to "golden_operators_text_ilike";
grant insert ("id", "t") on "public"."thing" to "golden_operators_text_ilike";
grant update ("id") on "public"."thing" to "golden_operators_text_ilike";
grant delete on "public"."thing" to "golden_operators_text_ilike";
grant select ("id") on "public"."thing" to "golden_operators_text_ilike_fixed";
grant select ("id") on "public"."thing" to "golden_operators_text_nilike";
grant insert ("id", "t") on "public"."thing" to "golden_operators_text_nilike";
grant update ("id") on "public"."thing" to "golden_operators_text_nilike";
grant delete on "public"."thing" to "golden_operators_text_nilike";
grant select ("id") on "public"."thing" to "golden_operators_text_nilike_fixed";
grant select ("id") on "public"."thing" to "golden_operators_text_regex";
grant insert ("id", "t") on "public"."thing" to "golden_operators_text_regex";
grant update ("id") on "public"."thing" to "golden_operators_text_regex";
grant delete on "public"."thing" to "golden_operators_text_regex";
grant select ("id") on "public"."thing" to "golden_operators_text_regex_fixed";
grant select ("id") on "public"."thing" to "golden_operators_text_nregex";
grant insert ("id", "t") on "public"."thing" to "golden_operators_text_nregex";
grant update ("id") on "public"."thing" to "golden_operators_text_nregex";
grant delete on "public"."thing" to "golden_operators_text_nregex";
grant select ("id") on "public"."thing" to "golden_operators_text_nregex_fixed";
grant select ("id") on "public"."thing" to "golden_operators_text_iregex";
grant insert ("id", "t") on "public"."thing" to "golden_operators_text_iregex";
grant update ("id") on "public"."thing" to "golden_operators_text_iregex";
grant delete on "public"."thing" to "golden_operators_text_iregex";
grant select ("id") on "public"."thing" to "golden_operators_text_iregex_fixed";
grant select ("id") on "public"."thing" to "golden_operators_text_niregex";
grant insert ("id", "t") on "public"."thing" to "golden_operators_text_niregex";
grant update ("id") on "public"."thing" to "golden_operators_text_niregex";
grant delete on "public"."thing" to "golden_operators_text_niregex";
grant select ("id") on "public"."thing" to "golden_operators_text_niregex_fixed";
grant select ("id") on "public"."thing" to "golden_operators_text_similar";
grant insert ("id", "t") on "public"."thing" to "golden_operators_text_similar";
grant update ("id") on "public"."thing" to "golden_operators_text_similar";
grant delete on "public"."thing" to "golden_operators_text_similar";
grant select ("id") on "public"."thing" to "golden_operators_text_similar_fixed";
grant select ("id") on "public"."thing" to "golden_operators_text_nsimilar";
grant insert ("id", "t") on "public"."thing" to "golden_operators_text_nsimilar";
grant update ("id") on "public"."thing" to "golden_operators_text_nsimilar";
grant delete on "public"."thing" to "golden_operators_text_nsimilar";
grant select ("id") on "public"."thing" to "golden_operators_text_nsimilar_fixed";
grant select ("id", "t") on "public"."thing" to "golden_operators_text_policy";
create policy "rowgate/like/select" on "public"."thing" as permissive for select to "golden_operators_text_like" using (((select «v» is not null) and ("thing"."t" operator("pg_catalog".~~) (select «v»::"pg_catalog"."text"))));
create policy "rowgate/like/insert" on "public"."thing" as permissive for insert to "golden_operators_text_like" with check (((select «v» is not null) and ("thing"."t" operator("pg_catalog".~~) (select «v»::"pg_catalog"."text"))));
create policy "rowgate/like/update" on "public"."thing" as permissive for update to "golden_operators_text_like" using (((select «v» is not null) and ("thing"."t" operator("pg_catalog".~~) (select «v»::"pg_catalog"."text")))) with check (true);
create policy "rowgate/like/delete" on "public"."thing" as permissive for delete to "golden_operators_text_like" using (((select «v» is not null) and ("thing"."t" operator("pg_catalog".~~) (select «v»::"pg_catalog"."text"))));
create policy "rowgate/like_fixed/select" on "public"."thing" as permissive for select to "golden_operators_text_like_fixed" using (("thing"."t" operator("pg_catalog".~~) 'ap%'::"pg_catalog"."text"));
create policy "rowgate/nlike/select" on "public"."thing" as permissive for select to "golden_operators_text_nlike" using (((select «v» is not null) and ("thing"."t" operator("pg_catalog".!~~) (select «v»::"pg_catalog"."text"))));
create policy "rowgate/nlike/insert" on "public"."thing" as permissive for insert to "golden_operators_text_nlike" with check (((select «v» is not null) and ("thing"."t" operator("pg_catalog".!~~) (select «v»::"pg_catalog"."text"))));
create policy "rowgate/nlike/update" on "public"."thing" as permissive for update to "golden_operators_text_nlike" using (((select «v» is not null) and ("thing"."t" operator("pg_catalog".!~~) (select «v»::"pg_catalog"."text")))) with check (true);
create policy "rowgate/nlike/delete" on "public"."thing" as permissive for delete to "golden_operators_text_nlike" using (((select «v» is not null) and ("thing"."t" operator("pg_catalog".!~~) (select «v»::"pg_catalog"."text"))));
create policy "rowgate/nlike_fixed/select" on "public"."thing" as permissive for select to "golden_operators_text_nlike_fixed" using (("thing"."t" operator("pg_catalog".!~~) 'ap%'::"pg_catalog"."text"));
create policy "rowgate/ilike/select" on "public"."thing" as permissive for select to "golden_operators_text_ilike" using (((select «v» is not null) and ("thing"."t" operator("pg_catalog".~~*) (select «v»::"pg_catalog"."text"))));
create policy "rowgate/ilike/insert" on "public"."thing" as permissive for insert to "golden_operators_text_ilike" with check (((select «v» is not null) and ("thing"."t" operator("pg_catalog".~~*) (select «v»::"pg_catalog"."text"))));
create policy "rowgate/ilike/update" on "public"."thing" as permissive for update to "golden_operators_text_ilike" using (((select «v» is not null) and ("thing"."t" operator("pg_catalog".~~*) (select «v»::"pg_catalog"."text")))) with check (true);
create policy "rowgate/ilike/delete" on "public"."thing" as permissive for delete to "golden_operators_text_ilike" using (((select «v» is not null) and ("thing"."t" operator("pg_catalog".~~*) (select «v»::"pg_catalog"."text"))));
create policy "rowgate/ilike_fixed/select" on "public"."thing" as permissive for select to "golden_operators_text_ilike_fixed" using (("thing"."t" operator("pg_catalog".~~*) 'ap%'::"pg_catalog"."text"));
create policy "rowgate/nilike/select" on "public"."thing" as permissive for select to "golden_operators_text_nilike" using (((select «v» is not null) and ("thing"."t" operator("pg_catalog".!~~*) (select «v»::"pg_catalog"."text"))));
create policy "rowgate/nilike/insert" on "public"."thing" as permissive for insert to "golden_operators_text_nilike" with check (((select «v» is not null) and ("thing"."t" operator("pg_catalog".!~~*) (select «v»::"pg_catalog"."text"))));
create policy "rowgate/nilike/update" on "public"."thing" as permissive for update to "golden_operators_text_nilike" using (((select «v» is not null) and ("thing"."t" operator("pg_catalog".!~~*) (select «v»::"pg_catalog"."text")))) with check (true);
create policy "rowgate/nilike/delete" on "public"."thing" as permissive for delete to "golden_operators_text_nilike" using (((select «v» is not null) and ("thing"."t" operator("pg_catalog".!~~*) (select «v»::"pg_catalog"."text"))));
create policy "rowgate/nilike_fixed/select" on "public"."thing" as permissive for select to "golden_operators_text_nilike_fixed" using (("thing"."t" operator("pg_catalog".!~~*) 'ap%'::"pg_catalog"."text"));
create policy "rowgate/regex/select" on "public"."thing" as permissive for select to "golden_operators_text_regex" using (((select «v» is not null) and ("thing"."t" operator("pg_catalog".~) (select «v»::"pg_catalog"."text"))));
create policy "rowgate/regex/insert" on "public"."thing" as permissive for insert to "golden_operators_text_regex" with check (((select «v» is not null) and ("thing"."t" operator("pg_catalog".~) (select «v»::"pg_catalog"."text"))));
create policy "rowgate/regex/update" on "public"."thing" as permissive for update to "golden_operators_text_regex" using (((select «v» is not null) and ("thing"."t" operator("pg_catalog".~) (select «v»::"pg_catalog"."text")))) with check (true);
create policy "rowgate/regex/delete" on "public"."thing" as permissive for delete to "golden_operators_text_regex" using (((select «v» is not null) and ("thing"."t" operator("pg_catalog".~) (select «v»::"pg_catalog"."text"))));
create policy "rowgate/regex_fixed/select" on "public"."thing" as permissive for select to "golden_operators_text_regex_fixed" using (("thing"."t" operator("pg_catalog".~) '^a'::"pg_catalog"."text"));
create policy "rowgate/nregex/select" on "public"."thing" as permissive for select to "golden_operators_text_nregex" using (((select «v» is not null) and ("thing"."t" operator("pg_catalog".!~) (select «v»::"pg_catalog"."text"))));
create policy "rowgate/nregex/insert" on "public"."thing" as permissive for insert to "golden_operators_text_nregex" with check (((select «v» is not null) and ("thing"."t" operator("pg_catalog".!~) (select «v»::"pg_catalog"."text"))));
create policy "rowgate/nregex/update" on "public"."thing" as permissive for update to "golden_operators_text_nregex" using (((select «v» is not null) and ("thing"."t" operator("pg_catalog".!~) (select «v»::"pg_catalog"."text")))) with check (true);
create policy "rowgate/nregex/delete" on "public"."thing" as permissive for delete to "golden_operators_text_nregex" using (((select «v» is not null) and ("thing"."t" operator("pg_catalog".!~) (select «v»::"pg_catalog"."text"))));
create policy "rowgate/nregex_fixed/select" on "public"."thing" as permissive for select to "golden_operators_text_nregex_fixed" using (("thing"."t" operator("pg_catalog".!~) '^a'::"pg_catalog"."text"));
create policy "rowgate/iregex/select" on "public"."thing" as permissive for select to "golden_operators_text_iregex" using (((select «v» is not null) and ("thing"."t" operator("pg_catalog".~*) (select «v»::"pg_catalog"."text"))));
create policy "rowgate/iregex/insert" on "public"."thing" as permissive for insert to "golden_operators_text_iregex" with check (((select «v» is not null) and ("thing"."t" operator("pg_catalog".~*) (select «v»::"pg_catalog"."text"))));
create policy "rowgate/iregex/update" on "public"."thing" as permissive for update to "golden_operators_text_iregex" using (((select «v» is not null) and ("thing"."t" operator("pg_catalog".~*) (select «v»::"pg_catalog"."text")))) with check (true);
create policy "rowgate/iregex/delete" on "public"."thing" as permissive for delete to "golden_operators_text_iregex" using (((select «v» is not null) and ("thing"."t" operator("pg_catalog".~*) (select «v»::"pg_catalog"."text"))));
create policy "rowgate/iregex_fixed/select" on "public"."thing" as permissive for select to "golden_operators_text_iregex_fixed" using (("thing"."t" operator("pg_catalog".~*) '^a'::"pg_catalog"."text"));
create policy "rowgate/niregex/select" on "public"."thing" as permissive for select to "golden_operators_text_niregex" using (((select «v» is not null) and ("thing"."t" operator("pg_catalog".!~*) (select «v»::"pg_catalog"."text"))));
create policy "rowgate/niregex/insert" on "public"."thing" as permissive for insert to "golden_operators_text_niregex" with check (((select «v» is not null) and ("thing"."t" operator("pg_catalog".!~*) (select «v»::"pg_catalog"."text"))));
create policy "rowgate/niregex/update" on "public"."thing" as permissive for update to "golden_operators_text_niregex" using (((select «v» is not null) and ("thing"."t" operator("pg_catalog".!~*) (select «v»::"pg_catalog"."text")))) with check (true);
create policy "rowgate/niregex/delete" on "public"."thing" as permissive for delete to "golden_operators_text_niregex" using (((select «v» is not null) and ("thing"."t" operator("pg_catalog".!~*) (select «v»::"pg_catalog"."text"))));
create policy "rowgate/niregex_fixed/select" on "public"."thing" as permissive for select to "golden_operators_text_niregex_fixed" using (("thing"."t" operator("pg_catalog".!~*) '^a'::"pg_catalog"."text"));
create policy "rowgate/similar/select" on "public"."thing" as permissive for select to "golden_operators_text_similar" using (((select «v» is not null) and ("thing"."t" operator("pg_catalog".~) pg_catalog.similar_to_escape(((select «v»::"pg_catalog"."text"))::pg_catalog.text)::"pg_catalog"."text")));
create policy "rowgate/similar/insert" on "public"."thing" as permissive for insert to "golden_operators_text_similar" with check (((select «v» is not null) and ("thing"."t" operator("pg_catalog".~) pg_catalog.similar_to_escape(((select «v»::"pg_catalog"."text"))::pg_catalog.text)::"pg_catalog"."text")));
create policy "rowgate/similar/update" on "public"."thing" as permissive for update to "golden_operators_text_similar" using (((select «v» is not null) and ("thing"."t" operator("pg_catalog".~) pg_catalog.similar_to_escape(((select «v»::"pg_catalog"."text"))::pg_catalog.text)::"pg_catalog"."text"))) with check (true);
create policy "rowgate/similar/delete" on "public"."thing" as permissive for delete to "golden_operators_text_similar" using (((select «v» is not null) and ("thing"."t" operator("pg_catalog".~) pg_catalog.similar_to_escape(((select «v»::"pg_catalog"."text"))::pg_catalog.text)::"pg_catalog"."text")));
create policy "rowgate/similar_fixed/select" on "public"."thing" as permissive for select to "golden_operators_text_similar_fixed" using (("thing"."t" operator("pg_catalog".~) pg_catalog.similar_to_escape(('(ap|ba)%'::"pg_catalog"."text")::pg_catalog.text)::"pg_catalog"."text"));
create policy "rowgate/nsimilar/select" on "public"."thing" as permissive for select to "golden_operators_text_nsimilar" using (((select «v» is not null) and ("thing"."t" operator("pg_catalog".!~) pg_catalog.similar_to_escape(((select «v»::"pg_catalog"."text"))::pg_catalog.text)::"pg_catalog"."text")));
create policy "rowgate/nsimilar/insert" on "public"."thing" as permissive for insert to "golden_operators_text_nsimilar" with check (((select «v» is not null) and ("thing"."t" operator("pg_catalog".!~) pg_catalog.similar_to_escape(((select «v»::"pg_catalog"."text"))::pg_catalog.text)::"pg_catalog"."text")));
create policy "rowgate/nsimilar/update" on "public"."thing" as permissive for update to "golden_operators_text_nsimilar" using (((select «v» is not null) and ("thing"."t" operator("pg_catalog".!~) pg_catalog.similar_to_escape(((select «v»::"pg_catalog"."text"))::pg_catalog.text)::"pg_catalog"."text"))) with check (true);
create policy "rowgate/nsimilar/delete" on "public"."thing" as permissive for delete to "golden_operators_text_nsimilar" using (((select «v» is not null) and ("thing"."t" operator("pg_catalog".!~) pg_catalog.similar_to_escape(((select «v»::"pg_catalog"."text"))::pg_catalog.text)::"pg_catalog"."text")));
create policy "rowgate/nsimilar_fixed/select" on "public"."thing" as permissive for select to "golden_operators_text_nsimilar_fixed" using (("thing"."t" operator("pg_catalog".!~) pg_catalog.similar_to_escape(('(ap|ba)%'::"pg_catalog"."text")::pg_catalog.text)::"pg_catalog"."text"));
create policy "rowgate/policy/select" on "public"."thing" as permissive for select to "golden_operators_text_policy" using (true);
