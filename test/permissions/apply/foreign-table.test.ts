import { afterEach, beforeEach, expect, test } from 'vitest';
import { installTenants, type Tenants } from '../attacks/tenants.ts';
import { failureOf } from '../support/as-role.ts';
import { removeMetadata } from '../support/metadata-files.ts';

let tenants: Tenants;
beforeEach(async () => {
  tenants = await installTenants();
});
afterEach(async () => {
  await tenants.drop();
  await removeMetadata();
});

test('apply refuses a table with rules when a table that inherits from it belongs to another owner', async () => {
  const { superuser, prefix } = tenants;
  await tenants.addLogin('heir', []);
  await superuser.query(`create table public.kid () inherits (public.account);
    alter table public.kid owner to "${prefix}heir"`);
  const { message } = await failureOf(tenants.apply());
  expect(message).toContain(`RG_NOT_OWNER public.kid belongs to another role, "${prefix}heir"`);
});
