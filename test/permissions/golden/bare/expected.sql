alter table "public"."quiet" enable row level security;
alter table "public"."thing" enable row level security;
grant select ("id") on "public"."thing" to "golden_bare_reader";
create policy "rowgate/reader/select" on "public"."thing" as permissive for select to "golden_bare_reader" using (true);
