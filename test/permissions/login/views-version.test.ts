import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeLoginViews } from '../../../permissions/apply/make-login-views.ts';
import { Catalog } from '../../../permissions/catalog/catalog.ts';
import { runCommand } from '../../support/command-line.ts';
import { since } from '../../support/since.ts';
import { column, installTenants, type Tenants } from '../attacks/tenants.ts';
import { failureOf } from '../support/as-role.ts';
import { removeMetadata } from '../support/metadata-files.ts';

const refusal = 'views for a login need Postgres 15 or later';
let tenants: Tenants;

beforeAll(async () => {
  tenants = await installTenants();
});
afterAll(async () => {
  await tenants.drop();
  await removeMetadata();
});

test('views are refused before Postgres 15, where row security would not apply to their reader', async () => {
  const { loaded } = await tenants.prepare();
  const role = loaded.model.roles.get('member');
  const catalog = new Catalog({ ...loaded.catalog.data, serverVersion: 140013 });
  const views = { loaded: { ...loaded, catalog }, role, schema: undefined };
  const failure = await failureOf(makeLoginViews(tenants.owner, views as never));
  expect(failure).toMatchObject({ code: 'RG_LOGIN', message: expect.stringContaining(refusal) });
});

test.runIf(!since(15))(
  'login create --views on Postgres 14 makes neither login nor schema',
  async () => {
    const name = `login_of_${tenants.prefix}ann`;
    const args = [
      'login',
      'create',
      name,
      '--role',
      'member',
      '--var',
      'X-Gql-Org-Id=1',
      '--views',
    ];
    const { code, stderr } = await runCommand([...args, '--metadata', tenants.metadata], {
      DATABASE_URL: tenants.database.ownerUrl,
      ROWGATE_ROLE_PREFIX: tenants.prefix,
      ROWGATE_ADMIN_SECRET: 'a'.repeat(40),
      ROWGATE_PLATFORM_ADMIN_SECRET: 'a'.repeat(40),
      ROWGATE_DATA_DIR: `${tenants.metadata}/.rowgate`,
    });
    const left = `select rolname::text from pg_roles where rolname = '${name}' union all
    select nspname from pg_namespace where nspname ~ '^reporting_'`;
    expect([code, stderr]).toEqual([1, expect.stringContaining(refusal)]);
    expect(await column(tenants.superuser, left)).toEqual([]);
    expect(await tenants.pending()).toEqual([]);
  },
);
