import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { applyMetadata } from '../../../permissions/apply/apply-metadata.ts';
import { uninstall } from '../../../permissions/apply/uninstall.ts';
import { withDatabase } from '../../../server/db/url.ts';
import { makeTenants, type Tenants } from '../attacks/tenants.ts';
import { removeMetadata } from '../support/metadata-files.ts';

let tenants: Tenants;
let copy: pg.Client;
let cluster: pg.Client;
afterEach(async () => {
  await copy.end();
  await cluster.query(`drop database ${tenants.database.name}_copy with (force)`);
  await cluster.end();
  await tenants.drop();
  await removeMetadata();
});

test('apply and uninstall on a copy of a database do not change the roles of the original database', async () => {
  tenants = await makeTenants();
  await tenants.apply();
  const { name, ownerUrl, superuserUrl } = tenants.database;
  await Promise.all([tenants.owner.end(), tenants.superuser.end()]);
  cluster = new pg.Client({ connectionString: withDatabase(superuserUrl, 'postgres') });
  await cluster.connect();
  await cluster.query(`create database ${name}_copy template ${name} owner rowgate_owner`);
  copy = new pg.Client({ connectionString: withDatabase(ownerUrl, `${name}_copy`) });
  await copy.connect();
  const rolesOf = async (prefix: string) => {
    const sql = 'select count(*)::int as count from pg_roles where starts_with(rolname, $1)';
    return (await cluster.query<{ count: number }>(sql, [prefix])).rows[0]?.count;
  };
  const before = await rolesOf(tenants.prefix);
  const rolePrefix = `${tenants.prefix}copy_`;
  const { metadata } = tenants;
  await applyMetadata(copy, { metadata, rolePrefix, headerPrefix: 'X-Gql-', password: 'x' });
  expect(await rolesOf(rolePrefix)).toBe(before);
  await uninstall(copy, { rolePrefix, login: undefined });
  expect([await rolesOf(rolePrefix), await rolesOf(tenants.prefix)]).toEqual([0, before]);
});
