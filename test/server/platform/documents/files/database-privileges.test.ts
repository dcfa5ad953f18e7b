import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FilesWorld, makeFilesWorld } from './support/world.ts';

let world: FilesWorld;
beforeAll(async () => {
  world = await makeFilesWorld();
});
afterAll(() => world.end());

const login = () => `${world.server.config.rolePrefix}sidecar_login`;
const functions = `pg_catalog.pg_proc p where p.pronamespace = 'rowgate_documents'::regnamespace`;

test('the database functions for files have a fixed search path, and only the sidecar login may call them', async () => {
  const callers = await world.sql(
    `select distinct r.rolname as name
     from pg_catalog.pg_roles r, ${functions}
       and pg_catalog.has_schema_privilege(r.oid, p.pronamespace, 'usage')
       and pg_catalog.has_function_privilege(r.oid, p.oid, 'execute')
       and not r.rolsuper and r.oid <> p.proowner`,
  );
  expect(callers).toEqual([{ name: login() }]);
  const unsafe = `select p.proname from ${functions}
    and not (p.prosecdef and 'search_path=pg_catalog, pg_temp' = any (p.proconfig))`;
  expect(await world.sql(unsafe)).toEqual([]);
});

test("the sidecar login (of the server's own services) can neither read nor write the tables of files except by these functions", async () => {
  expect(
    await world.sql(
      `select t.name from pg_catalog.pg_roles r,
         (values ('public.uploaded_file'), ('public.case_document'), ('public.kyc_document')) t(name)
       where r.rolname = '${login()}'
         and pg_catalog.has_table_privilege(r.oid, t.name, 'select, insert, update, delete')`,
    ),
  ).toEqual([]);
});
