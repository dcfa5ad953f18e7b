alter table "public"."org" enable row level security;
alter table "public"."thing" enable row level security;
grant select ("name") on "public"."org" to "golden_strict_keys_both_ends";
grant select ("label") on "public"."thing" to "golden_strict_keys_both_ends";
grant select ("label") on "public"."thing" to "golden_strict_keys_one_end";
create policy "rowgate/both_ends/select" on "public"."org" as permissive for select to "golden_strict_keys_both_ends" using (true);
create policy "rowgate/both_ends/select" on "public"."thing" as permissive for select to "golden_strict_keys_both_ends" using (true);
create policy "rowgate/one_end/select" on "public"."thing" as permissive for select to "golden_strict_keys_one_end" using (true);
